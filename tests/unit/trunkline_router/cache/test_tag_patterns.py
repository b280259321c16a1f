"""Which changes concern a resource whose tags have gaps."""

import pytest

from trunkline_router.cache.tag_patterns import TagPattern
from trunkline_router.cache.tags import is_related

VALUES = {"owner": "acme", "repo": "widgets", "pr_number": "2"}
CHECKS = TagPattern.of("gh:{owner}/{repo}@{head_sha}:checks", VALUES)
DIFF = TagPattern.of("gh:{owner}/{repo}#{pr_number}:diff", VALUES)


@pytest.mark.requirement("webhook.wakes")
@pytest.mark.parametrize(
    "tag", ["gh:acme/widgets@abc:checks", "gh:acme/widgets@abc", "gh:acme/widgets", "gh:acme", "gh"]
)
def test_a_gap_stands_for_any_value(tag: str) -> None:
    """And what lies above concerns all beneath."""
    assert CHECKS.concerns(tag)


@pytest.mark.parametrize(
    "tag",
    [
        "gh:acme/widgets@abc:labels",
        "gh:acme/widgets#2:checks",
        "gh:acme/widgets:checks/4",
        "gh:acme/widgets-2@abc:checks",
        "gh:other/widgets@abc:checks",
        "srv:github_ci",
        "jira:acme:ABC-1",
    ],
)
def test_other_things_do_not_concern_it(tag: str) -> None:
    """Another kind, another repository, another vendor."""
    assert not CHECKS.concerns(tag)


@pytest.mark.parametrize(
    "tag",
    [
        "gh:acme/widgets#2",
        "gh:acme/widgets#2:diff",
        "gh:acme/widgets#2:diff:part",
        "gh:acme/widgets#2:comments",
        "gh:acme/widgets#3:diff",
        "gh:acme/widgets#21",
        "gh:acme/widgets",
    ],
)
def test_without_gaps_it_is_as_reads_and_writes_meet(tag: str) -> None:
    """The same, above, or beneath."""
    assert DIFF.concerns(tag) == is_related(tag, "gh:acme/widgets#2:diff")
