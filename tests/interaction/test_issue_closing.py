"""Closing an issue with a comment, whatever is cut on the way."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.issue_tracking import COMMENTS, ONE, Tracking, tracking
from trunkline_shared import meta
from trunkline_shared.testing.github import (
    CutAfterApplying,
    CutBeforeReading,
    GitHubStandIn,
    SlowFirstByte,
    bad_gateway,
)

pytestmark = pytest.mark.anyio

CUTS = (CutBeforeReading(), CutAfterApplying())
Cut = CutBeforeReading | CutAfterApplying


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tracking]:
    """The usual repository."""
    async with tracking(github, monkeypatch) as made:
        yield made


@pytest.mark.requirement("issues.seed-fields")
async def test_closing_says_what_was_and_what_is(here: Tracking) -> None:
    """Success, number and state as the seed has them."""
    answer = await here.call("github_close_issue", issue_number=1)
    assert answer == IsPartialDict(
        success=True,
        issue_number=1,
        state="closed",
        was_open=True,
        state_reason="completed",
        comment_id=None,
    )
    assert (here.issue.state, here.bodies()) == ("closed", [])


@pytest.mark.requirement("issues.comment-after-close")
async def test_the_comment_is_posted_after_the_close(here: Tracking) -> None:
    """So that a failed close leaves no stray comment."""
    answer = await here.call("github_close_issue", issue_number=1, comment="Fixed.")
    assert answer["comment_id"] == here.issue.comments[0].id
    writes = [r.method for r in here.github.requests if r.method != "GET"]
    assert writes == ["PATCH", "POST"]


@pytest.mark.requirement("issues.comment-after-close")
async def test_a_close_that_fails_leaves_no_comment(here: Tracking) -> None:
    """The issue is open, and nothing was said about it."""
    here.repository.grant(here.me, "read")
    error = await here.refused("github_close_issue", issue_number=1, comment="Fixed.")
    assert error["error_code"] == "PERMISSION_DENIED"
    assert (here.issue.state, here.bodies()) == ("open", [])


@pytest.mark.requirement("issues.closed-once")
async def test_closing_a_closed_issue_is_nothing_and_never_comments_twice(here: Tracking) -> None:
    """The second call finds it closed and says why there is no comment."""
    await here.call("github_close_issue", issue_number=1, comment="Fixed.")
    again = await here.call("github_close_issue", issue_number=1, comment="Fixed.")
    assert (again["was_open"], again["comment_id"]) == (False, None)
    assert "create_comment" in again["note"]
    assert here.bodies() == ["Fixed."]
    assert here.sent("PATCH") == 1


@pytest.mark.requirement("issues.closed-once")
async def test_two_calls_at_once_post_one_comment(here: Tracking) -> None:
    """The second waits for the first, and finds the issue closed."""
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        for _ in range(2):
            tasks.create_task(here.call("github_close_issue", issue_number=1, comment="Fixed."))
    assert here.bodies() == ["Fixed."]


@pytest.mark.requirement("issues.closed-once")
@pytest.mark.parametrize("marker", ["", "done"])
@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize(("method", "path"), [("PATCH", ONE), ("POST", COMMENTS)])
async def test_at_most_one_comment_whatever_is_cut(
    here: Tracking, method: str, path: str, cut: Cut, marker: str
) -> None:
    """The call is made, and made again as an agent would: with a marker there is exactly one."""
    here.github.faults.add(cut, method, path)
    arguments = {"issue_number": 1, "comment": "Fixed.", "marker": marker}
    first = await here.raw("github_close_issue", **arguments)
    after_first = list(here.bodies())
    await here.call("github_close_issue", **arguments)
    assert here.issue.state == "closed"
    lost = method == "POST" and isinstance(cut, CutBeforeReading)
    assert bool(first.is_error) is lost
    assert len(after_first) == (0 if lost else 1)
    assert len(here.bodies()) == (1 if marker or not lost else 0)


@pytest.mark.requirement("issues.closed-once")
@pytest.mark.parametrize("marker", ["", "done"])
async def test_a_comment_that_failed_after_the_close_says_that_it_is_closed(
    here: Tracking, marker: str
) -> None:
    """Only a marker makes closing again the way to post it."""
    here.github.faults.add(CutBeforeReading(), "POST", COMMENTS)
    error = await here.refused(
        "github_close_issue", issue_number=1, comment="Fixed.", marker=marker
    )
    assert error["error_code"] == "TIMEOUT"
    assert error["details"] == IsPartialDict(closed=True, may_have_happened=True)
    assert error["retryable"] is bool(marker)
    assert ("create_comment" in error["hint"]) is not bool(marker)


async def test_a_comment_refused_after_the_close_says_that_it_is_closed(here: Tracking) -> None:
    """GitHub's own reason stays."""
    here.issue.author = here.me
    here.repository.grant(here.me, "read")
    here.issue.locked = True
    error = await here.refused("github_close_issue", issue_number=1, comment="Fixed.")
    assert (error["error_code"], error["details"]["reason"]) == ("PERMISSION_DENIED", "locked")
    assert error["details"]["closed"] is True
    assert here.issue.state == "closed"


