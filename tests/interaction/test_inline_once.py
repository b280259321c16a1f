"""Inline comments exist once, whatever is called again or cut on the way."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.inline_reviewing import COMMENTS, FILES, PULL, World, world
from trunkline_shared import meta
from trunkline_shared.testing.github import (
    CutAfterApplying,
    CutBeforeReading,
    GitHubStandIn,
    LaggingList,
    MalformedJson,
    SlowFirstByte,
    TruncatedBody,
    bad_gateway,
)
from trunkline_shared.testing.github.faults import Fault

pytestmark = pytest.mark.anyio

PLACE = {"path": "src/app.py", "line": 5, "body": "Why?"}
EXCHANGES = (
    ("GET", "/user"),
    ("GET", COMMENTS),
    ("GET", PULL),
    ("GET", FILES),
    ("POST", COMMENTS),
)
FAULTS: tuple[Fault, ...] = (
    CutBeforeReading(),
    CutAfterApplying(),
    TruncatedBody(),
    MalformedJson(),
    bad_gateway(),
)


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


def count(here: World) -> int:
    """Return how many review comments there are."""
    return len(here.pull.review_comments)


@pytest.mark.requirement("inline.no-duplicate")
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
@pytest.mark.parametrize(("method", "path"), EXCHANGES)
async def test_a_cut_at_any_point_leaves_at_most_one_and_a_repeat_makes_it_exactly_one(
    here: World, method: str, path: str, fault: Fault
) -> None:
    """Every exchange of the call, broken once and for good, with and without a key."""
    for times, keys in ((1, {"dedupe_key": "once"}), (9, {"dedupe_key": "nine"}), (9, {})):
        here.pull.review_comments.clear()
        here.github.faults.add(fault, method, path, times=times)
        await here.raw("create_inline_comment", **PLACE, **keys)
        assert count(here) <= 1
        here.github.faults.clear()
        again = await here.call("create_inline_comment", **PLACE, **keys)
        assert again["comment_id"] == here.pull.review_comments[0].id
        assert count(here) == 1


@pytest.mark.requirement("inline.no-duplicate")
@pytest.mark.parametrize(("keys", "retryable"), [({"dedupe_key": "k"}, True), ({}, False)])
async def test_a_post_whose_fate_stays_unknown_says_so(
    here: World, keys: dict[str, str], *, retryable: bool
) -> None:
    """TIMEOUT with `may_have_happened`; only a key makes it safe to repeat blindly."""
    here.github.faults.add(CutBeforeReading(), "POST", COMMENTS)
    error = await here.refused("create_inline_comment", **PLACE, **keys)
    assert error["error_code"] == "TIMEOUT"
    assert error["details"]["may_have_happened"] is True
    assert error["retryable"] is retryable
    assert count(here) == 0


@pytest.mark.requirement("inline.no-duplicate")
async def test_a_post_that_outlives_the_calls_time_is_looked_for_in_what_is_left(
    here: World,
) -> None:
    """A part of the deadline is kept for finding out what a slow POST has done."""
    here.github.faults.add(SlowFirstByte(seconds=30), "POST", COMMENTS)
    answer = await here.call("create_inline_comment", **PLACE, meta={meta.DEADLINE_MS: 2_000})
    assert answer["comment_id"] == here.pull.review_comments[0].id
    assert count(here) == 1


@pytest.mark.requirement("inline.duplicates")
@pytest.mark.parametrize("keys", [{}, {"dedupe_key": "finding 7"}])
async def test_a_call_that_is_issued_again_finds_its_comment(
    here: World, keys: dict[str, str]
) -> None:
    """Models repeat calls after a slow answer: same place, same text, one comment."""
    one = await here.call("create_inline_comment", **PLACE, **keys)
    two = await here.call("create_inline_comment", **PLACE, **keys)
    assert (one["created"], two["created"]) == (True, False)
    assert one["comment_id"] == two["comment_id"]
    assert count(here) == 1


@pytest.mark.requirement("inline.duplicates")
async def test_calls_at_the_same_time_make_one_comment(here: World) -> None:
    """Within one process they wait for each other."""
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        calls = [tasks.create_task(here.call("create_inline_comment", **PLACE)) for _ in range(4)]
    assert sorted(call.result()["created"] for call in calls) == [False, False, False, True]
    assert count(here) == 1


@pytest.mark.requirement("inline.duplicates")
async def test_a_list_that_lags_does_not_make_a_second_one(here: World) -> None:
    """A replica that has not heard of the comment yet: we remember it by its id."""
    await here.call("create_inline_comment", **PLACE)
    here.github.faults.add(LaggingList(), "GET", COMMENTS, times=9)
    again = await here.call("create_inline_comment", **PLACE)
    assert (again["created"], count(here)) == (False, 1)


@pytest.mark.requirement("inline.duplicates")
@pytest.mark.parametrize(
    "other", [{"line": 6}, {"side": "LEFT"}, {"startLine": 4}, {"body": "Why not?"}]
)
async def test_another_place_or_text_is_another_comment(
    here: World, other: dict[str, object]
) -> None:
    """The marker is made of path, range, side and text."""
    await here.call("create_inline_comment", **PLACE)
    answer = await here.call("create_inline_comment", **{**PLACE, **other})
    assert (answer["created"], count(here)) == (True, 2)


@pytest.mark.requirement("inline.duplicates")
async def test_what_was_edited_deleted_or_is_not_ours_is_no_duplicate(here: World) -> None:
    """The same text is worth saying again when it does not stand there any more."""
    first = await here.call("create_inline_comment", **PLACE)
    comment = here.pull.review_comments[0]
    comment.author = here.stranger
    second = await here.call("create_inline_comment", **PLACE)
    await here.call("update_review_comment", comment_id=second["comment_id"], body="Never mind.")
    third = await here.call("create_inline_comment", **PLACE)
    await here.call("delete_review_comment", comment_id=third["comment_id"], confirm=True)
    fourth = await here.call("create_inline_comment", **PLACE)
    made = [one["comment_id"] for one in (first, second, third, fourth)]
    assert len(set(made)) == 4
    assert [one["created"] for one in (first, second, third, fourth)] == [True] * 4


@pytest.mark.requirement("inline.duplicates")
async def test_an_outdated_comment_counts_only_with_its_key(here: World) -> None:
    """Without a key the text is said again about the new lines; a key is for good."""
    for keys, created in (({}, True), ({"dedupe_key": "k"}, False)):
        await here.call("create_inline_comment", **PLACE, **keys)
        here.pull.review_comments[-1].line = None
        answer = await here.call("create_inline_comment", **PLACE, **keys)
        assert answer["created"] is created
        assert answer["outdated"] is not created


@pytest.mark.parametrize("key", ["x" * 300, " ", "a\nb"])
async def test_an_unusable_key_is_named(here: World, key: str) -> None:
    """INVALID_INPUT speaks of `dedupe_key`."""
    error = await here.refused("create_inline_comment", **PLACE, dedupe_key=key)
    assert error["details"]["field_errors"][0]["field"] == "dedupe_key"


@pytest.mark.requirement("inline.own-pending")
async def test_ones_own_pending_review_is_named_and_left_alone(here: World) -> None:
    """GitHub takes no comment beside it: CONFLICT says which one, and what to do."""
    here.pull.add_review(here.stranger, "PENDING")
    await here.call("create_inline_comment", **PLACE)
    pending = here.pull.add_review(here.me, "PENDING")
    error = await here.refused("create_inline_comment", **{**PLACE, "line": 6})
    assert error["error_code"] == "CONFLICT"
    assert error["details"] == IsPartialDict(reason="pending_review", review_id=pending.id)
    assert "discard_pending_review" in error["hint"]
    assert pending in here.pull.reviews
