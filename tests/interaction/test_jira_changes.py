"""Adding comments and making transitions: behind their group, once, and editing nothing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from pydantic import JsonValue

from tests.interaction.jira_reading import JiraAsking, either_flavour, reading
from trunkline_shared.testing.jira import FlavourName
from trunkline_shared.testing.jira.issues import ScreenField
from trunkline_shared.testing.jira.relations import move
from trunkline_shared.testing.stand_in.faults import (
    AnswerWith,
    CutAfterApplying,
    CutBeforeReading,
    FailAfterApplying,
)

pytestmark = pytest.mark.anyio

COMMENTS = "/rest/api/*/comment"
TRANSITIONS = "/rest/api/*/transitions"


@asynccontextmanager
async def changing(
    flavour: FlavourName, environment: pytest.MonkeyPatch, *, jira_projects: str = ""
) -> AsyncIterator[JiraAsking]:
    """Serve the jira server with its write group on."""
    settings = {"enable_writes": "jira", "jira_projects": jira_projects}
    async with reading(flavour, environment, mount="", **settings) as world:
        yield world


def statuses(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["name"], one["to"]) for one in answer["transitions"]]


@pytest.mark.requirement("jira.append-only")
async def test_without_its_group_no_write_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """And with it they add only: no tool edits or deletes."""
    async with reading("cloud", monkeypatch) as world:
        tools = (await world.client.list_tools()).tools
        assert all(one.annotations and one.annotations.read_only_hint for one in tools)
    async with changing("cloud", monkeypatch) as world:
        tools = (await world.client.list_tools()).tools
        writes = {
            one.name for one in tools if one.annotations and not one.annotations.read_only_hint
        }
        assert writes == {"add_jira_comment", "transition_jira_issue"}


@pytest.mark.requirement("jira.append-only")
@either_flavour
async def test_a_comment_is_added_in_the_form_of_the_flavour(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Markdown in, a document or wiki text at Jira, the same Markdown when it is read again."""
    async with changing(flavour, monkeypatch) as world:
        body = "Fixed in **2.0**:\n\n- torque\n- screws"
        added = await world.call("add_jira_comment", issue_key="me-1", body=body)
        assert added["key"] == "ME-1"
        assert added["url"] == f"{world.jira.url}/browse/ME-1?focusedCommentId={added['id']}"
        kept = world.issue.comments[-1].body
        assert isinstance(kept, dict if flavour == "cloud" else str)
        listed = await world.call("list_jira_comments", issue_key="ME-1")
        assert listed["comments"][0]["body"] == body
        assert world.sent("PUT") == world.sent("DELETE") == 0


