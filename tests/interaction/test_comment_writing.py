"""Updating comments through a real client, against the GitHub stand-in."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.commenting import ONE, World, world
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


async def test_update_comment_answers_as_the_seed_says_and_more(here: World) -> None:
    """The seed's `success` and `comment_id`, with what an agent needs next."""
    comment = here.issue.add_comment("old", here.me)
    answer = await here.call("update_comment", commentId=comment.id, body="new")
    assert answer == IsPartialDict(
        success=True, comment_id=comment.id, kind="issue", edited=True, truncated=False
    )
    assert answer["html_url"].endswith(f"#issuecomment-{comment.id}")
    assert comment.body == "new"


async def test_update_comment_takes_the_snake_case_spelling(here: World) -> None:
    """`comment_id` is an alias of the seed's `commentId`."""
    comment = here.issue.add_comment("old", here.me)
    await here.call("update_comment", comment_id=comment.id, body="new")
    assert comment.body == "new"


@pytest.mark.requirement("comment.other-family")
async def test_an_id_of_the_other_family_is_found_and_its_kind_reported(here: World) -> None:
    """A 404 among issue comments leads to the review comments."""
    comment = here.pull.add_review_comment("old", here.me, path="a.py", line=1)
    answer = await here.call("update_comment", commentId=comment.id, body="new")
    assert (answer["kind"], comment.body) == ("review", "new")


async def test_a_kind_that_is_given_is_the_only_one_tried(here: World) -> None:
    """`kind` spares a request and never touches a comment of the other family."""
    comment = here.pull.add_review_comment("old", here.me, path="a.py", line=1)
    error = await here.refused("update_comment", commentId=comment.id, body="new", kind="issue")
    assert (error["error_code"], comment.body) == ("NOT_FOUND", "old")


@pytest.mark.requirement("comment.deleted")
async def test_a_comment_deleted_between_reads_is_not_found(here: World) -> None:
    """It was there when it was read, and is gone when it is written."""
    comment = here.issue.add_comment("old", here.me)
    gate = here.github.faults.hold("PATCH", ONE)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.refused("update_comment", commentId=comment.id, body="new"))
        await gate.reached()
        here.issue.comments.remove(comment)
        gate.release()
    error = asked.result()
    assert (error["error_code"], error["retryable"]) == ("NOT_FOUND", False)


async def test_an_id_of_no_comment_is_not_found_in_both_families(here: World) -> None:
    """The message says that both were tried."""
    error = await here.refused("update_comment", commentId=424242, body="new")
    assert error["error_code"] == "NOT_FOUND"
    assert "424242" in error["message"]
    assert "review comment" in error["message"]


@pytest.mark.requirement("comment.lost-update")
async def test_an_update_after_somebody_elses_is_a_conflict(here: World) -> None:
    """With `if_unmodified_since`, a lost update is refused and the present time is told."""
    comment = here.issue.add_comment("theirs", here.me)
    error = await here.refused(
        "update_comment",
        commentId=comment.id,
        body="mine",
        if_unmodified_since="2020-01-01T00:00:00Z",
    )
    assert error["error_code"] == "CONFLICT"
    assert error["details"]["updated_at"]
    assert comment.body == "theirs"


async def test_an_update_of_the_version_last_seen_goes_through(here: World) -> None:
    """The time that a read answered is accepted as it is."""
    comment = here.issue.add_comment("old", here.me)
    seen = await here.call("get_comment", comment_id=comment.id)
    await here.call(
        "update_comment", commentId=comment.id, body="new", if_unmodified_since=seen["updated_at"]
    )
    assert comment.body == "new"


@pytest.mark.requirement("comment.equal-body")
async def test_an_equal_body_is_not_sent(here: World) -> None:
    """Saves a write: no PATCH, and `edited` is false."""
    comment = here.issue.add_comment("same\r\ntext", here.me)
    answer = await here.call("update_comment", commentId=comment.id, body="same\ntext")
    assert answer["edited"] is False
    assert not here.github.requests.matching("PATCH")


async def test_appending_keeps_what_was_there_and_leaves_its_open_fence(here: World) -> None:
    """New text goes below, and is not swallowed by a fence that was never closed."""
    comment = here.issue.add_comment("log:\n```\nline", here.me)
    await here.call("update_comment", commentId=comment.id, body="done", mode="append")
    assert comment.body == "log:\n```\nline\n```\n\ndone"


async def test_a_marker_survives_an_update_that_does_not_repeat_it(here: World) -> None:
    """Else the next upsert would not find its comment and post a second one."""
    made = await here.call("upsert_comment", issue_number=1, marker="report", body="one")
    await here.call("update_comment", commentId=made["comment_id"], body="two")
    again = await here.call("upsert_comment", issue_number=1, marker="report", body="three")
    assert (again["comment_id"], again["action"]) == (made["comment_id"], "updated")
    assert len(here.issue.comments) == 1


@pytest.mark.requirement("comment.too-long")
async def test_a_too_long_update_is_refused_or_cut_as_asked(here: World) -> None:
    """Nothing is lost silently: TOO_LARGE unless truncation was asked for and then reported."""
    comment = here.issue.add_comment("old", here.me)
    body = "line\n" * 20_000
    error = await here.refused("update_comment", commentId=comment.id, body=body)
    assert (error["error_code"], comment.body) == ("TOO_LARGE", "old")
    answer = await here.call(
        "update_comment", commentId=comment.id, body=body, on_too_long="truncate"
    )
    assert answer["truncated"] is True
    assert "_Truncated: " in comment.body
