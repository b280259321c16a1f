"""The changelog's part in a version."""

import pytest

from release.changelog import notes, released
from release.refusing import Refused

pytestmark = pytest.mark.requirement("shipping.release-changelog")

BEGIN = "# Changelog\n\nAs people keep it.\n\n## Unreleased"
BEFORE = "## 0.1.0 - 2026-01-02\n\n### Added\n\n- All of it.\n"


def test_what_is_unreleased_comes_to_stand_under_the_version() -> None:
    """With its date, and an empty heading above it for what comes next."""
    text = f"{BEGIN}\n\n### Fixed\n\n- The clock.\n\n{BEFORE}"
    assert released(text, "0.2.0", "2026-03-04") == (
        f"{BEGIN}\n\n## 0.2.0 - 2026-03-04\n\n### Fixed\n\n- The clock.\n\n{BEFORE}"
    )


def test_the_first_version_has_none_below_it() -> None:
    """Its entries end the file, as they did."""
    text = f"{BEGIN}\n\n- The clock.\n"
    assert released(text, "0.2.0", "2026-03-04") == (
        f"{BEGIN}\n\n## 0.2.0 - 2026-03-04\n\n- The clock.\n"
    )


@pytest.mark.parametrize("between", ["\n\n", "\n\n### Added\n\n", "\n\nNothing yet.\n\n"])
def test_a_version_that_changes_nothing_is_refused(between: str) -> None:
    """Headings and prose are no entries."""
    with pytest.raises(Refused, match="says nothing under '## Unreleased': write there"):
        released(f"{BEGIN}{between}{BEFORE}", "0.2.0", "2026-03-04")


def test_a_changelog_without_the_heading_is_refused() -> None:
    """With the heading that is missed."""
    with pytest.raises(Refused, match="has no heading '## Unreleased': put one"):
        released(f"# Changelog\n\n{BEFORE}", "0.2.0", "2026-03-04")


def test_a_versions_notes_are_what_stands_under_it() -> None:
    """Without its heading and without its neighbours; a version that is not there has none."""
    text = f"{BEGIN}\n\n## 0.10.0 - 2026-05-06\n\n- Ten.\n\n{BEFORE}"
    assert notes(text, "0.10.0") == "- Ten."
    assert notes(text, "0.1.0") == "### Added\n\n- All of it."
    assert not notes(text, "0.1")
