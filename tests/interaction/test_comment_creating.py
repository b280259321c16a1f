"""Creating comments once, whatever happens on the way."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.commenting import LIST, World, world
from trunkline_shared import meta
from trunkline_shared.testing.github import (
    CutAfterApplying,
    CutBeforeReading,
    FailAfterApplying,
    GitHubStandIn,
    LaggingList,
    Point,
    SlowFirstByte,
    bad_gateway,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


async def test_create_comment_posts_and_links(here: World) -> None:
    """A plain comment on an issue, and on a pull request."""
    answer = await here.call("create_comment", issue_number=1, body="hello")
    assert answer == IsPartialDict(created=True, comment_id=here.issue.comments[0].id)
    await here.call("create_comment", issue_number=2, body="hello")
    assert here.bodies() == ["hello"]
    assert [c.body for c in here.pull.comments] == ["hello"]


async def test_a_marker_makes_creation_repeatable(here: World) -> None:
    """The second call answers with the first one's comment."""
    one = await here.call("create_comment", issue_number=1, body="a", marker="run 7")
    two = await here.call("create_comment", issue_number=1, body="b", marker="run 7")
    assert (one["created"], two["created"]) == (True, False)
    assert one["comment_id"] == two["comment_id"]
    assert here.bodies() == ["<!-- trunkline:marker=run%207 -->\na"]


@pytest.mark.requirement("comment.too-long")
async def test_a_long_body_is_split_into_marked_parts_that_are_posted_once(here: World) -> None:
    """Each part bears its own marker, so that a retry posts only what is missing."""
    body = "a line of text\n" * 9_000
    one = await here.call(
        "create_comment", issue_number=1, body=body, marker="long", on_too_long="split"
    )
    assert [part["created"] for part in one["parts"]] == [True, True, True]
    here.issue.comments.pop()
    two = await here.call(
        "create_comment", issue_number=1, body=body, marker="long", on_too_long="split"
    )
    assert [part["created"] for part in two["parts"]] == [False, False, True]
    assert here.bodies()[2].startswith("<!-- trunkline:marker=long part=3/3 -->\n")


async def test_a_split_that_fails_midway_says_what_was_posted(here: World) -> None:
    """The agent learns which comments exist."""
    body = "a line of text\n" * 9_000
    gate = here.github.faults.hold("POST", LIST, at=Point.APPLIED)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(
            here.refused("create_comment", issue_number=1, body=body, on_too_long="split")
        )
        await gate.reached()
        here.repository.archived = True
        gate.release()
    error = asked.result()
    assert error["error_code"] == "PERMISSION_DENIED"
    assert error["details"]["posted"] == [here.issue.comments[0].id]


@pytest.mark.requirement("comment.no-duplicate")
async def test_a_post_that_was_cut_after_it_was_applied_is_found_by_its_marker(
    here: World,
) -> None:
    """The timeout after POST: the comment exists, and no second one is made."""
    here.github.faults.add(CutAfterApplying(), "POST", LIST)
    answer = await here.call("create_comment", issue_number=1, body="once", marker="m")
    assert answer["comment_id"] == here.issue.comments[0].id
    assert len(here.issue.comments) == 1


@pytest.mark.requirement("comment.no-duplicate")
async def test_a_post_that_outlives_the_calls_time_is_looked_for_in_what_is_left(
    here: World,
) -> None:
    """A part of the deadline is kept for finding out what a slow POST has done."""
    here.github.faults.add(SlowFirstByte(seconds=30), "POST", LIST)
    answer = await here.call(
        "create_comment", issue_number=1, body="once", marker="m", meta={meta.DEADLINE_MS: 1_000}
    )
    assert answer["comment_id"] == here.issue.comments[0].id


async def test_a_post_without_marker_that_was_cut_is_found_by_its_text(here: World) -> None:
    """An identical comment of our own, newer than the request, is the one."""
    here.issue.add_comment("once", here.stranger)
    here.github.faults.add(CutAfterApplying(), "POST", LIST)
    answer = await here.call("create_comment", issue_number=1, body="once")
    assert answer["comment_id"] == here.issue.comments[1].id
    assert len(here.issue.comments) == 2


