"""Which fields of an issue are asked for and returned: ours, and those that a site added."""

import pytest

from tests.interaction.jira_reading import ISSUE, JiraAsking, either_flavour, reading
from trunkline_shared.testing.jira import FlavourName
from trunkline_shared.testing.jira.issues import RELATES
from trunkline_shared.testing.jira.relations import link

pytestmark = pytest.mark.anyio

SPRINT = (
    "com.atlassian.greenhopper.service.sprint.Sprint@1f0c[id=7,rapidViewId=3,state=ACTIVE,"
    "name=Sprint 7, the long one,startDate=2023-10-02T09:00:00.000Z,goal=]"
)


def asked(asking: JiraAsking) -> str:
    """Return the fields that the last request for an issue named."""
    return dict(asking.jira.requests.matching("GET", ISSUE)[-1].query)["fields"]


@either_flavour
@pytest.mark.requirement("jira.fields", "jira.bounded")
async def test_the_fields_are_named_and_never_all_of_them(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A site may have hundreds, and a description may be long."""
    async with reading(flavour, monkeypatch) as asking:
        await asking.call("get_jira_issue", issue_key="ME-1")
        assert "summary" in asked(asking).split(",")
        assert "*" not in asked(asking)
        found = await asking.call("get_jira_issue", issue_key="ME-1", fields=["status", "summary"])
        assert found == {"key": "ME-1", "summary": "Broken", "status": "To Do"}
        assert asked(asking) == "status,summary"
        only_key = await asking.call("get_jira_issue", issue_key="ME-1", fields=["url"])
        assert set(only_key) == {"key", "url"}


@either_flavour
@pytest.mark.requirement("jira.fields")
async def test_a_custom_field_goes_by_its_name(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By name in any case, or by id; the answer has what people call it."""
    async with reading(flavour, monkeypatch) as asking:
        points = asking.jira.state.add_field("Story Points", "number")
        asking.issue.custom[points.id] = 5.0
        for name in ("Story Points", "story points", points.id):
            found = await asking.call("get_jira_issue", issue_key="ME-1", fields=[name])
            assert found == {"key": "ME-1", "custom": {"Story Points": 5.0}}
        assert asking.sent("GET", "/rest/api/*/field") == 1


@either_flavour
@pytest.mark.requirement("jira.fields")
async def test_two_fields_of_one_name_are_both_there(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing in Jira forbids it, so their ids tell them apart."""
    async with reading(flavour, monkeypatch) as asking:
        one, other = (asking.jira.state.add_field("Team") for _ in range(2))
        asking.issue.custom = {one.id: "red", other.id: "blue"}
        found = await asking.call("get_jira_issue", issue_key="ME-1", fields=["Team"])
        assert found["custom"] == {f"Team ({one.id})": "red", f"Team ({other.id})": "blue"}


@either_flavour
@pytest.mark.requirement("jira.fields")
@pytest.mark.parametrize("name", ["Story Pointz", "*all", "*navigable", "a,b", "-description"])
async def test_a_name_that_is_nobodys_is_refused(
    flavour: FlavourName, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Jira would ignore it in silence; the nearest known one is named."""
    async with reading(flavour, monkeypatch) as asking:
        asking.jira.state.add_field("Story Points")
        failure = await asking.refused("get_jira_issue", issue_key="ME-1", fields=[name])
        assert failure["error_code"] == "INVALID_INPUT"
        assert failure["details"]["field_errors"][0]["field"] == "fields"
        if name.startswith("Story"):
            assert "Story Points" in failure["hint"]
        assert asking.sent("GET", ISSUE) == 0


@either_flavour
@pytest.mark.requirement("jira.fields")
async def test_a_field_of_jiras_own_is_had_by_name_too(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A due date is in nobody's default list."""
    async with reading(flavour, monkeypatch) as asking:
        asking.issue.due = "2023-12-24"
        found = await asking.call("get_jira_issue", issue_key="ME-1", fields=["Due date"])
        assert found["custom"] == {"Due date": "2023-12-24"}


@either_flavour
@pytest.mark.requirement("jira.fields")
@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (None, None),
        ("plain", "plain"),
        (3, 3),
        (True, True),
        ({"self": "x", "value": "Red", "id": "1"}, "Red"),
        ({"value": "Europe", "child": {"value": "Berlin"}}, "Europe > Berlin"),
        ([{"value": "Red"}, {"value": "Blue"}], ["Red", "Blue"]),
        ({"accountId": "1", "displayName": "Ann", "active": True}, "Ann"),
        ({"id": 7, "name": "Sprint 7", "state": "active"}, "Sprint 7"),
        ([SPRINT], ["Sprint 7, the long one"]),
        ({"progress": 1, "total": 4}, {"progress": 1, "total": 4}),
    ],
)
async def test_a_value_reads_as_a_person_reads_it(
    flavour: FlavourName, sent: object, shown: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Options, people, sprints, cascades; what has no name stays as it is."""
    async with reading(flavour, monkeypatch) as asking:
        field = asking.jira.state.add_field("Anything")
        asking.issue.custom[field.id] = sent
        found = await asking.call("get_jira_issue", issue_key="ME-1", fields=["Anything"])
        assert found["custom"] == {"Anything": shown}


@pytest.mark.requirement("jira.fields", "jira.adf")
async def test_a_document_in_a_custom_field_is_markdown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cloud keeps every long text in one."""
    async with reading("cloud", monkeypatch) as asking:
        field = asking.jira.state.add_field("Steps")
        text = {"type": "text", "text": "Push", "marks": [{"type": "strong"}]}
        content = [{"type": "paragraph", "content": [text]}]
        asking.issue.custom[field.id] = {"type": "doc", "version": 1, "content": content}
        found = await asking.call("get_jira_issue", issue_key="ME-1", fields=["Steps"])
        assert found["custom"] == {"Steps": "**Push**"}


@either_flavour
@pytest.mark.requirement("jira.fields", "jira.allowlist")
async def test_no_field_tells_of_an_issue_that_may_not_be_touched(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links by Jira's own name are shown as ours are; of a planner's parent the key is left."""
    async with reading(flavour, monkeypatch, jira_projects="ME") as asking:
        state = asking.jira.state
        secret = state.add_issue(state.add_project("SEC"), "Merger with Acme")
        link(state, asking.issue, RELATES, secret)
        field = state.add_field("Parent Link")
        told = {"key": "SEC-1", "summary": "Merger with Acme"}
        asking.issue.custom[field.id] = {"data": told, "all": [told, {"key": "ME-1"}]}
        ask = {"fields": ["Linked Issues", "issuelinks", "Parent Link"]}
        found = await asking.call("get_jira_issue", issue_key="ME-1", **ask)
        listed = await asking.call("search_jira", jql="key = ME-1", **ask)
    assert found["links"][0]["key"] == "SEC-1"
    assert found["custom"] == {
        "Parent Link": {"data": {"key": "SEC-1"}, "all": [{"key": "SEC-1"}, {"key": "ME-1"}]}
    }
    assert "Merger" not in f"{found}{listed}"


@either_flavour
async def test_new_fields_are_known_after_five_minutes(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list of a site's fields changes rarely and is long."""
    async with reading(flavour, monkeypatch) as asking:
        refused = await asking.refused("get_jira_issue", issue_key="ME-1", fields=["Team"])
        assert refused["error_code"] == "INVALID_INPUT"
        asking.jira.state.add_field("Team")
        await asking.refused("get_jira_issue", issue_key="ME-1", fields=["Team"])
        asking.clock.advance(301)
        found = await asking.call("get_jira_issue", issue_key="ME-1", fields=["Team"])
        assert found["custom"] == {"Team": None}


@either_flavour
async def test_comments_that_were_asked_for_come_with_any_fields(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Naming them twice would be a riddle."""
    async with reading(flavour, monkeypatch) as asking:
        asking.jira.state.add_comment(asking.issue, "Mine, too.", asking.stranger)
        found = await asking.call("get_jira_issue", issue_key="ME-1", fields=["status"], comments=1)
        assert set(found) == {"key", "status", "comments", "comments_total"}
