"""Inline comments while the pull request moves: pushes, force-pushes, a rebased base, commits."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.inline_reviewing import APP, CHANGED, COMMENTS, FILES, World, world
from trunkline_shared.testing.github import AnswerWith, ChangedFile, GitHubStandIn

pytestmark = pytest.mark.anyio

PLACE = {"path": "src/app.py", "line": 5, "body": "Why?"}
ELSEWHERE = ChangedFile(
    path="src/app.py", before=APP.before, after=(APP.before or "").replace("line 20\n", "twenty\n")
)
"""RIGHT shows 17-23 only."""


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


@pytest.mark.requirement("inline.head-moved")
async def test_a_force_push_between_check_and_post_is_checked_again(here: World) -> None:
    """GitHub refuses the commit that is gone; the line is still shown, so it is posted there."""
    gate = here.github.faults.hold("POST", COMMENTS)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.call("create_inline_comment", **PLACE))
        await gate.reached()
        here.repository.push(here.pull, *CHANGED, forced=True)
        gate.release()
    answer = asked.result()
    assert answer == IsPartialDict(head_moved=True, commit_id=here.head(), line=5, created=True)
    assert len(here.pull.review_comments) == 1


@pytest.mark.requirement("inline.head-moved")
async def test_a_force_push_that_takes_the_line_away_is_told_with_the_new_lines(
    here: World,
) -> None:
    """Nothing is posted at a line that means something else now."""
    gate = here.github.faults.hold("POST", COMMENTS)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.refused("create_inline_comment", **PLACE))
        await gate.reached()
        here.repository.push(here.pull, ELSEWHERE, forced=True)
        gate.release()
    error = asked.result()
    assert error["error_code"] == "LINE_NOT_IN_DIFF"
    assert error["details"] == IsPartialDict(
        head_sha=here.head(), valid_ranges=[[17, 23]], nearest={"line": 17, "side": "RIGHT"}
    )
    assert not here.pull.review_comments


@pytest.mark.requirement("inline.head-moved")
async def test_a_head_that_moves_a_second_time_is_not_chased(here: World) -> None:
    """Checked again once: the second refusal is the caller's to see."""
    first = here.github.faults.hold("POST", COMMENTS)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.refused("create_inline_comment", **PLACE))
        await first.reached()
        here.repository.push(here.pull, *CHANGED, forced=True)
        second = here.github.faults.hold("POST", COMMENTS)
        first.release()
        await second.reached()
        here.repository.push(here.pull, *CHANGED, forced=True)
        second.release()
    assert asked.result()["error_code"] == "INVALID_INPUT"
    assert not here.pull.review_comments


@pytest.mark.requirement("inline.outdated")
async def test_a_push_between_check_and_post_may_leave_the_comment_outdated(here: World) -> None:
    """The old commit is still one of the pull request: GitHub takes it, and the answer says so."""
    gate = here.github.faults.hold("POST", COMMENTS)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.call("create_inline_comment", **PLACE))
        await gate.reached()
        here.repository.push(here.pull, ELSEWHERE)
        gate.release()
    assert asked.result() == IsPartialDict(outdated=True, line=None, original_line=5)


@pytest.mark.requirement("inline.head-moved")
async def test_lines_are_never_kept_under_a_head_that_they_are_not_of(here: World) -> None:
    """The head moves between the pull request and its files: both are read again."""
    gate = here.github.faults.hold("GET", FILES)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.refused("create_inline_comment", **PLACE))
        await gate.reached()
        here.repository.push(here.pull, ELSEWHERE)
        gate.release()
    assert asked.result()["details"]["head_sha"] == here.head()
    listed = await here.call("get_commentable_lines")
    assert listed["head_sha"] == here.head()
    assert listed["files"][0]["right"] == [[17, 23]]


@pytest.mark.requirement("inline.head-moved")
async def test_a_head_that_moves_whenever_it_is_read_is_a_conflict(here: World) -> None:
    """Three tries, then the truth."""
    gate = here.github.faults.hold("GET", FILES)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.refused("create_inline_comment", **PLACE))
        for _ in range(3):
            await gate.reached()
            here.repository.push(here.pull, *CHANGED)
            following = here.github.faults.hold("GET", FILES)
            gate.release()
            gate = following
    error = asked.result()
    assert (error["error_code"], error["details"]["reason"]) == ("CONFLICT", "head_moved")


@pytest.mark.requirement("inline.base-moved")
async def test_a_rebased_base_shifts_the_lines_while_the_head_stays(here: World) -> None:
    """Lines are kept by base and head together."""
    before = await here.call("get_commentable_lines", path="src/app.py")
    assert here.pull.pull is not None
    here.pull.pull.base_sha, here.pull.pull.files = "b" * 40, [ELSEWHERE]
    after = await here.call("get_commentable_lines", path="src/app.py")
    assert before["head_sha"] == after["head_sha"]
    assert (before["files"][0]["right"], after["files"][0]["right"]) == (
        [[2, 8], [27, 32]],
        [[17, 23]],
    )


async def test_the_files_of_one_base_and_head_are_read_once(here: World) -> None:
    """Only the pull request itself is asked again, to know its head."""
    for line in (4, 5, 6):
        await here.call("create_inline_comment", **{**PLACE, "line": line})
    assert len(here.github.requests.matching("GET", FILES)) == 1


