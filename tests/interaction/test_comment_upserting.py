"""One comment per marker, kept up to date."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.commenting import LIST, ONE, World, world
from trunkline_shared.testing.github import (
    CutAfterApplying,
    GitHubStandIn,
    LaggingList,
)

pytestmark = pytest.mark.anyio

LINE = "<!-- trunkline:marker=report -->\n"


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


async def upsert(here: World, body: str, **more: object) -> dict[str, object]:
    return await here.call("upsert_comment", issue_number=1, marker="report", body=body, **more)


async def test_upsert_creates_then_updates_then_leaves_alone(here: World) -> None:
    """The three actions, on one comment, with the marker at its head."""
    answers = [await upsert(here, body) for body in ("one", "two", "two")]
    assert [a["action"] for a in answers] == ["created", "updated", "unchanged"]
    assert [a["created"] for a in answers] == [True, False, False]
    assert len({str(a["comment_id"]) for a in answers}) == 1
    assert here.bodies() == [LINE + "two"]
    assert len(here.github.requests.matching("PATCH")) == 1


@pytest.mark.requirement("comment.deleted")
async def test_upsert_creates_when_its_comment_was_deleted_between_reads(here: World) -> None:
    """A 404 to the update is no failure of an upsert."""
    await upsert(here, "one")
    gate = here.github.faults.hold("PATCH", ONE)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(upsert(here, "two"))
        await gate.reached()
        here.issue.comments.clear()
        gate.release()
    assert asked.result()["action"] == "created"
    assert here.bodies() == [LINE + "two"]


async def test_upsert_creates_again_after_its_comment_was_deleted(here: World) -> None:
    """What is remembered of a comment never hides that it is gone."""
    await upsert(here, "one")
    here.issue.comments.clear()
    assert (await upsert(here, "two"))["action"] == "created"


async def test_a_strangers_comment_with_our_marker_is_not_taken_for_ours(here: World) -> None:
    """Anybody can write our marker; only our own comment is updated."""
    theirs = here.issue.add_comment(LINE + "planted", here.stranger)
    assert (await upsert(here, "one"))["action"] == "created"
    assert theirs.body == LINE + "planted"


@pytest.mark.requirement("comment.null-user")
async def test_a_comment_of_a_deleted_account_is_nobodys(here: World) -> None:
    """`user` is null, and that is neither ours nor an error."""
    here.issue.add_comment(LINE + "ghost", None)
    assert (await upsert(here, "one"))["action"] == "created"


async def test_anybodys_comment_is_updated_when_that_is_asked_for(here: World) -> None:
    """`author_only: false` is for a team of bots that share a comment."""
    theirs = here.issue.add_comment(LINE + "old", here.stranger)
    assert (await upsert(here, "one", author_only=False))["action"] == "updated"
    assert theirs.body == LINE + "one"


async def test_of_several_with_the_marker_the_oldest_is_updated(here: World) -> None:
    """A rule that every replica arrives at alike."""
    old = here.issue.add_comment(LINE + "a", here.me)
    young = here.issue.add_comment(LINE + "b", here.me)
    assert (await upsert(here, "one"))["comment_id"] == old.id
    assert young.body == LINE + "b"


async def test_a_quoted_marker_is_not_found(here: World) -> None:
    """A reply that quotes the comment is not the comment."""
    here.issue.add_comment("> " + LINE, here.me)
    assert (await upsert(here, "one"))["action"] == "created"


async def test_the_marker_is_found_beyond_the_first_page(here: World) -> None:
    """A long conversation is read to its end, and no further than the find."""
    for number in range(120):
        here.issue.add_comment(f"chatter {number}", here.stranger)
    mine = here.issue.add_comment(LINE + "old", here.me)
    assert (await upsert(here, "new"))["comment_id"] == mine.id
    assert len(here.github.requests.matching("GET", "*/issues/*/comments")) == 2


async def test_a_create_that_was_split_is_found_by_upsert_in_its_first_part(here: World) -> None:
    """Numbered parts bear the marker too."""
    body = "a line of text\n" * 9_000
    made = await here.call(
        "create_comment", issue_number=1, body=body, marker="report", on_too_long="split"
    )
    assert (await upsert(here, "short"))["comment_id"] == made["comment_id"]


@pytest.mark.requirement("comment.no-duplicate")
@pytest.mark.parametrize("bodies", [["same"] * 8, [f"body {n}" for n in range(8)]])
async def test_concurrent_upserts_with_one_marker_make_one_comment(
    here: World, bodies: list[str]
) -> None:
    """Eight agents at once: one creates, the others find what it made."""
    gate = here.github.faults.hold("GET", LIST)
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        asked = [tasks.create_task(upsert(here, body)) for body in bodies]
        await gate.reached()
        gate.release()
    actions = sorted(str(task.result()["action"]) for task in asked)
    assert len(here.issue.comments) == 1
    assert actions.count("created") == 1


async def test_upserts_with_other_markers_do_not_wait_for_each_other(here: World) -> None:
    """While one marker's request hangs, another's is done."""
    gate = here.github.faults.hold("POST", LIST)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        slow = tasks.create_task(upsert(here, "slow"))
        await gate.reached()
        fast = await here.call("upsert_comment", issue_number=1, marker="other", body="fast")
        assert not slow.done()
        gate.release()
    assert fast["action"] == slow.result()["action"] == "created"


async def test_a_list_that_lags_behind_makes_no_second_comment(here: World) -> None:
    """A replica that has not heard of the new comment is not believed."""
    await upsert(here, "one")
    here.github.faults.add(LaggingList(newest=1), "GET", LIST, times=5)
    assert (await upsert(here, "two"))["action"] == "updated"
    assert len(here.issue.comments) == 1


@pytest.mark.requirement("comment.no-duplicate")
async def test_a_creation_cut_after_it_was_applied_is_found(here: World) -> None:
    """No duplicate ever when there is a marker."""
    here.github.faults.add(CutAfterApplying(), "POST", LIST)
    assert await upsert(here, "one") == IsPartialDict(action="created")
    assert await upsert(here, "one") == IsPartialDict(action="unchanged")
    assert len(here.issue.comments) == 1


async def test_a_too_long_upsert_is_refused_or_cut_below_its_marker(here: World) -> None:
    """The marker stays at the head of what is cut, so that it is found again."""
    body = "line\n" * 20_000
    error = await here.refused("upsert_comment", issue_number=1, marker="report", body=body)
    assert error["error_code"] == "TOO_LARGE"
    assert (await upsert(here, body, on_too_long="truncate"))["truncated"] is True
    assert (await upsert(here, body, on_too_long="truncate"))["action"] == "unchanged"
    assert here.bodies()[0].startswith(LINE)


@pytest.mark.parametrize("marker", ["", "  ", "a\nb", "x" * 300])
async def test_an_unusable_marker_is_invalid_input(here: World, marker: str) -> None:
    """Named in `field_errors`, before GitHub is asked for anything."""
    error = await here.refused("upsert_comment", issue_number=1, marker=marker, body="a")
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"]["field_errors"][0]["field"] == "marker"
    assert not here.github.requests.matching()


async def test_a_marker_cannot_break_out_of_its_comment(here: World) -> None:
    """Whatever it says, it stays hidden and is found again."""
    for _ in range(2):
        await here.call("upsert_comment", issue_number=1, marker="--><b>x</b> @octocat", body="a")
    (body,) = here.bodies()
    assert body.count("-->") == 1
    assert "<b>" not in body
    assert "@" not in body
