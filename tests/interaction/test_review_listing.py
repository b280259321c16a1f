"""Listing the reviews of a pull request."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.inline_reviewing import PULL, World, world
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio

AT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


async def test_list_reviews_tells_all_that_is_known_of_each(here: World) -> None:
    """State, author, text, time and commit."""
    review = here.pull.add_review(here.stranger, "APPROVED", body="Good.", at=AT)
    answer = await here.call("list_reviews")
    assert answer["reviews"] == [
        {
            "id": review.id,
            "state": "APPROVED",
            "author": {"login": "mallory", "type": "User"},
            "author_association": "NONE",
            "body": "Good.",
            "submitted_at": "2024-05-06T07:08:09Z",
            "commit_id": here.head(),
            "html_url": f"https://github.com/acme/widgets/pull/2#pullrequestreview-{review.id}",
        }
    ]
    assert answer["page_info"] == IsPartialDict(has_more=False, returned=1, total_count=1)
    assert answer["has_more"] is False
    assert answer["source"]["fetched_at"]


@pytest.mark.requirement("reviews.listing")
async def test_every_state_is_told_and_of_pending_ones_only_ones_own(here: World) -> None:
    """A stranger's draft is theirs alone."""
    here.pull.add_review(here.stranger, "PENDING")
    here.pull.add_review(here.stranger, "DISMISSED")
    here.pull.add_review(here.stranger, "CHANGES_REQUESTED")
    mine = here.pull.add_review(here.me, "PENDING")
    found = (await here.call("list_reviews"))["reviews"]
    assert [one["state"] for one in found] == ["DISMISSED", "CHANGES_REQUESTED", "PENDING"]
    assert found[-1] == IsPartialDict(id=mine.id, submitted_at=None)


@pytest.mark.requirement("reviews.listing")
async def test_the_review_of_a_deleted_account_has_no_author(here: World) -> None:
    """`user` is null."""
    here.pull.add_review(None, body="Boo.")
    assert (await here.call("list_reviews"))["reviews"][0]["author"] is None


@pytest.mark.requirement("reviews.listing")
async def test_pages_lead_on_to_the_end(here: World) -> None:
    """Oldest first; a page that is full is not the end, one beyond the end is empty."""
    made = [here.pull.add_review(here.stranger).id for _ in range(5)]
    pages = [
        await here.call("list_reviews", page=page, per_page=2, fields=["id"]) for page in (1, 2, 3)
    ]
    assert [one["id"] for page in pages for one in page["reviews"]] == made
    assert [page["page_info"]["next_page"] for page in pages] == [2, 3, None]
    assert [page["page_info"]["total_count"] for page in pages] == [None, None, 5]
    beyond = await here.call("list_reviews", page=9)
    assert (beyond["reviews"], beyond["has_more"]) == ([], False)


async def test_only_the_fields_that_are_asked_for_are_told(here: World) -> None:
    """An unknown one is refused with the nearest, before GitHub is asked."""
    here.pull.add_review(here.stranger)
    answer = await here.call("list_reviews", fields=["state"])
    assert answer["reviews"] == [{"state": "COMMENTED"}]
    before = len(here.github.requests.matching("GET", f"{PULL}/reviews"))
    error = await here.refused("list_reviews", fields=["sate"])
    assert (error["error_code"], error["hint"]) == ("INVALID_INPUT", "Did you mean 'state'?")
    assert len(here.github.requests.matching("GET", f"{PULL}/reviews")) == before


async def test_invisible_text_and_our_marker_do_not_reach_a_model(here: World) -> None:
    """Stripped, as in every text of strangers."""
    here.pull.add_review(here.stranger, body="fine\u200b\u202e\U000e0041")
    await here.call("create_review", body="Done.", dedupe_key="run 7")
    bodies = [one["body"] for one in (await here.call("list_reviews"))["reviews"]]
    assert bodies == ["fine", "Done."]


async def test_a_list_that_did_not_change_is_only_confirmed(here: World) -> None:
    """A repeated read is conditional and costs no quota."""
    here.pull.add_review(here.stranger)
    first = await here.call("list_reviews")
    again = await here.call("list_reviews")
    assert (first["source"]["cached"], again["source"]["cached"]) == (False, True)


async def test_reviews_of_what_is_no_pull_request_are_not_found(here: World) -> None:
    """An issue has none."""
    assert (await here.refused("list_reviews", pr_number=1))["error_code"] == "NOT_FOUND"
