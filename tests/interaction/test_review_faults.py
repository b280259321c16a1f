"""Reviews when connections are cut, heads move and GitHub refuses what was valid."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.interaction.inline_reviewing import CHANGED, PULL, World, world
from trunkline_shared import meta
from trunkline_shared.testing.github import (
    AnswerWith,
    ChangedFile,
    CutAfterApplying,
    CutBeforeReading,
    FailAfterApplying,
    GitHubStandIn,
    LaggingList,
    MalformedJson,
    Point,
    SlowFirstByte,
    TruncatedBody,
    bad_gateway,
)

pytestmark = pytest.mark.anyio

REVIEWS = f"{PULL}/reviews"
OF_ONE = f"{REVIEWS}/*/comments"
GOOD: dict[str, object] = {"path": "src/app.py", "line": 5, "body": "Why five?"}
LATE: dict[str, object] = {"path": "src/app.py", "line": 28, "body": "Why gone?"}
TOOLS = ("create_review", "start_pending_review")


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


@pytest.mark.requirement("reviews.no-duplicate")
@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("key", ["", "run 7"])
@pytest.mark.parametrize(
    "fault", [CutAfterApplying(), TruncatedBody(), MalformedJson(), FailAfterApplying()]
)
async def test_a_review_whose_answer_was_lost_exists_once_and_is_answered(
    here: World, tool: str, key: str, fault: CutAfterApplying
) -> None:
    """It is looked for among one's own new reviews, by commit, text and comments."""
    here.pull.add_review(here.me)
    here.github.faults.add(fault, "POST", REVIEWS)
    answer = await here.call(tool, comments=[GOOD, LATE], dedupe_key=key)
    assert answer["review_id"] == here.pull.reviews[1].id
    assert [one["comment_id"] for one in answer["posted"]] == [
        one.id for one in here.pull.review_comments
    ]
    assert len(here.pull.reviews) == 2


@pytest.mark.requirement("reviews.no-duplicate")
@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(("key", "retryable"), [("run 7", True), ("", False)])
async def test_a_review_whose_fate_stays_unknown_says_so(
    here: World, tool: str, key: str, *, retryable: bool
) -> None:
    """TIMEOUT with `may_have_happened`; only a key makes it safe to repeat."""
    here.github.faults.add(CutBeforeReading(), "POST", REVIEWS)
    error = await here.refused(tool, comments=[GOOD], dedupe_key=key)
    assert error["error_code"] == "TIMEOUT"
    assert error["details"]["may_have_happened"] is True
    assert error["retryable"] is retryable
    assert not here.pull.reviews


@pytest.mark.requirement("reviews.no-duplicate")
async def test_a_review_that_cannot_be_looked_for_is_not_repeated(here: World) -> None:
    """With a key, the next call finds it: exactly one."""
    here.github.faults.add(CutAfterApplying(), "POST", REVIEWS)
    gate = here.github.faults.hold("POST", REVIEWS, at=Point.APPLIED)
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(
            here.refused("create_review", comments=[GOOD], dedupe_key="run 7")
        )
        await gate.reached()
        here.github.faults.add(bad_gateway(), "GET", REVIEWS, times=9)
        gate.release()
    assert asked.result()["details"]["may_have_happened"] is True
    here.github.faults.clear()
    again = await here.call("create_review", comments=[GOOD], dedupe_key="run 7")
    assert (again["created"], again["review_id"]) == (False, here.pull.reviews[0].id)
    assert len(here.pull.reviews) == 1


@pytest.mark.requirement("reviews.no-duplicate")
async def test_a_success_that_cannot_be_read_is_not_sent_again(here: World) -> None:
    """Half an answer, and a list that does not show the review yet: one review, and doubt told."""
    here.github.faults.add(MalformedJson(), "POST", REVIEWS)
    gate = here.github.faults.hold("POST", REVIEWS)
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.refused("create_review", comments=[GOOD]))
        await gate.reached()
        here.github.faults.add(LaggingList(newest=1), "GET", REVIEWS)
        gate.release()
    assert asked.result()["details"]["may_have_happened"] is True
    assert asked.result()["retryable"] is False
    assert len(here.pull.reviews) == 1


@pytest.mark.requirement("reviews.no-duplicate")
async def test_a_slow_review_is_looked_for_in_what_is_left_of_the_time(here: World) -> None:
    """A part of the deadline is kept for finding out what a slow POST has done."""
    here.github.faults.add(SlowFirstByte(seconds=30), "POST", REVIEWS)
    answer = await here.call("create_review", comments=[GOOD], meta={meta.DEADLINE_MS: 4_000})
    assert answer["review_id"] == here.pull.reviews[0].id


