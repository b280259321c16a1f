"""Comments of one issue, page by page."""

from datetime import timedelta

import pytest

from tests.interaction.jira_reading import JiraAsking, either_flavour, reading
from trunkline_shared.testing.jira import FlavourName, Visibility

pytestmark = pytest.mark.anyio


def talk(asking: JiraAsking, count: int) -> None:
    """Let people say `count` things, a minute apart."""
    state = asking.jira.state
    for number in range(count):
        moment = state.now() + timedelta(minutes=number)
        state.add_comment(asking.issue, f"No. {number}", asking.stranger, at=moment)


@either_flavour
@pytest.mark.parametrize("order", ["newest", "oldest"])
async def test_every_comment_is_read_once_in_order(
    flavour: FlavourName, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than any page of Jira's holds; the end is the end."""
    async with reading(flavour, monkeypatch) as asking:
        talk(asking, 257)
        found: list[str] = []
        cursor = ""
        while True:
            page = await asking.call(
                "list_jira_comments", issue_key="ME-1", order=order, limit=100, cursor=cursor
            )
            found += [one["body"] for one in page["comments"]]
            assert page["page_info"]["total_count"] == 257
            if not page["has_more"]:
                break
            cursor = page["page_info"]["next_cursor"]
        expected = [f"No. {number}" for number in range(257)]
        assert found == (expected if order == "oldest" else expected[::-1])
        assert page["page_info"]["next_cursor"] is None


@either_flavour
async def test_a_comment_says_who_when_and_for_whom(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Restricted and internal ones are marked, a deleted author is null."""
    async with reading(flavour, monkeypatch) as asking:
        state, issue = asking.jira.state, asking.issue
        group = Visibility(type="group", value="jira-users")
        state.add_comment(issue, "For us", None, visibility=group, public=False)
        (comment,) = (await asking.call("list_jira_comments", issue_key="ME-1"))["comments"]
        assert comment["created"] == "2023-11-14T22:13:20Z"
        shown = {name: comment[name] for name in ("author", "author_id", "visibility", "internal")}
        assert shown == {
            "author": None,
            "author_id": None,
            "visibility": "group: jira-users",
            "internal": True,
        }
        assert comment["url"].endswith(f"?focusedCommentId={comment['id']}")


@either_flavour
async def test_only_the_fields_asked_for_are_returned(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bodies are what costs."""
    async with reading(flavour, monkeypatch) as asking:
        talk(asking, 1)
        page = await asking.call("list_jira_comments", issue_key="ME-1", fields=["author"])
        assert page["comments"] == [{"author": "Mallory Moore"}]
        failure = await asking.refused("list_jira_comments", issue_key="ME-1", fields=["authorr"])
        assert "author" in failure["hint"]


@either_flavour
@pytest.mark.requirement("jira.cursor")
async def test_a_cursor_belongs_to_its_list(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another issue, another order, or a text that we have not written: refused unsent."""
    async with reading(flavour, monkeypatch) as asking:
        talk(asking, 3)
        asking.jira.state.add_issue(asking.project, "Other")
        page = await asking.call("list_jira_comments", issue_key="ME-1", limit=1)
        cursor = page["page_info"]["next_cursor"]
        asking.jira.requests.clear()
        for wrong in (
            {"issue_key": "ME-2", "cursor": cursor},
            {"issue_key": "ME-1", "cursor": cursor, "order": "oldest"},
            {"issue_key": "ME-1", "cursor": "MTA"},
            {"issue_key": "ME-1", "cursor": "{}"},
            {"issue_key": "ME-1", "cursor": cursor[:-2]},
        ):
            failure = await asking.refused("list_jira_comments", **wrong)
            assert failure["error_code"] == "INVALID_INPUT"
            assert failure["details"]["field_errors"][0]["field"] == "cursor"
        assert asking.sent() == 0


@either_flavour
async def test_an_issue_without_comments_is_an_empty_page(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing, and nothing more."""
    async with reading(flavour, monkeypatch) as asking:
        page = await asking.call("list_jira_comments", issue_key="me1")
        assert (page["key"], page["comments"], page["has_more"]) == ("ME-1", [], False)
        assert page["page_info"]["total_count"] == 0


@either_flavour
async def test_an_end_that_came_early_is_an_end(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Comments are deleted while they are read; an empty page leads nowhere."""
    async with reading(flavour, monkeypatch) as asking:
        talk(asking, 4)
        page = await asking.call("list_jira_comments", issue_key="ME-1", limit=3)
        del asking.issue.comments[1:]
        cursor = page["page_info"]["next_cursor"]
        page = await asking.call("list_jira_comments", issue_key="ME-1", limit=3, cursor=cursor)
        assert (page["comments"], page["has_more"]) == ([], False)