@pytest.mark.requirement("issues.closed-once")
async def test_a_close_that_was_answered_with_a_failure_is_repeated(here: Tracking) -> None:
    """Closing twice is closing once."""
    here.github.faults.add(bad_gateway(), "PATCH", ONE)
    await here.call("github_close_issue", issue_number=1, comment="Fixed.", marker="done")
    assert here.bodies() == ["<!-- trunkline:marker=done -->\nFixed."]


@pytest.mark.requirement("issues.closed-once")
async def test_a_close_that_outlives_the_call_is_told_and_comments_later_by_its_marker(
    here: Tracking,
) -> None:
    """TIMEOUT says that it may have happened; the same call then posts what is missing."""
    here.github.faults.add(SlowFirstByte(seconds=30), "PATCH", ONE)
    arguments = {"issue_number": 1, "comment": "Fixed.", "marker": "done"}
    error = await here.refused("github_close_issue", meta={meta.DEADLINE_MS: 500}, **arguments)
    assert error["error_code"] == "TIMEOUT"
    assert error["details"]["may_have_happened"] is True
    assert here.bodies() == []
    answer = await here.call("github_close_issue", **arguments)
    assert (answer["was_open"], answer["comment_created"]) == (False, True)
    assert len(here.bodies()) == 1


async def test_a_marked_comment_is_found_again(here: Tracking) -> None:
    """Its id is the answer, and it is not new."""
    arguments = {"issue_number": 1, "comment": "Fixed.", "marker": "done"}
    one = await here.call("github_close_issue", **arguments)
    two = await here.call("github_close_issue", **arguments)
    assert one["comment_id"] == two["comment_id"]
    assert (one["comment_created"], two["comment_created"]) == (True, False)


@pytest.mark.parametrize("reason", ["completed", "not_planned", "duplicate"])
async def test_the_reason_is_told_to_github(here: Tracking, reason: str) -> None:
    """All three that GitHub knows."""
    answer = await here.call("github_close_issue", issue_number=1, reason=reason)
    assert (answer["state_reason"], here.issue.state_reason) == (reason, reason)


async def test_a_duplicate_names_its_original(here: Tracking) -> None:
    """By number; GitHub wants its id."""
    original = here.repository.add_issue("The first one", here.stranger)
    await here.call(
        "github_close_issue", issue_number=1, reason="duplicate", duplicate_of=original.number
    )
    assert here.issue.duplicate_of is original


@pytest.mark.parametrize(
    "arguments",
    [
        {"duplicate_of": 2},
        {"duplicate_of": 1, "reason": "duplicate"},
        {"marker": "m"},
        {"comment": "  "},
        {"reason": "fixed"},
        {"duplicate_of": -1, "reason": "duplicate"},
        {"duplicate_of": True, "reason": "duplicate"},
    ],
)
async def test_what_makes_no_sense_is_refused_here(
    here: Tracking, arguments: dict[str, object]
) -> None:
    """Before anything is sent."""
    error = await here.refused("github_close_issue", issue_number=1, **arguments)
    assert error["error_code"] == "INVALID_INPUT"
    assert not len(here.github.requests)


async def test_a_duplicate_of_nothing_is_not_closed(here: Tracking) -> None:
    """NOT_FOUND about the original; the issue stays open."""
    error = await here.refused(
        "github_close_issue", issue_number=1, reason="duplicate", duplicate_of=99
    )
    assert (error["error_code"], here.issue.state) == ("NOT_FOUND", "open")


@pytest.mark.requirement("issues.pull-numbers")
async def test_a_pull_request_is_closed_only_when_that_is_meant(here: Tracking) -> None:
    """Its number would do it, without a word."""
    for tool in ("github_close_issue", "reopen_issue", "update_issue"):
        arguments = {"title": "new"} if tool == "update_issue" else {}
        error = await here.refused(tool, issue_number=2, **arguments)
        assert error["error_code"] == "INVALID_INPUT"
        assert error["details"]["reason"] == "is_pull_request"
    assert here.pull.state == "open"
    answer = await here.call("github_close_issue", issue_number=2, allow_pr=True, comment="Later.")
    assert (answer["was_open"], answer["state_reason"], here.pull.state) == (True, None, "closed")
    again = await here.call("reopen_issue", issue_number=2, allow_pr=True)
    assert (again["was_closed"], here.pull.state) == (True, "open")


@pytest.mark.requirement("issues.closed-doors")
async def test_a_deleted_issue_and_an_archived_repository_are_told_apart(here: Tracking) -> None:
    """410 and 403."""
    here.repository.archived = True
    archived = await here.refused("github_close_issue", issue_number=1)
    here.issue.deleted = True
    gone = await here.refused("github_close_issue", issue_number=1)
    assert (archived["error_code"], archived["details"]["reason"]) == (
        "PERMISSION_DENIED",
        "archived",
    )
    assert (gone["error_code"], gone["details"]["reason"]) == ("NOT_FOUND", "gone")


async def test_a_closed_issue_is_reopened_and_an_open_one_left_alone(here: Tracking) -> None:
    """`was_closed` says which it was."""
    here.issue.close(by=here.me)
    one = await here.call("reopen_issue", issue_number=1)
    two = await here.call("reopen_issue", issue_number=1)
    assert (one["was_closed"], two["was_closed"], here.issue.state) == (True, False, "open")
    assert here.sent("PATCH") == 1