@pytest.mark.requirement("jira.append-only")
@either_flavour
@pytest.mark.parametrize("fault", [CutAfterApplying(), FailAfterApplying()])
async def test_a_comment_whose_answer_was_lost_is_found_and_not_added_twice(
    flavour: FlavourName,
    fault: CutAfterApplying | FailAfterApplying,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sent once; what it made is looked for."""
    async with changing(flavour, monkeypatch) as world:
        world.jira.state.add_comment(world.issue, "Same words", world.stranger)
        world.jira.faults.add(fault, "POST", COMMENTS)
        added = await world.call("add_jira_comment", issue_key="ME-1", body="Same words")
        assert len(world.issue.comments) == 2
        assert added["id"] == world.issue.comments[-1].id
        assert world.sent("POST", COMMENTS) == 1


@pytest.mark.requirement("jira.append-only")
async def test_a_comment_that_may_have_been_added_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not sent again: what is not there yet may still come."""
    async with changing("cloud", monkeypatch) as world:
        gateway = AnswerWith(status=502, body="<html>Bad gateway</html>")
        world.jira.faults.add(gateway, "POST", COMMENTS)
        failure = await world.refused("add_jira_comment", issue_key="ME-1", body="Hello")
        assert failure["error_code"] == "TIMEOUT"
        assert failure["details"]["may_have_happened"] is True
        assert failure["retryable"] is False
        assert "list_jira_comments" in failure["hint"]
        assert world.sent("POST", COMMENTS) == 1


async def test_a_comment_that_never_left_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rate limit refuses before anything is applied."""
    async with changing("cloud", monkeypatch) as world:
        limited = AnswerWith(status=429, body={}, headers={"Retry-After": "2"})
        world.jira.faults.add(limited, "POST", COMMENTS)
        await world.call("add_jira_comment", issue_key="ME-1", body="Hello")
        assert len(world.issue.comments) == 1
        assert world.sent("POST", COMMENTS) == 2


@either_flavour
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("   \n", "INVALID_INPUT"),
        ("x" * 33_000, "TOO_LARGE"),
        ("The key is ghp_" + "a1B2" * 9, "BLOCKED_BY_POLICY"),
    ],
)
async def test_a_comment_that_cannot_be_posted_is_refused_before_it_is_sent(
    flavour: FlavourName, body: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blank, too long, with a secret in it."""
    async with changing(flavour, monkeypatch) as world:
        failure = await world.refused("add_jira_comment", issue_key="ME-1", body=body)
        assert failure["error_code"] == code
        assert world.sent("POST") == 0


@either_flavour
async def test_what_can_be_done_is_told_with_its_fields(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names, the statuses they lead to, and what their screens take."""
    async with reading(flavour, monkeypatch) as world:
        first = await world.call("get_jira_transitions", issue_key="ME-1")
        assert statuses(first) == [("Start work", "In Progress")]
        world.issue.status = world.jira.state.transitions[1].to
        then = await world.call("get_jira_transitions", issue_key="ME-1")
        assert statuses(then) == [("Back to To Do", "To Do"), ("Finish", "Done")]
        assert then["transitions"][1] == {
            "id": "31",
            "name": "Finish",
            "to": "Done",
            "to_category": "done",
            "fields": [
                {
                    "id": "resolution",
                    "name": "Resolution",
                    "required": False,
                    "type": "resolution",
                    "allowed": ["Done", "Won't Do"],
                }
            ],
        }


@either_flavour
@pytest.mark.parametrize("wanted", ["21", "start work", "IN PROGRESS"])
async def test_a_transition_goes_by_id_name_or_status(
    flavour: FlavourName, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the agent knows; the answer is the new status."""
    async with changing(flavour, monkeypatch) as world:
        answer = await world.call(
            "transition_jira_issue", issue_key="ME-1", transition=wanted, comment="On *it*."
        )
        assert (answer["status"], answer["changed"]) == ("In Progress", True)
        assert answer["comment_added"] is True
        assert world.issue.status.name == "In Progress"
        assert len(world.issue.comments) == 1


@pytest.mark.requirement("jira.append-only")
@either_flavour
@pytest.mark.parametrize("wanted", ["Start work", "Finish"])
async def test_a_comment_comes_along_once_whether_or_not_jira_takes_it_with_the_transition(
    flavour: FlavourName, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Jira drops it without a word where the transition has no screen."""
    async with changing(flavour, monkeypatch) as world:
        if wanted == "Finish":
            world.issue.status = world.jira.state.transitions[1].to
        ask = {"issue_key": "ME-1", "transition": wanted, "comment": "On *it*."}
        answer = await world.call("transition_jira_issue", **ask)
        assert (answer["comment_added"], answer["comment_problem"]) == (True, None)
        assert len(world.issue.comments) == 1
        assert world.sent("POST", COMMENTS) == (1 if wanted == "Start work" else 0)


async def test_a_transition_whose_comment_failed_is_told_as_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With what is wrong with the comment; to send all of it again would not help."""
    async with changing("cloud", monkeypatch) as world:
        denied = AnswerWith(status=403, body={"errorMessages": ["No."]})
        world.jira.faults.add(denied, "POST", COMMENTS)
        answer = await world.call(
            "transition_jira_issue", issue_key="ME-1", transition="21", comment="Hello"
        )
        assert (answer["status"], answer["changed"]) == ("In Progress", True)
        assert answer["comment_added"] is False
        assert "its comment is not there: Jira answered 403" in answer["comment_problem"]


async def test_an_issue_that_is_there_already_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that a repeated call does no harm."""
    async with changing("cloud", monkeypatch) as world:
        answer = await world.call(
            "transition_jira_issue", issue_key="ME-1", transition="to do", comment="Done?"
        )
        assert (answer["status"], answer["changed"]) == ("To Do", False)
        assert answer["comment_added"] is False
        assert world.sent("POST", TRANSITIONS) == 0


async def test_a_transition_that_is_not_there_names_those_that_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With their ids, so that one retry succeeds."""
    async with changing("cloud", monkeypatch) as world:
        failure = await world.refused(
            "transition_jira_issue", issue_key="ME-1", transition="Finish"
        )
        assert failure["error_code"] == "CONFLICT"
        assert "21 (Start work to In Progress)" in failure["hint"]


async def test_a_screens_fields_are_checked_before_it_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A required one that lacks, and one that is not on the screen; names stand for ids."""
    async with changing("cloud", monkeypatch) as world:
        state = world.jira.state
        start, finish = state.transitions[1], state.transitions[2]
        world.issue.status = start.to
        needed = ScreenField(id="customfield_1", name="Root cause", required=True)
        state.transitions[2] = replace(finish, fields=(*finish.fields, needed))
        ask = {"issue_key": "ME-1", "transition": "Finish"}
        lacking = await world.refused("transition_jira_issue", **ask)
        assert lacking["details"]["field_errors"][0]["field"] == "fields.Root cause"
        unknown = await world.refused("transition_jira_issue", **ask, fields={"Colour": "red"})
        assert "Its fields: Resolution, Root cause" in unknown["hint"]
        assert world.sent("POST", TRANSITIONS) == 0
        values = {"root cause": "Screws", "Resolution": {"name": "Done"}}
        done = await world.call("transition_jira_issue", **ask, fields=values)
        assert done["status_category"] == "done"
        assert world.issue.resolution == "Done"


@either_flavour
@pytest.mark.parametrize("given", ["won't do", "10001", {"name": "Won't Do"}, {"id": "10001"}])
async def test_a_choice_of_a_screen_is_taken_by_its_name(
    flavour: FlavourName, given: JsonValue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As get_jira_transitions tells it; Jira itself takes an object only."""
    async with changing(flavour, monkeypatch) as world:
        world.issue.status = world.jira.state.transitions[1].to
        ask = {"issue_key": "ME-1", "transition": "Finish"}
        await world.call("transition_jira_issue", **ask, fields={"Resolution": given})
        assert world.issue.resolution == "Won't Do"


@either_flavour
async def test_a_transition_whose_answer_was_lost_is_looked_for(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made once, and told as made."""
    async with changing(flavour, monkeypatch) as world:
        world.jira.faults.add(CutAfterApplying(), "POST", TRANSITIONS)
        answer = await world.call("transition_jira_issue", issue_key="ME-1", transition="21")
        assert answer["changed"] is True
        assert world.sent("POST", TRANSITIONS) == 1


async def test_a_transition_that_was_cut_and_is_not_seen_may_have_happened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The agent looks before it repeats it."""
    async with changing("cloud", monkeypatch) as world:
        world.jira.faults.add(CutBeforeReading(), "POST", TRANSITIONS)
        failure = await world.refused("transition_jira_issue", issue_key="ME-1", transition="21")
        assert failure["error_code"] == "TIMEOUT"
        assert failure["details"]["may_have_happened"] is True
        assert "get_jira_issue" in failure["hint"]


async def test_a_context_of_one_issue_writes_to_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checked by the server itself, before anything is sent."""
    async with changing("cloud", monkeypatch) as world:
        world.jira.state.add_issue(world.project, "Another")
        bound = {"dev.trunkline/bind": {"issue_key": "ME-1"}}
        failure = await world.refused(
            "add_jira_comment", meta=bound, issue_key="ME-2", body="Hello"
        )
        assert failure["error_code"] == "BLOCKED_BY_POLICY"
        assert world.sent("POST") == 0


async def test_a_project_that_is_not_allowed_is_not_written_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever the account may do."""
    async with changing("cloud", monkeypatch, jira_projects="OPS") as world:
        for tool, more in (
            ("add_jira_comment", {"body": "Hello"}),
            ("transition_jira_issue", {"transition": "21"}),
        ):
            failure = await world.refused(tool, issue_key="ME-1", **more)
            assert failure["error_code"] == "BLOCKED_BY_POLICY"
        assert world.sent("POST") == 0


@pytest.mark.requirement("jira.allowlist")
@either_flavour
async def test_an_issue_that_moved_away_is_neither_told_of_nor_written_to(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its old key leads to it, and says nothing of where it is now."""
    async with changing(flavour, monkeypatch, jira_projects="ME") as world:
        state = world.jira.state
        state.add_comment(world.issue, "Seen by few.", world.stranger)
        for tool in ("list_jira_comments", "get_jira_transitions"):
            await world.call(tool, issue_key="ME-1")
        move(state, world.issue, state.add_project("SEC", "Secrets"))
        for tool, more in (
            ("list_jira_comments", {}),
            ("get_jira_transitions", {}),
            ("add_jira_comment", {"body": "Hello"}),
            ("transition_jira_issue", {"transition": "21"}),
        ):
            failure = await world.refused(tool, issue_key="ME-1", **more)
            assert failure["error_code"] == "BLOCKED_BY_POLICY"
        assert world.sent("POST") == 0
