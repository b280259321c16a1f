"""Reading one issue: whole, cut, moved, gone."""

from collections.abc import AsyncIterator

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.issue_tracking import COMMENTS, Tracking, tracking
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tracking]:
    """The usual repository."""
    async with tracking(github, monkeypatch) as made:
        yield made


@pytest.mark.requirement("issues.seed-fields")
async def test_an_issue_has_the_seeds_fields_and_more(here: Tracking) -> None:
    """All that section 6 of the contract names."""
    here.issue.body = "It wobbles."
    here.label(here.issue, "bug")
    here.issue.assignees.append(here.me)
    here.issue.add_comment("me too", here.stranger)
    answer = await here.call("github_get_issue", issue_number=1)
    assert answer == IsPartialDict(
        number=1,
        title="Broken",
        body="It wobbles.",
        body_truncated=False,
        url="https://github.com/acme/widgets/issues/1",
        state="open",
        labels=["bug"],
        assignees=["helper-bot"],
        author="mallory",
        comments_count=1,
        is_pull_request=False,
        state_reason=None,
        milestone=None,
        closed_at=None,
        locked=False,
        comments=[],
        moved_to=None,
    )
    assert answer["created_at"]
    assert answer["updated_at"]


@pytest.mark.requirement("issues.null-body")
async def test_no_body_and_no_author_are_told_as_such(here: Tracking) -> None:
    """A null body is empty, a deleted account is null."""
    here.issue.author = None
    answer = await here.call("github_get_issue", issue_number=1)
    assert (answer["body"], answer["body_truncated"], answer["author"]) == ("", False, None)


@pytest.mark.parametrize(
    ("most", "body", "cut"),
    [(3, "abc", False), (2, "ab", True), (0, "", True)],
)
async def test_a_body_is_cut_where_asked(
    here: Tracking, most: int, body: str, *, cut: bool
) -> None:
    """And says that it was."""
    here.issue.body = "abc"
    answer = await here.call("github_get_issue", issue_number=1, max_body=most)
    assert (answer["body"], answer["body_truncated"]) == (body, cut)


async def test_a_cut_leaves_no_half_of_a_composed_character(here: Tracking) -> None:
    """A joiner that joins nothing any more is dropped."""
    here.issue.body = "\N{WOMAN}\u200d\N{PERSONAL COMPUTER} at work"
    answer = await here.call("github_get_issue", issue_number=1, max_body=2)
    assert (answer["body"], answer["body_truncated"]) == ("\N{WOMAN}", True)


async def test_invisible_characters_never_reach_a_model(here: Tracking) -> None:
    """In title, body, label and comment."""
    here.issue.title, here.issue.body = "Bro\u202eken", "do\u200bit"
    here.label(here.issue, "b\u2066ug")
    here.issue.add_comment("hi\U000e0041", here.stranger)
    answer = await here.call("github_get_issue", issue_number=1, include_comments=1)
    assert (answer["title"], answer["body"], answer["labels"]) == ("Broken", "doit", ["bug"])
    assert answer["comments"][0]["body"] == "hi"


@pytest.mark.parametrize(("there", "asked", "shown"), [(3, 2, 2), (3, 100, 3), (205, 10, 10)])
async def test_the_newest_comments_come_with_it(
    here: Tracking, there: int, asked: int, shown: int
) -> None:
    """Oldest first among them, also when they lie on two of GitHub's pages."""
    for number in range(there):
        here.issue.add_comment(str(number), here.stranger)
    answer = await here.call("github_get_issue", issue_number=1, include_comments=asked)
    bodies = [comment["body"] for comment in answer["comments"]]
    assert bodies == [str(number) for number in range(there - shown, there)]
    assert answer["comments_count"] == there


async def test_comments_are_not_asked_for_in_vain(here: Tracking) -> None:
    """None wanted, or none there: one request."""
    await here.call("github_get_issue", issue_number=1, include_comments=5)
    here.issue.add_comment("a", here.stranger)
    await here.call("github_get_issue", issue_number=1)
    assert not here.sent("GET", COMMENTS)


async def test_a_pull_request_is_read_as_an_issue_and_says_so(here: Tracking) -> None:
    """The numbers are shared."""
    answer = await here.call("github_get_issue", issue_number=2)
    assert (answer["is_pull_request"], answer["url"].endswith("/pull/2")) == (True, True)


@pytest.mark.requirement("issues.moved")
async def test_a_transferred_issue_is_read_where_it_is_now(here: Tracking) -> None:
    """With its comments, and the address that it has there."""
    other = here.github.state.add_repository("acme/gadgets")
    here.issue.add_comment("moved along", here.stranger)
    here.github.state.transfer(here.issue, other)
    answer = await here.call("github_get_issue", issue_number=1, include_comments=5)
    assert answer["moved_to"] == answer["url"] == "https://github.com/acme/gadgets/issues/1"
    assert [comment["body"] for comment in answer["comments"]] == ["moved along"]


@pytest.mark.requirement("issues.moved")
async def test_a_transferred_issue_is_not_read_where_the_mesh_may_not_look(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The allowlist stands over the redirect."""
    async with tracking(github, monkeypatch, allowed_repos="acme/widgets") as here:
        secret = github.state.add_repository("acme/secret")
        github.state.transfer(here.issue, secret)
        error = await here.refused("github_get_issue", issue_number=1)
    assert error["error_code"] == "BLOCKED_BY_POLICY"


@pytest.mark.requirement("issues.closed-doors")
async def test_gone_disabled_and_missing_are_told_apart(here: Tracking) -> None:
    """All three are NOT_FOUND, each with its reason."""
    missing = await here.refused("github_get_issue", issue_number=99)
    here.issue.deleted = True
    gone = await here.refused("github_get_issue", issue_number=1)
    here.issue.deleted = False
    here.repository.has_issues = False
    disabled = await here.refused("github_get_issue", issue_number=1)
    assert [(one["error_code"], one["details"]["reason"]) for one in (missing, gone, disabled)] == [
        ("NOT_FOUND", "not_found"),
        ("NOT_FOUND", "gone"),
        ("NOT_FOUND", "issues_disabled"),
    ]


async def test_a_locked_issue_is_read(here: Tracking) -> None:
    """And says so."""
    here.issue.locked = True
    answer = await here.call("github_get_issue", issue_number=1)
    assert answer["locked"] is True
