"""One issue, read from outside: everything that Jira keeps of it, of either flavour."""

from collections.abc import Mapping
from datetime import timedelta

import pytest

from tests.interaction.jira_reading import ISSUE, JiraAsking, either_flavour, reading
from trunkline_shared.testing.jira import (
    BLOCKS,
    DONE,
    EPIC,
    SUBTASK,
    FlavourName,
    Status,
    Visibility,
    attach,
    link,
    move,
)
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = pytest.mark.anyio

DOCUMENT = {
    "type": "doc",
    "version": 1,
    "content": [
        {"type": "heading", "attrs": {"level": 2}, "content": [{"type": "text", "text": "Seen"}]},
        {
            "type": "paragraph",
            "content": [{"type": "text", "text": "often", "marks": [{"type": "strong"}]}],
        },
        {
            "type": "mediaSingle",
            "content": [
                {"type": "media", "attrs": {"id": "m-1", "type": "file", "collection": ""}}
            ],
        },
    ],
}
WIKI = "h2. Seen\n\n*often*\n\n!bench.png!"


def described(asking: JiraAsking) -> None:
    """Give the issue a text of its flavour, with a picture."""
    attach(asking.jira.state, asking.issue, "bench.png", media_id="m-1")
    asking.issue.description = DOCUMENT if asking.jira.state.is_cloud else WIKI