@pytest.mark.requirement("inline.commit")
@pytest.mark.parametrize("length", [40, 12])
async def test_a_comment_on_an_earlier_commit_goes_to_that_commit(here: World, length: int) -> None:
    """A commit of the pull request, in full or abbreviated."""
    earlier = here.head()
    here.repository.push(here.pull, *CHANGED)
    answer = await here.call("create_inline_comment", **PLACE, commit_id=earlier[:length])
    assert here.pull.review_comments[0].commit_id == earlier
    assert answer["head_moved"] is False


@pytest.mark.requirement("inline.commit")
async def test_the_head_may_be_named(here: World) -> None:
    """It is checked like any comment without a commit."""
    await here.call("create_inline_comment", **PLACE, commit_id=here.head().upper())
    error = await here.refused(
        "create_inline_comment", **{**PLACE, "line": 15}, commit_id=here.head()
    )
    assert error["details"]["nearest"] == {"line": 8, "side": "RIGHT"}


@pytest.mark.requirement("inline.commit")
async def test_a_commit_that_a_force_push_removed_is_refused_with_the_head(here: World) -> None:
    """INVALID_INPUT before anything is posted."""
    gone = here.head()
    here.repository.push(here.pull, *CHANGED, forced=True)
    error = await here.refused("create_inline_comment", **PLACE, commit_id=gone)
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"] == IsPartialDict(
        reason="commit_not_in_pull_request", head_sha=here.head()
    )
    assert not here.github.requests.matching("POST")


@pytest.mark.requirement("inline.commit")
async def test_a_commit_beyond_those_that_github_lists_is_left_to_github(here: World) -> None:
    """The list ends at 250; what is behind it cannot be checked here."""
    for _ in range(251):
        here.repository.push(here.pull, *CHANGED)
    assert here.pull.pull is not None
    beyond = here.pull.pull.commits[-2]
    await here.call("create_inline_comment", **PLACE, commit_id=beyond)
    assert here.pull.review_comments[0].commit_id == beyond
    error = await here.refused("create_inline_comment", **PLACE | {"line": 6}, commit_id="f" * 40)
    assert error["error_code"] == "INVALID_INPUT"


@pytest.mark.requirement("inline.commit")
@pytest.mark.parametrize("commit", ["main", "abc", "../..", "0x1234567"])
async def test_what_is_no_sha_is_refused_before_anything_is_asked(here: World, commit: str) -> None:
    """A branch is no commit."""
    error = await here.refused("create_inline_comment", **PLACE, commit_id=commit)
    assert error["details"]["field_errors"][0]["field"] == "commit_id"
    assert not here.github.requests.matching()


@pytest.mark.requirement("inline.commit")
async def test_a_line_that_an_earlier_commit_does_not_show_is_told(here: World) -> None:
    """Its diff is GitHub's to know; the hint leads to the head."""
    earlier = here.head()
    here.repository.push(here.pull, ELSEWHERE)
    error = await here.refused("create_inline_comment", **{**PLACE, "line": 20}, commit_id=earlier)
    assert error["error_code"] == "LINE_NOT_IN_DIFF"
    assert "commit_id" in error["hint"]


@pytest.mark.requirement("inline.outside-diff")
async def test_a_line_that_github_refuses_after_all_is_told_with_the_ranges(here: World) -> None:
    """The head did not move, so nothing is sent twice."""
    refusal = {
        "message": "Validation Failed",
        "errors": [
            {
                "resource": "PullRequestReviewComment",
                "code": "custom",
                "field": "pull_request_review_thread.line",
                "message": "pull_request_review_thread.line must be part of the diff",
            },
            {
                "resource": "PullRequestReviewComment",
                "code": "missing_field",
                "field": "pull_request_review_thread.diff_hunk",
            },
        ],
    }
    here.github.faults.add(AnswerWith(status=422, body=refusal), "POST", COMMENTS)
    error = await here.refused("create_inline_comment", **PLACE)
    assert error["error_code"] == "LINE_NOT_IN_DIFF"
    assert error["details"] == IsPartialDict(valid_ranges=[[2, 8], [27, 32]], http_status=422)
    assert len(here.github.requests.matching("POST", COMMENTS)) == 1


@pytest.mark.requirement("inline.closed-doors")
async def test_closed_and_merged_take_comments_and_locked_does_not(here: World) -> None:
    """403 with a reason, for one who may not write to a locked conversation."""
    here.pull.close()
    await here.call("create_inline_comment", **PLACE)
    assert here.pull.pull is not None
    here.pull.pull.merged_at = here.pull.closed_at
    await here.call("create_inline_comment", **{**PLACE, "line": 4})
    here.repository.grant(here.me, "read")
    here.pull.locked = True
    error = await here.refused("create_inline_comment", **{**PLACE, "line": 6})
    assert (error["error_code"], error["details"]["reason"]) == ("PERMISSION_DENIED", "locked")
    here.repository.archived = True
    error = await here.refused("create_inline_comment", **{**PLACE, "line": 7})
    assert error["details"]["reason"] == "archived"


async def test_the_number_of_an_issue_is_not_found(here: World) -> None:
    """Only pull requests have a diff."""
    error = await here.refused("create_inline_comment", **PLACE, pr_number=1)
    assert error["error_code"] == "NOT_FOUND"