@pytest.mark.requirement("reviews.no-duplicate")
async def test_an_empty_review_of_a_lone_comment_is_not_taken_for_the_lost_one(
    here: World,
) -> None:
    """A comment or reply makes a review without text too: its comments tell them apart."""
    gate = here.github.faults.hold("POST", REVIEWS)
    here.github.faults.add(bad_gateway(), "POST", REVIEWS)
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.refused("create_review", comments=[GOOD]))
        await gate.reached()
        await here.call("create_inline_comment", **LATE)
        gate.release()
    assert asked.result()["error_code"] == "TIMEOUT"
    (lone,) = here.pull.reviews
    assert [one.review for one in here.pull.review_comments] == [lone]


async def test_eight_agents_with_one_key_make_one_review(here: World) -> None:
    """One makes it, the others find it."""
    gate = here.github.faults.hold("GET", REVIEWS)
    async with asyncio.timeout(40), asyncio.TaskGroup() as tasks:
        asked = [
            tasks.create_task(here.call("create_review", comments=[GOOD], dedupe_key="run 7"))
            for _ in range(8)
        ]
        await gate.reached()
        gate.release()
    assert len(here.pull.reviews) == 1
    assert sum(task.result()["created"] for task in asked) == 1


async def test_a_review_is_not_lost_with_the_ids_of_its_comments(here: World) -> None:
    """It is there; which comments it became is not worth a failure."""
    here.github.faults.add(bad_gateway(), "GET", OF_ONE, times=9)
    answer = await here.call("create_review", comments=[GOOD])
    assert (answer["created"], answer["posted"][0]["comment_id"]) == (True, None)
    assert len(here.pull.reviews) == 1


@pytest.mark.requirement("reviews.head-moved")
async def test_a_force_push_before_the_post_is_checked_anew_once(here: World) -> None:
    """The good of the new diff is posted on its head, and `head_moved` says so."""
    moved = (ChangedFile(path="src/app.py", before="a\nb\n", after="a\nc\n"), *CHANGED[1:])
    answer = await pushed_before_the_post(here, [GOOD | {"line": 2}, GOOD], *moved)
    assert answer["head_moved"] is True
    assert answer["commit_id"] == here.head() == here.pull.reviews[0].commit_id
    assert [one["index"] for one in answer["posted"]] == [0]
    assert [one["index"] for one in answer["rejected"]] == [1]


@pytest.mark.requirement("reviews.head-moved")
async def test_nothing_is_posted_when_no_comment_outlives_the_push(here: World) -> None:
    """LINE_NOT_IN_DIFF of the new diff, with what would be valid now."""
    gate = here.github.faults.hold("POST", REVIEWS)
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.refused("create_review", comments=[GOOD]))
        await gate.reached()
        other = ChangedFile(path="src/app.py", before="a\n", after="b\n")
        here.repository.push(here.pull, other, forced=True)
        gate.release()
    error = asked.result()
    assert error["error_code"] == "LINE_NOT_IN_DIFF"
    assert error["details"]["rejected"][0]["valid_ranges"] == [[1, 1]]
    assert not here.pull.reviews


async def test_a_push_that_keeps_the_commit_does_not_stop_a_review(here: World) -> None:
    """The commit is still one of the pull request: the review is of it."""
    before = here.head()
    gate = here.github.faults.hold("POST", REVIEWS)
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.call("create_review", comments=[GOOD]))
        await gate.reached()
        here.repository.push(here.pull, *CHANGED)
        gate.release()
    assert asked.result()["commit_id"] == before


async def pushed_before_the_post(
    here: World, comments: list[dict[str, object]], *files: ChangedFile
) -> dict[str, Any]:
    """Review, with a force push between the check and the post."""
    gate = here.github.faults.hold("POST", REVIEWS)
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.call("create_review", comments=comments))
        await gate.reached()
        here.repository.push(here.pull, *files, forced=True)
        gate.release()
    return asked.result()


@pytest.mark.requirement("reviews.good-and-bad")
@pytest.mark.parametrize(
    "said",
    [
        "Line could not be resolved",
        "Pull request review thread line must be part of the diff",
    ],
)
async def test_a_refusal_of_what_was_valid_says_that_nobody_knows_the_entry(
    here: World, said: str
) -> None:
    """The head has not moved: LINE_NOT_IN_DIFF, nothing posted, and no second try."""
    body = {"message": "Unprocessable Entity", "errors": [said]}
    here.github.faults.add(AnswerWith(status=422, body=body), "POST", REVIEWS)
    error = await here.refused("create_review", comments=[GOOD, LATE])
    assert error["error_code"] == "LINE_NOT_IN_DIFF"
    assert "does not say which" in error["message"]
    assert "create_inline_comment" in error["hint"]
    assert len(here.github.requests.matching("POST", REVIEWS)) == 1


async def test_another_refusal_is_answered_as_it_is(here: World) -> None:
    """INVALID_INPUT with GitHub's sentence."""
    body = {"message": "Unprocessable Entity", "errors": ["Something else"]}
    here.github.faults.add(AnswerWith(status=422, body=body), "POST", REVIEWS)
    error = await here.refused("create_review", comments=[GOOD])
    assert error["error_code"] == "INVALID_INPUT"
    assert "Something else" in error["message"]
