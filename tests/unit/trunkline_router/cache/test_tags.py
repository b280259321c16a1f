"""Tags: filled from arguments, related as a hierarchy, and what that means for generations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.cache.tags import (
    Filled,
    ancestors,
    fill,
    is_beneath,
    is_related,
    names_to_bump,
    names_to_read,
)

COMMENTS = "gh:{owner}/{repo}#{issue_number}:comments"


@pytest.mark.parametrize(
    ("template", "arguments", "tag", "wide"),
    [
        (
            COMMENTS,
            {"owner": "Acme", "repo": "Widgets", "issue_number": 12},
            "gh:acme/widgets#12:comments",
            False,
        ),
        (
            COMMENTS,
            {"owner": "acme", "repo": "widgets", "pr_number": "012"},
            "gh:acme/widgets#12:comments",
            False,
        ),
        (
            COMMENTS,
            {"repo": "Acme/Widgets", "prNumber": 12.0},
            "gh:acme/widgets#12:comments",
            False,
        ),
        (COMMENTS, {"owner": "acme", "repo": "widgets"}, "gh:acme/widgets", True),
        (COMMENTS, {"owner": "acme", "repo": ""}, "gh:acme", True),
        (COMMENTS, {}, "gh", True),
        (COMMENTS, {"owner": ["acme"], "repo": {"a": 1}, "issue_number": True}, "gh", True),
        ("gh:{owner}/{repo}@{head_sha}:checks", {"owner": "a", "repo": "b"}, "gh:a/b", True),
        (
            "jira:jira.example:{issue_key}",
            {"issue_key": "proj-1"},
            "jira:jira.example:PROJ-1",
            False,
        ),
        ("jira:jira.example:{issue_key}", {"issue_key": "proj1"}, "jira:jira.example", True),
        ("jira:j:{issue_key}", {"issue_key": "[PROJ-1] Mend it"}, "jira:j", True),
        ("jira:j:{issue_key}", {"issue_key": "PROJ-01"}, "jira:j", True),
        (COMMENTS, {"repo": "a/b", "issue_number": "+12"}, "gh:a/b#12:comments", False),
        (COMMENTS, {"repo": "a/b", "issue_number": "1_2.0"}, "gh:a/b#12:comments", False),
        ("bc:{account}:{project_id}", {"project_id": 7}, "bc", True),
        ("wiki:{page}", {"page": "Home Page"}, "wiki:Home Page", False),
        ("wiki:{page}", {"page": "x" * 301}, "wiki", True),
        ("wiki:all", {}, "wiki:all", False),
    ],
)
def test_a_declared_tag_is_filled_or_widens(
    template: str, arguments: dict[str, object], tag: str, *, wide: bool
) -> None:
    """Names are spelled in any way, owner and repository fold, numbers are numbers."""
    assert fill(template, arguments) == Filled(tag, wide=wide)


def test_ancestors_are_all_that_stand_above() -> None:
    """From the highest; a tag is not its own."""
    above = ("gh", "gh:acme", "gh:acme/widgets", "gh:acme/widgets#12")
    assert ancestors("gh:acme/widgets#12:comments") == above
    assert ancestors("gh") == ()


@pytest.mark.parametrize(
    ("tag", "other", "beneath"),
    [
        ("gh:a/b#12:comments", "gh:a/b#12", True),
        ("gh:a/b#12:comments", "gh:a/b", True),
        ("gh:a/b#123", "gh:a/b#12", False),
        ("gh:a/bc", "gh:a/b", False),
        ("gh:a/b", "gh:a/b", False),
        ("gh:a/b", "gh:a/b#12", False),
        ("jira:x:K-1", "jira", True),
    ],
)
def test_beneath_is_not_just_a_prefix(tag: str, other: str, *, beneath: bool) -> None:
    """Pull request 123 does not lie beneath 12."""
    assert is_beneath(tag, other) is beneath


TAGS = st.lists(st.sampled_from(["gh", "a", "b", "12", "comments"]), min_size=1, max_size=4).map(
    ":".join
)


@given(read=TAGS, written=TAGS)
def test_a_bump_spoils_exactly_what_is_related(read: str, written: str) -> None:
    """A read and a change share a generation if and only if their tags are related."""
    shares = bool({*names_to_read([read])} & {*names_to_bump([written])})
    assert shares is is_related(read, written)


@given(tags=st.lists(TAGS, max_size=4))
def test_each_name_comes_once(tags: list[str]) -> None:
    """However many tags stand under the same parents."""
    for names in (names_to_read(tags), names_to_bump(tags)):
        assert len(names) == len(set(names))