@pytest.mark.parametrize(("marker", "retryable"), [("m", True), ("", False)])
async def test_a_post_whose_fate_stays_unknown_says_so(
    here: World, marker: str, *, retryable: bool
) -> None:
    """TIMEOUT with `may_have_happened`; only a marker makes it safe to repeat."""
    here.github.faults.add(CutBeforeReading(), "POST", LIST)
    error = await here.refused("create_comment", issue_number=1, body="once", marker=marker)
    assert error["error_code"] == "TIMEOUT"
    assert error["details"]["may_have_happened"] is True
    assert error["retryable"] is retryable
    assert not here.issue.comments


@pytest.mark.requirement("comment.no-duplicate")
async def test_a_post_that_github_failed_on_is_left_to_the_caller_to_repeat(here: World) -> None:
    """What is not there after a 502 may still come: it is looked for, and not sent again."""
    here.github.faults.add(bad_gateway(502), "POST", LIST)
    error = await here.refused("create_comment", issue_number=1, body="once", marker="m")
    assert (error["error_code"], error["retryable"]) == ("TIMEOUT", True)
    assert error["details"]["may_have_happened"] is True
    requests = [(r.method, r.path.rpartition("/")[2]) for r in here.github.requests]
    assert requests[-2:] == [("POST", "comments"), ("GET", "comments")]
    await here.call("create_comment", issue_number=1, body="once", marker="m")
    assert len(here.issue.comments) == 1


@pytest.mark.requirement("comment.mentions")
async def test_mentions_can_be_kept_from_paging_people(here: World) -> None:
    """Creation notifies whom it names; `escape_mentions` names them quietly."""
    await here.call("create_comment", issue_number=1, body="cc @octocat", escape_mentions=True)
    assert here.bodies() == ["cc @&#8203;octocat"]


@pytest.mark.parametrize("text", ['{"a": 1}', '["x"]', "null", "12", "true"])
async def test_text_that_looks_like_json_is_posted_as_text(here: World, text: str) -> None:
    """A body or marker is never parsed, whatever it looks like."""
    await here.call("upsert_comment", issue_number=1, marker=text, body=text)
    await here.call("create_comment", issue_number="1", body=text)
    assert here.bodies()[0].endswith(f"-->\n{text}")
    assert here.bodies()[1] == text


@pytest.mark.requirement("comment.no-duplicate")
@pytest.mark.parametrize(("marker", "retryable"), [("m", True), ("", False)])
async def test_a_post_that_github_failed_on_after_all_is_made_once(
    here: World, marker: str, *, retryable: bool
) -> None:
    """Behind the 502 it was posted, and the list lags: it is not sent again, and found later."""
    here.github.faults.add(FailAfterApplying(), "POST", LIST)
    lag_until = 2 if marker else 1
    here.github.faults.add(LaggingList(newest=1), "GET", LIST, times=lag_until)
    error = await here.refused("create_comment", issue_number=1, body="once", marker=marker)
    assert (error["error_code"], error["retryable"]) == ("TIMEOUT", retryable)
    assert len(here.issue.comments) == 1
    if marker:
        again = await here.call("create_comment", issue_number=1, body="once", marker=marker)
        assert (again["created"], len(here.issue.comments)) == (False, 1)


@pytest.mark.requirement("comment.no-duplicate")
async def test_a_doubtful_post_that_cannot_be_looked_for_is_not_repeated(here: World) -> None:
    """GitHub fails for the look-up as well: the doubt is told, and one comment exists."""
    here.github.faults.add(CutAfterApplying(), "POST", LIST)
    here.github.faults.add(bad_gateway(), "GET", LIST, times=9)
    error = await here.refused("create_comment", issue_number=1, body="once")
    assert error["error_code"] == "TIMEOUT"
    assert error["details"]["may_have_happened"] is True
    assert len(here.issue.comments) == 1
