"""Tags as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.cache.asked_tags import NoTag, asked_tag, doubt_of

DECLARED = ("gh:{owner}/{repo}#{pr_number}", "jira:site:{issue_key}", "wiki:{page}", "srv:")


@pytest.mark.requirement("cache.invalidate")
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("gh:Acme/Widgets#12:comments", "gh:acme/widgets#12:comments"),
        ("gh:acme/widgets@ABC:checks", "gh:acme/widgets@ABC:checks"),
        ("gh:acme", "gh:acme"),
        ("jira:acme.example:me-1", "jira:acme.example:ME-1"),
        ("jira:acme.example:search", "jira:acme.example:search"),
        ("bc:7:8:9", "bc:7:8:9"),
        ("wiki:Home page", "wiki:Home page"),
        ("  gh  ", "gh"),
    ],
)
def test_a_tag_is_spelled_as_the_mesh_spells_it(written: str, meant: str) -> None:
    """Owner and repository down, keys of issues up, and nothing else."""
    assert asked_tag(written) == meant


@pytest.mark.requirement("cache.invalidate")
@given(st.text(max_size=400))
def test_whatever_is_written_is_a_tag_or_refused_with_a_fix(written: str) -> None:
    """And what it is taken for is taken for itself again."""
    tag, fault = _read(written)
    if fault is not None:
        assert fault.problem
        assert fault.fix
    else:
        assert _read(tag) == (tag, None)


def _read(written: str) -> tuple[str, NoTag | None]:
    try:
        return asked_tag(written), None
    except NoTag as fault:
        return "", fault


@pytest.mark.requirement("cache.invalidate")
def test_a_tag_of_another_kind_than_any_that_is_read_is_doubted() -> None:
    """With the nearest kind; one that is read, or covers what is, is not."""
    assert "Did you mean 'wiki'" in doubt_of("wikki:Home", DECLARED)
    assert "gh, jira, srv, wiki" in doubt_of("basecamp:1", DECLARED)
    for tag in ("gh", "gh:acme", "gh:acme/widgets#12", "srv:github", "jira:site:ME-1"):
        assert not doubt_of(tag, DECLARED)
