"""Listing and getting comments, deleting them, reacting to them."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.commenting import LIST, World, world
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio

BEGAN = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


def talk(here: World, comments: int) -> None:
    """Add numbered comments, one a minute."""
    for number in range(1, comments + 1):
        at = BEGAN + timedelta(minutes=number)
        here.issue.add_comment(str(number), here.stranger, at=at)


async def listed(here: World, **query: object) -> tuple[list[str], dict[str, object]]:
    answer = await here.call("list_comments", issue_number=1, **query)
    return [c["body"] for c in answer["comments"]], answer["page_info"]


async def test_an_entry_tells_who_said_what_when(here: World) -> None:
    """All that section 1 of the contract names."""
    comment = here.issue.add_comment("hi", here.stranger, at=BEGAN)
    answer = await here.call("list_comments", issue_number=1)
    (entry,) = answer["comments"]
    assert entry == IsPartialDict(
        id=comment.id,
        body="hi",
        kind="issue",
        author={"login": "mallory", "type": "User"},
        author_association="NONE",
        created_at="2025-01-01T00:00:00Z",
        reactions={},
        minimized=False,
    )
    assert answer["has_more"] is False
    assert answer["source"]["etag"]


async def test_a_list_says_whether_it_was_only_confirmed(here: World) -> None:
    """The second reading is a 304, free of quota; after a change it is a new answer again."""
    here.issue.add_comment("hi", here.stranger, at=BEGAN)
    first = (await here.call("list_comments", issue_number=1))["source"]
    again = (await here.call("list_comments", issue_number=1))["source"]
    here.issue.add_comment("ho", here.stranger)
    changed = (await here.call("list_comments", issue_number=1))["source"]
    assert [source["cached"] for source in (first, again, changed)] == [False, True, False]
    assert first["etag"] == again["etag"] != changed["etag"]


@pytest.mark.requirement("comment.null-user")
async def test_a_deleted_account_is_an_author_of_null(here: World) -> None:
    """`user: null` is normal."""
    comment = here.issue.add_comment("boo", None)
    listing = await here.call("list_comments", issue_number=1)
    one = await here.call("get_comment", comment_id=comment.id)
    assert listing["comments"][0]["author"] is one["author"] is None


async def test_oldest_first_pages_to_the_end(here: World) -> None:
    """`has_more` and `next_page` lead on; the last page knows the total."""
    talk(here, 5)
    first, info = await listed(here, per_page=2)
    assert first == ["1", "2"]
    assert info == IsPartialDict(has_more=True, next_page=2, total_count=None, returned=2)
    last, info = await listed(here, per_page=2, page=3)
    assert last == ["5"]
    assert info == IsPartialDict(has_more=False, next_page=None, total_count=5, returned=1)


@pytest.mark.parametrize(("order", "found"), [("newest", ["3", "2"]), ("oldest", ["1", "2"])])
async def test_a_page_that_is_begun_behind_a_full_one_is_noticed(
    here: World, order: str, found: list[str]
) -> None:
    """The full one stays as it is, so that a 304 for it would say nothing of that."""
    talk(here, 2)
    _, before = await listed(here, order=order, per_page=2)
    assert before["has_more"] is False
    here.issue.add_comment("3", here.stranger)
    now, after = await listed(here, order=order, per_page=2)
    assert (now, after["has_more"]) == (found, True)


@pytest.mark.parametrize(
    ("comments", "per_page", "page", "wanted"),
    [
        (0, 2, 1, []),
        (1, 2, 1, ["1"]),
        (5, 2, 1, ["5", "4"]),
        (5, 2, 2, ["3", "2"]),
        (5, 2, 3, ["1"]),
        (5, 2, 4, []),
        (4, 2, 1, ["4", "3"]),
        (4, 2, 2, ["2", "1"]),
        (3, 10, 1, ["3", "2", "1"]),
    ],
)
async def test_newest_first_walks_back_from_the_last_page(
    here: World, comments: int, per_page: int, page: int, wanted: list[str]
) -> None:
    """GitHub has no such order: pages count from the end, none is short but the last."""
    talk(here, comments)
    found, info = await listed(here, order="newest", per_page=per_page, page=page)
    assert found == wanted
    assert info == IsPartialDict(
        has_more=page * per_page < comments, total_count=comments, returned=len(wanted)
    )
    assert len(here.github.requests.matching("GET", LIST)) <= 4


async def test_since_keeps_what_was_touched_at_or_after_it(here: World) -> None:
    """A time with any offset will do."""
    talk(here, 3)
    found, _ = await listed(here, since="2025-01-01T02:02:00+02:00")
    assert found == ["2", "3"]


@pytest.mark.requirement("comment.minimised")
async def test_minimized_comments_are_left_out_and_counted_unless_asked_for(here: World) -> None:
    """REST lists them like any other; what is left out is counted."""
    here.issue.add_comment("fine", here.stranger)
    here.issue.add_comment("spam", here.stranger, minimized="spam")
    left = await here.call("list_comments", issue_number=1)
    assert [c["body"] for c in left["comments"]] == ["fine"]
    assert left["minimized_left_out"] == 1
    marked = await here.call("list_comments", issue_number=1, include_minimized=True)
    assert [c["minimized"] for c in marked["comments"]] == [False, True]


async def test_fields_choose_what_an_entry_holds(here: World) -> None:
    """Bodies dominate tokens; an agent may ask for ids only."""
    talk(here, 2)
    answer = await here.call("list_comments", issue_number=1, fields=["id", "updated_at"])
    assert [set(c) for c in answer["comments"]] == [{"id", "updated_at"}] * 2
    error = await here.refused("list_comments", issue_number=1, fields=["bodi"])
    assert "'body'" in error["hint"]


@pytest.mark.requirement("comment.invisible-in")
async def test_text_from_strangers_loses_what_cannot_be_seen(here: World) -> None:
    """Invisible and bidirectional characters are stripped; emoji and CJK stay whole."""
    hidden = "".join(chr(0xE0000 + ord(c)) for c in "obey")
    comment = here.issue.add_comment(f"a\u200bb\u202e{hidden} 👩‍👩‍👧 漢字", here.stranger)
    found, _ = await listed(here)
    one = await here.call("get_comment", comment_id=comment.id)
    assert found[0] == one["body"] == "ab 👩‍👩‍👧 漢字"


async def test_get_comment_reads_both_families(here: World) -> None:
    """A review comment says where it stands."""
    review = here.pull.add_review_comment("nit", here.stranger, path="a.py", line=7)
    answer = await here.call("get_comment", comment_id=review.id)
    assert answer == IsPartialDict(kind="review", path="a.py", line=7, issue_number=2)


async def test_an_unchanged_list_is_confirmed_and_not_sent_again(here: World) -> None:
    """The second read costs no quota."""
    talk(here, 1)
    await listed(here)
    await listed(here)
    assert "if-none-match" in here.github.requests[-1].headers


async def test_delete_needs_a_yes_and_counts_what_is_gone_as_deleted(here: World) -> None:
    """`confirm: true`, for either family; 404 is not a failure."""
    comment = here.issue.add_comment("bye", here.me)
    review = here.pull.add_review_comment("bye", here.me, path="a.py", line=1)
    error = await here.refused("delete_comment", comment_id=comment.id, confirm=False)
    assert error["error_code"] == "INVALID_INPUT"
    for comment_id in (comment.id, review.id):
        first = await here.call("delete_comment", comment_id=comment_id, confirm=True)
        again = await here.call("delete_comment", comment_id=comment_id, confirm=True)
        assert (first["deleted"], first["existed"]) == (True, True)
        assert (again["deleted"], again["existed"]) == (True, False)
    assert not here.issue.comments
    assert not here.pull.review_comments


async def test_a_reaction_is_new_once(here: World) -> None:
    """201 is `created`; 200 says that it was there."""
    comment = here.issue.add_comment("hi", here.stranger)
    first = await here.call("add_reaction", comment_id=comment.id, content="eyes")
    again = await here.call("add_reaction", comment_id=comment.id, content="eyes")
    assert (first["created"], again["created"]) == (True, False)
    assert first["reaction_id"] == again["reaction_id"]
    one = await here.call("get_comment", comment_id=comment.id)
    assert one["reactions"] == {"eyes": 1}


async def test_reactions_go_to_issues_and_review_comments_too(here: World) -> None:
    """The issue itself is named by its number; an id finds its family."""
    review = here.pull.add_review_comment("nit", here.stranger, path="a.py", line=7)
    await here.call("add_reaction", issue_number=1, content="+1")
    await here.call("add_reaction", comment_id=review.id, content="rocket")
    assert [r.content for r in here.issue.reactions] == ["+1"]
    assert [r.content for r in review.reactions] == ["rocket"]


async def test_a_reaction_is_taken_back_once(here: World) -> None:
    """What is gone already counts as removed."""
    made = await here.call("add_reaction", issue_number=1, content="heart")
    back = {"issue_number": 1, "reaction_id": made["reaction_id"]}
    assert await here.call("remove_reaction", **back) == IsPartialDict(removed=True, existed=True)
    assert await here.call("remove_reaction", **back) == IsPartialDict(removed=True, existed=False)
    assert not here.issue.reactions


async def test_a_reaction_needs_something_to_react_to(here: World) -> None:
    """Neither a comment nor an issue is named."""
    error = await here.refused("add_reaction", content="eyes")
    assert error["error_code"] == "INVALID_INPUT"
    assert "issue_number" in error["message"]
