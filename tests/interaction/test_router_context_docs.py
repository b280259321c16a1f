"""What docs/contexts.md shows is what happens."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from trunkline_router.access.query_context import context_of_query
from trunkline_router.configuration.settings import RouterSettings
from trunkline_router.context import KEYS
from trunkline_shared.settings import variable_name

TEXT = (Path(__file__).parents[2] / "docs/contexts.md").read_text(encoding="utf-8")


def test_every_url_of_the_page_is_a_context() -> None:
    """And binds a pull request."""
    queries = [urlsplit(url).query for url in re.findall(r'http://[^\s"`]+\?[^\s"`]+', TEXT)]
    assert len(queries) == 5
    assert {context_of_query(query).get("pr_number") for query in queries} == {12}


def test_the_page_names_every_key_and_the_switch() -> None:
    """In the table of keys, in their order."""
    rows = re.findall(r"^\| (`.*?) \|", TEXT, re.MULTILINE)
    assert re.findall(r"`(\w+)`", " ".join(rows)) == list(KEYS)
    assert variable_name(RouterSettings, "local_defaults") in TEXT
