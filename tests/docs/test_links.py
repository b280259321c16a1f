"""What a page leads to is there."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs.pages import PAGES, ROOT, anchors_of, targets_of

FURTHER = (
    str(path.relative_to(ROOT))
    for path in (ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*/*.md")))
)
INDEX = "docs/README.md"


@pytest.mark.requirement("shipping.docs-links")
@pytest.mark.parametrize("page", [*PAGES, *FURTHER])
def test_each_link_within_the_project_leads_somewhere(page: str) -> None:
    """To a file, and where it names a heading to that; without asking the network."""
    for target in targets_of(page):
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            continue
        path = (ROOT / page).parent.joinpath(unquote(parts.path)) if parts.path else ROOT / page
        assert path.exists(), f"{page}: {target} leads to no file"
        if parts.fragment:
            named = str(path.resolve().relative_to(ROOT))
            assert parts.fragment in anchors_of(named), f"{page}: {target} leads to no heading"


@pytest.mark.requirement("shipping.docs-links")
def test_each_page_of_the_docs_stands_in_their_index() -> None:
    """A page that nothing leads to is read by nobody."""
    listed = {Path(urlsplit(target).path).name for target in targets_of(INDEX)}
    pages = {Path(page).name for page in PAGES if page.startswith("docs/") and page != INDEX}
    assert pages - listed == set()