@either_flavour
async def test_an_issue_is_read_by_its_key(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The five fields of every reader of issues, and where it is for people."""
    async with reading(flavour, monkeypatch) as asking:
        issue = await asking.call("get_jira_issue", issue_key="ME-1")
        assert (issue["key"], issue["summary"]) == ("ME-1", "Broken")
        assert issue["description"] == "It wobbles."
        assert (issue["status"], issue["status_category"]) == ("To Do", "to_do")
        assert issue["assignee"] == "Helper Bot"
        assert issue["assignee_id"] == ("acc-helper" if flavour == "cloud" else "helper")
        assert (issue["reporter"], issue["type"]) == ("Mallory Moore", "Story")
        assert (issue["priority"], issue["resolution"]) == ("Medium", None)
        assert issue["url"] == f"{asking.jira.url}/browse/ME-1"
        assert issue["created"] == "2023-11-14T22:13:20Z"
        assert issue["moved_from"] is None


@either_flavour
async def test_everything_around_an_issue_is_there(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parent, subtasks, links read from this end, labels, versions, the names of files."""
    async with reading(flavour, monkeypatch) as asking:
        state, issue = asking.jira.state, asking.issue
        epic = state.add_issue(asking.project, "Sturdy", type=EPIC)
        step = state.add_issue(asking.project, "Measure", type=SUBTASK, parent=issue, status=DONE)
        blocker = state.add_issue(asking.project, "Order screws")
        issue.parent, issue.labels, issue.fix_versions = epic, ["bench"], ["2.0"]
        link(state, blocker, BLOCKS, issue)
        attach(state, issue, "bench.png")
        found = await asking.call("get_jira_issue", issue_key="ME-1")
        assert found["parent"]["key"] == epic.key
        assert [(one["key"], one["status_category"]) for one in found["subtasks"]] == [
            (step.key, "done")
        ]
        (linked,) = found["links"]
        assert (linked["key"], linked["relation"]) == (blocker.key, "is blocked by")
        assert (linked["summary"], linked["status"]) == ("Order screws", "To Do")
        assert (found["labels"], found["fix_versions"]) == (["bench"], ["2.0"])
        assert found["attachments"] == ["bench.png"]


@either_flavour
@pytest.mark.requirement("jira.fields")
async def test_null_is_no_failure_wherever_it_stands(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unassigned, no description, a status without category, a deleted reporter, no priority."""
    async with reading(flavour, monkeypatch) as asking:
        issue = asking.issue
        issue.description = issue.assignee = issue.reporter = issue.priority = None
        issue.status = Status(id="7", name="Odd", category=None)
        asking.jira.state.add_comment(issue, None, None)
        found = await asking.call("get_jira_issue", issue_key="ME-1", comments=1)
        empty = ("description", "assignee", "assignee_id", "reporter", "priority", "parent")
        assert {found[name] for name in empty} == {None}
        assert (found["status"], found["status_category"]) == ("Odd", None)
        (comment,) = found["comments"]
        assert (comment["author"], comment["body"]) == (None, None)


@either_flavour
async def test_fields_that_jira_left_out_are_empty(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Administrators hide fields; then not even their names are sent."""
    async with reading(flavour, monkeypatch) as asking:
        asking.jira.faults.add(answer_with({"id": "1", "key": "ME-1", "fields": {}}), path=ISSUE)
        found = await asking.call("get_jira_issue", issue_key="ME-1")
        assert (found["key"], found["summary"], found["status"]) == ("ME-1", "", None)
        asking.jira.faults.add(answer_with({"key": "ME-1", "fields": dict.fromkeys(FIELDS)}))
        assert (await asking.call("get_jira_issue", issue_key="ME-1"))["labels"] == []


FIELDS = ("summary", "labels", "fixVersions", "subtasks", "issuelinks", "attachment", "status")


def answer_with(body: Mapping[str, object]) -> AnswerWith:
    return AnswerWith(status=200, body=body)


@either_flavour
async def test_half_of_an_emoji_does_not_hide_the_issue(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Importers cut titles at 255 units of UTF-16."""
    async with reading(flavour, monkeypatch) as asking:
        body = '{"key": "ME-1", "fields": {"summary": "Wobbles \\ud83d"}}'
        asking.jira.faults.add(AnswerWith(status=200, body=body), path=ISSUE)
        found = await asking.call("get_jira_issue", issue_key="ME-1")
        assert found["summary"] == "Wobbles \ufffd"


@pytest.mark.requirement("jira.adf-lossy", "jira.adf-media")
async def test_a_document_becomes_markdown_and_says_what_it_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The picture is named by its attachment, and never asked for."""
    async with reading("cloud", monkeypatch) as asking:
        described(asking)
        found = await asking.call("get_jira_issue", issue_key="ME-1")
        assert found["description"].startswith("## Seen\n\n**often**\n\n")
        assert "attachment: bench.png" in found["description"].replace("\\", "")
        assert any("media" in name for name in found["lossy"])
        assert {one.path for one in asking.jira.requests} == {
            "/rest/api/2/serverInfo",
            "/rest/api/3/issue/ME-1",
        }


@pytest.mark.requirement("jira.wiki-text")
async def test_wiki_text_becomes_markdown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of descriptions and comments; the picture is named, and never asked for."""
    async with reading("data_center", monkeypatch) as asking:
        described(asking)
        asking.jira.state.add_comment(asking.issue, "{code:java}a *b*{code}", asking.stranger)
        found = await asking.call("get_jira_issue", issue_key="ME-1", comments=1)
        assert found["description"].startswith("## Seen\n\n**often**\n\n")
        assert "bench.png" in found["description"]
        assert found["comments"][0]["body"] == "```java\na *b*\n```"
        assert asking.sent("GET", "/rest/api/2/attachment/*") == 0


async def test_a_document_can_be_had_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """For whoever reads documents better than Markdown; invisible characters are gone."""
    async with reading("cloud", monkeypatch) as asking:
        described(asking)
        for form in ("adf", "raw"):
            found = await asking.call("get_jira_issue", issue_key="ME-1", format=form)
            assert found["description"] == DOCUMENT
        hidden = {"type": "doc", "content": [{"type": "text", "text": "a\u202eb\U000e0041"}]}
        asking.issue.description = hidden
        found = await asking.call("get_jira_issue", issue_key="ME-1", format="adf")
        assert found["description"]["content"][0]["text"] == "ab"


async def test_wiki_text_can_be_had_as_it_is_and_is_no_document(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Data Center has no documents; it says so instead of making one up."""
    async with reading("data_center", monkeypatch) as asking:
        described(asking)
        found = await asking.call("get_jira_issue", issue_key="ME-1", format="raw")
        assert found["description"] == WIKI
        failure = await asking.refused("get_jira_issue", issue_key="ME-1", format="adf")
        assert failure["error_code"] == "UNSUPPORTED"
        assert "markdown" in failure["hint"]


@either_flavour
async def test_the_newest_comments_come_along_oldest_first(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read at the same time as the issue, with whom they are for."""
    async with reading(flavour, monkeypatch) as asking:
        state, now = asking.jira.state, asking.jira.state.now()
        for number in range(60):
            moment = now + timedelta(minutes=number)
            state.add_comment(asking.issue, f"No. {number}", asking.stranger, at=moment)
        developers = Visibility(type="role", value="Developers")
        moment = now + timedelta(hours=2)
        state.add_comment(asking.issue, "Secret", None, at=moment, visibility=developers)
        found = await asking.call("get_jira_issue", issue_key="ME-1", comments=3)
        assert [one["body"] for one in found["comments"]] == ["No. 58", "No. 59", "Secret"]
        assert found["comments_total"] == 61
        newest = found["comments"][-1]
        assert (newest["author"], newest["visibility"]) == (None, "role: Developers")
        assert newest["url"].startswith(f"{asking.jira.url}/browse/ME-1?focusedCommentId=")
        all_of_them = await asking.call("get_jira_issue", issue_key="ME-1", comments=50)
        assert len(all_of_them["comments"]) == 50
        refused = await asking.refused("get_jira_issue", issue_key="ME-1", comments=51)
        assert refused["error_code"] == "INVALID_INPUT"


@either_flavour
async def test_an_issue_that_moved_is_found_and_says_so(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Jira answers under the new key."""
    async with reading(flavour, monkeypatch) as asking:
        move(asking.jira.state, asking.issue, asking.jira.state.add_project("NEW"))
        found = await asking.call("get_jira_issue", issue_key="ME-1")
        assert (found["key"], found["moved_from"]) == ("NEW-1", "ME-1")
        assert found["url"].endswith("/browse/NEW-1")


@either_flavour
async def test_names_and_texts_are_free_of_what_cannot_be_seen(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever files an issue chooses its words, and their own name."""
    hidden = "a\u200bb\u202ec\U000e0041d"
    async with reading(flavour, monkeypatch) as asking:
        state, issue = asking.jira.state, asking.issue
        field = state.add_field(hidden)
        issue.summary = issue.description = asking.stranger.display_name = hidden
        issue.labels, issue.fix_versions = [hidden], [hidden]
        issue.custom[field.id] = {"value": hidden}
        attach(state, issue, hidden)
        state.add_comment(issue, hidden, asking.stranger)
        found = await asking.raw(
            "get_jira_issue", issue_key="ME-1", comments=1, fields=[*SHOWN, field.id]
        )
        assert "abcd" in str(found.structured_content)
        assert not {"\u200b", "\u202e", "\U000e0041"} & set(str(found.structured_content))


SHOWN = (
    "summary",
    "description",
    "reporter",
    "labels",
    "fix_versions",
    "attachments",
    "comments",
)
