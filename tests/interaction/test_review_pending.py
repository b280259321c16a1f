"""One's own pending review: begun, in the way, submitted, discarded; never silently."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.inline_reviewing import COMMENTS, PULL, World, world
from trunkline_shared.testing.github import (
    CutAfterApplying,
    CutBeforeReading,
    FailAfterApplying,
    GitHubStandIn,
    MalformedJson,
    Review,
    TruncatedBody,
    bad_gateway,
)

pytestmark = pytest.mark.anyio

REVIEWS = f"{PULL}/reviews"
EVENTS = f"{REVIEWS}/*/events"
ONE = f"{REVIEWS}/*"
GOOD: dict[str, object] = {"path": "src/app.py", "line": 5, "body": "Why five?"}


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


def debris(here: World) -> Review:
    """Leave a pending review behind, as a run that crashed does."""
    review = here.pull.add_review(here.me, "PENDING", body="half a thou")
    comment = here.pull.add_review_comment("Half.", here.me, path="src/app.py", line=6)
    comment.review = review
    return review


async def test_a_review_is_begun_and_submitted(here: World) -> None:
    """Its comments come out together, with the text of the end."""
    begun = await here.call("start_pending_review", comments=[GOOD], body="Draft.")
    assert begun == IsPartialDict(state="PENDING", created=True, rejected=[])
    assert begun["posted"][0]["comment_id"] == here.pull.review_comments[0].id
    done = await here.call("submit_pending_review", event="REQUEST_CHANGES", body="Please mend.")
    assert done == IsPartialDict(
        success=True, review_id=begun["review_id"], state="CHANGES_REQUESTED"
    )
    assert done["submitted_at"] is not None
    assert here.pull.reviews[0].body == "Please mend."


async def test_event_null_of_create_review_leaves_it_pending(here: World) -> None:
    """The same as start_pending_review."""
    answer = await here.call("create_review", comments=[GOOD], event=None)
    assert answer["state"] == "PENDING"


async def test_a_pending_review_may_begin_empty_and_keeps_its_text(here: World) -> None:
    """An empty text at the end leaves the one of the beginning."""
    await here.call("start_pending_review", body="Draft.")
    await here.call("submit_pending_review")
    assert [(one.state, one.body) for one in here.pull.reviews] == [("COMMENTED", "Draft.")]


async def test_a_keyed_review_that_was_discarded_is_made_anew(here: World) -> None:
    """What is remembered of a review never hides that it is gone."""
    for _ in range(2):
        begun = await here.call("start_pending_review", comments=[GOOD], dedupe_key="run 7")
        assert begun["created"] is True
        await here.call("discard_pending_review")


async def test_a_key_of_the_beginning_outlives_the_text_of_the_end(here: World) -> None:
    """The marker stays at the head, so that the review is still found by it."""
    begun = await here.call("start_pending_review", comments=[GOOD], dedupe_key="run 7")
    again = await here.call("start_pending_review", comments=[GOOD], dedupe_key="run 7")
    assert (again["created"], again["review_id"]) == (False, begun["review_id"])
    await here.call("submit_pending_review", body="Done.")
    assert here.pull.reviews[0].body == "<!-- trunkline:marker=run%207 -->\nDone."
    found = await here.call("create_review", comments=[GOOD], dedupe_key="run 7")
    assert (found["created"], found["state"]) == (False, "COMMENTED")


@pytest.mark.requirement("reviews.own-pending")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("create_review", {"comments": [GOOD]}),
        ("start_pending_review", {"comments": [GOOD]}),
        ("create_inline_comment", GOOD),
        ("reply_to_review_comment", {"body": "So."}),
    ],
)
async def test_a_pending_review_of_a_crashed_run_is_named_and_left_alone(
    here: World, tool: str, arguments: dict[str, object]
) -> None:
    """CONFLICT with its id and the two ways out; whoever writes it loses nothing."""
    head = here.pull.add_review_comment("Why?", here.stranger, path="src/app.py", line=5)
    review = debris(here)
    if tool.startswith("reply"):
        arguments = {**arguments, "comment_id": head.id}
    error = await here.refused(tool, **arguments)
    assert error["error_code"] == "CONFLICT"
    assert error["details"] == IsPartialDict(reason="pending_review", review_id=review.id)
    assert "submit_pending_review" in error["hint"]
    assert "discard_pending_review" in error["hint"]
    assert here.pull.pending_of(here.me) is review
    assert not here.github.requests.matching("DELETE")


@pytest.mark.requirement("reviews.own-pending")
async def test_a_pending_review_that_appears_before_the_post_is_named_too(here: World) -> None:
    """Somebody began one on GitHub's page between the look and the post."""
    gate = here.github.faults.hold("POST", REVIEWS)
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.refused("create_review", comments=[GOOD]))
        await gate.reached()
        review = debris(here)
        gate.release()
    assert asked.result()["error_code"] == "CONFLICT"
    assert asked.result()["details"]["review_id"] == review.id


async def test_a_pending_review_that_cannot_be_looked_up_is_still_a_conflict(here: World) -> None:
    """Which it is stays unknown; that there is one does not."""
    head = here.pull.add_review_comment("Why?", here.stranger, path="src/app.py", line=5)
    debris(here)
    here.github.faults.add(bad_gateway(), "GET", REVIEWS, times=9)
    error = await here.refused("reply_to_review_comment", comment_id=head.id, body="So.")
    assert (error["error_code"], error["details"]["reason"]) == ("CONFLICT", "pending_review")


