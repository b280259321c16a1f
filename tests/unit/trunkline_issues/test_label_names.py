"""Labels by their names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_issues.label_names import Matched, distinct, match, nearest, unknown
from trunkline_shared.errors import BlockedByPolicy, InvalidInput

NAMES = st.lists(st.text(min_size=1, max_size=8).filter(str.strip), max_size=6)


def test_names_are_compared_without_case_and_spelled_as_the_repository_does() -> None:
    """GitHub has no two labels that differ in case only."""
    matched = match(("BUG", "Straße", "nope"), ("bug", "STRASSE", "other"))
    assert matched == Matched(known=("bug", "STRASSE"), missing=("nope",))


@given(wanted=NAMES, existing=NAMES)
def test_each_name_is_either_known_or_missing(wanted: list[str], existing: list[str]) -> None:
    """Nothing is lost and nothing is made up."""
    matched = match(wanted, existing)
    assert set(matched.known) <= set(existing)
    assert set(matched.missing) <= set(wanted)
    assert len(set(matched.known)) == len(matched.known)
    assert bool(wanted) is bool(matched.known or matched.missing)


def test_each_name_is_taken_once_without_blanks() -> None:
    """In the spelling that came first."""
    assert distinct([" bug", "Bug ", "other"]) == ("bug", "other")


@pytest.mark.parametrize(
    ("name", "refused"), [(" ", InvalidInput), ("ghp_" + "a1B2" * 9, BlockedByPolicy)]
)
def test_a_name_that_cannot_be_sent_is_refused(name: str, refused: type[Exception]) -> None:
    """Blank ones and secrets."""
    with pytest.raises(refused):
        distinct(["bug", name])


def test_the_nearest_names_are_suggested_where_there_are_any() -> None:
    """At most three, and none that is far."""
    existing = ["documentation", "Documentation-2", "bug"]
    assert nearest(["documentatoin", "zzz"], existing) == {
        "documentatoin": ["documentation", "Documentation-2"]
    }
    error = unknown(["documentatoin"], existing)
    assert error.hint is not None
    assert "did you mean documentation" in error.hint