@pytest.mark.requirement("reviews.own-pending")
async def test_a_pending_review_is_found_beyond_the_first_page(here: World) -> None:
    """All pages are read, and the reviews of others are nobody's business."""
    for _ in range(150):
        here.pull.add_review(here.stranger)
    here.pull.add_review(here.stranger, "PENDING")
    here.pull.add_review(None)
    review = debris(here)
    error = await here.refused("create_review", comments=[GOOD])
    assert error["details"]["review_id"] == review.id


@pytest.mark.requirement("reviews.own-pending")
async def test_a_strangers_pending_review_is_not_in_the_way(here: World) -> None:
    """GitHub does not even show it."""
    here.pull.add_review(here.stranger, "PENDING")
    await here.call("create_review", comments=[GOOD])


async def test_discarding_deletes_the_review_with_its_comments(here: World) -> None:
    """And doing it again is no failure."""
    review = debris(here)
    answer = await here.call("discard_pending_review")
    assert answer == IsPartialDict(discarded=True, review_id=review.id, existed=True)
    assert not here.pull.reviews
    assert not here.pull.review_comments
    assert (await here.call("discard_pending_review"))["existed"] is False


async def test_discarding_never_touches_what_was_submitted(here: World) -> None:
    """A review that was submitted between look and delete stays: CONFLICT."""
    review = debris(here)
    gate = here.github.faults.hold("DELETE", ONE)
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.refused("discard_pending_review"))
        await gate.reached()
        review.state = "COMMENTED"
        gate.release()
    assert asked.result()["error_code"] == "CONFLICT"
    assert here.pull.reviews == [review]


async def test_discarding_is_offered_only_when_deleting_is_allowed(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Write group `delete`; the other ones are in toolset `reviews`."""
    async with world(github, monkeypatch, enable_writes="approve") as here:
        names = {tool.name for tool in (await here.client.list_tools()).tools}
    assert "discard_pending_review" not in names
    assert {"start_pending_review", "submit_pending_review", "list_reviews"} <= names


async def test_the_default_tools_are_those_that_a_reviewer_needs(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest is off until it is asked for."""
    async with world(github, monkeypatch, toolsets="", enable_writes="") as here:
        names = {tool.name for tool in (await here.client.list_tools()).tools}
    assert names == {
        "create_inline_comment",
        "get_commentable_lines",
        "create_review",
        "list_review_threads",
        "reply_to_review_comment",
        "resolve_thread",
    }


@pytest.mark.parametrize(
    ("event", "body", "code"),
    [("REQUEST_CHANGES", "", "INVALID_INPUT"), ("COMMENT", "", "INVALID_INPUT")],
)
async def test_what_a_submission_lacks_is_told(
    here: World, event: str, body: str, code: str
) -> None:
    """A request for changes says which, and a comment says something."""
    here.pull.add_review(here.me, "PENDING")
    error = await here.refused("submit_pending_review", event=event, body=body)
    assert error["error_code"] == code
    assert here.pull.reviews[0].state == "PENDING"


async def test_submitting_without_a_pending_review_is_not_found(here: World) -> None:
    """Also right after it was submitted."""
    error = await here.refused("submit_pending_review", body="a")
    assert (error["error_code"], error["details"]["reason"]) == ("NOT_FOUND", "no_pending_review")


@pytest.mark.requirement("reviews.no-duplicate")
@pytest.mark.parametrize(
    "fault", [CutAfterApplying(), TruncatedBody(), MalformedJson(), FailAfterApplying()]
)
async def test_a_submission_whose_answer_was_lost_is_found(
    here: World, fault: CutAfterApplying
) -> None:
    """By the id of the review, which is submitted once."""
    review = debris(here)
    here.github.faults.add(fault, "POST", EVENTS)
    answer = await here.call("submit_pending_review", body="Done.")
    assert (answer["review_id"], answer["state"]) == (review.id, "COMMENTED")
    assert len(here.pull.reviews) == 1


@pytest.mark.requirement("reviews.no-duplicate")
async def test_a_submission_that_never_arrived_may_be_repeated(here: World) -> None:
    """TIMEOUT, retryable: the same call again submits it."""
    debris(here)
    here.github.faults.add(CutBeforeReading(), "POST", EVENTS)
    error = await here.refused("submit_pending_review", body="Done.")
    assert (error["error_code"], error["retryable"]) == ("TIMEOUT", True)
    assert error["details"]["may_have_happened"] is True
    assert (await here.call("submit_pending_review", body="Done."))["state"] == "COMMENTED"


@pytest.mark.requirement("reviews.no-duplicate")
@pytest.mark.parametrize("fault", [CutAfterApplying(), CutBeforeReading(), bad_gateway()])
async def test_a_discarding_whose_answer_was_lost_is_done_once_more(
    here: World, fault: CutAfterApplying
) -> None:
    """Deleting twice does no harm; it existed."""
    debris(here)
    here.github.faults.add(fault, "DELETE", ONE)
    assert (await here.call("discard_pending_review"))["existed"] is True
    assert not here.pull.reviews


async def test_comments_of_a_pending_review_are_not_in_the_list_of_comments(here: World) -> None:
    """They are drafts until it is submitted."""
    await here.call("start_pending_review", comments=[GOOD])
    assert (await here.call("list_review_comments"))["comments"] == []
    await here.call("submit_pending_review")
    assert len((await here.call("list_review_comments"))["comments"]) == 1
    assert here.github.requests.matching("GET", COMMENTS)
