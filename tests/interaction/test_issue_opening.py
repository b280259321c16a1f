"""Opening issues once, whatever happens on the way, and changing them."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.issue_tracking import ISSUES, Tracking, tracking
from trunkline_shared.testing.github import (
    CutAfterApplying,
    CutBeforeReading,
    FailAfterApplying,
    GitHubStandIn,
    Issue,
    LaggingList,
    bad_gateway,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tracking]:
    """The usual repository."""
    async with tracking(github, monkeypatch) as made:
        yield made


def opened(here: Tracking) -> list[Issue]:
    """Return the issues beyond those that were there."""
    return [issue for number, issue in here.repository.issues.items() if number > 2]


async def test_an_issue_is_opened_with_everything(here: Tracking) -> None:
    """Labels as the repository spells them, people, milestone, type."""
    here.repository.tracker.add_label("bug")
    here.repository.tracker.add_milestone("1.0")
    answer = await here.call(
        "create_issue",
        title=" It wobbles ",
        body="Much.",
        labels=["BUG"],
        assignees=["mallory"],
        milestone=1,
        type="Bug",
    )
    (issue,) = opened(here)
    assert answer == {
        "number": issue.number,
        "title": "It wobbles",
        "url": "https://github.com/acme/widgets/issues/3",
        "state": "open",
        "created": True,
        "labels": ["bug"],
        "assignees": ["mallory"],
        "not_applied": [],
    }
    assert (issue.body, issue.type) == ("Much.", "Bug")
    assert issue.milestone is here.repository.tracker.milestones[1]


async def test_what_github_leaves_out_without_a_word_is_told(here: Tracking) -> None:
    """An account that may not triage opens the issue, and nothing more."""
    here.repository.tracker.add_label("bug")
    here.repository.grant(here.me, "read")
    answer = await here.call(
        "create_issue", title="It wobbles", labels=["bug"], assignees=["mallory"]
    )
    assert answer == IsPartialDict(created=True, not_applied=["labels", "assignees"])


@pytest.mark.requirement("issues.unknown-labels")
async def test_no_issue_is_opened_with_unknown_labels(here: Tracking) -> None:
    """Unless they shall be made."""
    error = await here.refused("create_issue", title="It wobbles", labels=["bug"])
    assert (error["error_code"], error["details"]["missing"]) == ("INVALID_INPUT", ["bug"])
    assert not opened(here)
    answer = await here.call(
        "create_issue", title="It wobbles", labels=["bug"], create_missing=True
    )
    assert answer["labels"] == ["bug"]


@pytest.mark.requirement("issues.opened-once")
async def test_a_marker_makes_opening_repeatable(here: Tracking) -> None:
    """Also after the issue was closed, and found behind other issues of ours."""
    one = await here.call("create_issue", title="Nightly failed", body="Log", marker="nightly 7")
    opened(here)[0].close(by=here.me)
    await here.call("create_issue", title="Another", marker="nightly 8")
    two = await here.call("create_issue", title="Nightly failed again", marker="nightly 7")
    assert (one["created"], two["created"]) == (True, False)
    assert (one["number"], two["state"]) == (two["number"], "closed")
    assert opened(here)[0].body == "<!-- trunkline:marker=nightly%207 -->\nLog"


@pytest.mark.requirement("issues.opened-once")
async def test_a_strangers_marker_is_no_marker_of_ours(here: Tracking) -> None:
    """Nobody can keep an agent from opening its issue."""
    here.repository.add_issue("Mine", here.stranger, body="<!-- trunkline:marker=m -->\n")
    answer = await here.call("create_issue", title="Ours", marker="m")
    assert answer["created"] is True


@pytest.mark.requirement("issues.opened-once")
@pytest.mark.parametrize("marker", ["m", ""])
async def test_a_post_that_was_cut_after_it_was_applied_is_found(
    here: Tracking, marker: str
) -> None:
    """By its marker, or as an issue of our own with the same text, newer than the request."""
    here.github.faults.add(CutAfterApplying(), "POST", ISSUES)
    answer = await here.call("create_issue", title="Once", body="text", marker=marker)
    (issue,) = opened(here)
    assert (answer["number"], answer["created"]) == (issue.number, True)


@pytest.mark.requirement("issues.opened-once")
@pytest.mark.parametrize(("marker", "retryable"), [("m", True), ("", False)])
async def test_a_post_whose_fate_stays_unknown_says_so(
    here: Tracking, marker: str, *, retryable: bool
) -> None:
    """TIMEOUT with `may_have_happened`; the same call with a marker then makes exactly one."""
    here.github.faults.add(CutBeforeReading(), "POST", ISSUES)
    error = await here.refused("create_issue", title="Once", marker=marker)
    assert (error["error_code"], error["retryable"]) == ("TIMEOUT", retryable)
    assert error["details"]["may_have_happened"] is True
    assert not opened(here)
    await here.call("create_issue", title="Once", marker=marker)
    assert len(opened(here)) == 1


@pytest.mark.requirement("issues.opened-once")
async def test_a_post_that_github_failed_on_after_all_is_made_once(here: Tracking) -> None:
    """Behind the 502 it was opened, and the list lags: it is not sent again, and found later."""
    here.github.faults.add(FailAfterApplying(), "POST", ISSUES)
    here.github.faults.add(LaggingList(newest=1), "GET", ISSUES, times=2)
    error = await here.refused("create_issue", title="Once", marker="m")
    assert (error["error_code"], error["retryable"]) == ("TIMEOUT", True)
    assert (await here.call("create_issue", title="Once", marker="m"))["created"] is False
    assert len(opened(here)) == 1


@pytest.mark.requirement("issues.opened-once")
async def test_a_list_that_lags_makes_no_second_issue(here: Tracking) -> None:
    """What was just opened is remembered by its number."""
    await here.call("create_issue", title="Once", marker="m")
    here.github.faults.add(LaggingList(newest=1), "GET", ISSUES, times=9)
    answer = await here.call("create_issue", title="Once", marker="m")
    assert answer["created"] is False
    assert len(opened(here)) == 1


@pytest.mark.requirement("issues.opened-once")
async def test_a_marker_is_found_behind_a_hundred_issues_of_ours(here: Tracking) -> None:
    """Every page of our own issues is read before another is opened."""
    for number in range(120):
        here.repository.add_issue(f"Ours {number}", here.me)
    marked = here.repository.add_issue("Once", here.me, body="<!-- trunkline:marker=m -->\n")
    answer = await here.call("create_issue", title="Once", marker="m")
    assert (answer["created"], answer["number"]) == (False, marked.number)


async def test_an_issue_that_was_deleted_is_opened_anew(here: Tracking) -> None:
    """Its marker is remembered in vain."""
    await here.call("create_issue", title="Once", marker="m")
    opened(here)[0].deleted = True
    answer = await here.call("create_issue", title="Once", marker="m")
    assert (answer["created"], len(opened(here))) == (True, 2)


@pytest.mark.requirement("issues.opened-once")
async def test_two_calls_at_once_with_a_marker_open_one_issue(here: Tracking) -> None:
    """The second waits and finds it."""
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        for _ in range(2):
            tasks.create_task(here.call("create_issue", title="Once", marker="m"))
    assert len(opened(here)) == 1


@pytest.mark.requirement("issues.opened-once")
async def test_a_doubtful_post_that_cannot_be_looked_for_is_not_repeated(here: Tracking) -> None:
    """GitHub fails for the look-up as well: one issue exists, and the doubt is told."""
    here.github.faults.add(CutAfterApplying(), "POST", ISSUES)
    here.github.faults.add(bad_gateway(), "GET", ISSUES, times=9)
    error = await here.refused("create_issue", title="Once")
    assert error["details"]["may_have_happened"] is True
    assert len(opened(here)) == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"title": " \n"}, "INVALID_INPUT"),
        ({"title": ""}, "INVALID_INPUT"),
        ({"title": "x" * 257}, "INVALID_INPUT"),
        ({"title": "ok", "body": "x" * 65_537}, "TOO_LARGE"),
        ({"title": "ok", "body": "x" * 65_530, "marker": "m"}, "TOO_LARGE"),
        ({"title": "ghp_" + "a1B2" * 9}, "BLOCKED_BY_POLICY"),
        ({"title": "ok", "body": "ghp_" + "a1B2" * 9}, "BLOCKED_BY_POLICY"),
        ({"title": "ok", "labels": ["ghp_" + "a1B2" * 9]}, "BLOCKED_BY_POLICY"),
        ({"title": "ok", "marker": "\x00"}, "INVALID_INPUT"),
    ],
)
async def test_what_cannot_be_posted_is_refused_here(
    here: Tracking, arguments: dict[str, object], code: str
) -> None:
    """Before anything is sent, and without repeating a secret."""
    error = await here.refused("create_issue", **arguments)
    assert error["error_code"] == code
    assert "a1B2" not in str(error)
    assert not len(here.github.requests)


@pytest.mark.requirement("issues.closed-doors")
async def test_where_issues_are_disabled_none_is_opened(here: Tracking) -> None:
    """410 with its reason."""
    here.repository.has_issues = False
    error = await here.refused("create_issue", title="Once")
    assert (error["error_code"], error["details"]["reason"]) == ("NOT_FOUND", "issues_disabled")


CHANGES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"title": "Mended"}, {"title": "Mended"}),
    ({"labels": ["URGENT"]}, {"labels": ["urgent"]}),
    ({"assignees": ["helper-bot"]}, {"assignees": ["helper-bot"]}),
    ({"milestone": 2, "type": "Task"}, {"milestone": "2.0"}),
    ({"clear": ["labels", "milestone"]}, {"labels": [], "milestone": None}),
    ({"clear": ["assignees", "body", "type"]}, {"assignees": []}),
]


@pytest.mark.parametrize(("wanted", "result"), CHANGES)
async def test_an_issue_is_changed_once(
    here: Tracking, wanted: dict[str, Any], result: dict[str, Any]
) -> None:
    """What is so already is not sent again, and what is not named stays."""
    tracker = here.repository.tracker
    here.label(here.issue, "bug")
    tracker.add_label("urgent")
    here.issue.milestone = tracker.add_milestone("1.0")
    tracker.add_milestone("2.0")
    here.issue.assignees, here.issue.body, here.issue.type = [here.stranger], "text", "Bug"
    one = await here.call("update_issue", issue_number=1, **wanted)
    two = await here.call("update_issue", issue_number=1, **wanted)
    before = {"title": "Broken", "labels": ["bug"], "assignees": ["mallory"], "milestone": "1.0"}
    assert one == IsPartialDict(edited=True, **(before | result))
    assert two == IsPartialDict(edited=False, **(before | result))
    assert here.sent("PATCH") == 1


async def test_a_marker_survives_a_new_body(here: Tracking) -> None:
    """Else the next creation would open a second issue."""
    made = await here.call("create_issue", title="Once", body="one", marker="m")
    await here.call("update_issue", issue_number=made["number"], body="two")
    assert opened(here)[0].body == "<!-- trunkline:marker=m -->\ntwo"
    again = await here.call("update_issue", issue_number=made["number"], body="two")
    assert again["edited"] is False
    await here.call("update_issue", issue_number=made["number"], clear=["body"])
    answer = await here.call("create_issue", title="Once", body="three", marker="m")
    assert answer["created"] is False


@pytest.mark.parametrize(
    "arguments",
    [{}, {"title": " "}, {"body": "x", "clear": ["body"]}, {"clear": ["title"]}],
)
async def test_a_change_of_nothing_or_of_two_minds_is_refused_here(
    here: Tracking, arguments: dict[str, object]
) -> None:
    """Before anything is sent."""
    error = await here.refused("update_issue", issue_number=1, **arguments)
    assert error["error_code"] == "INVALID_INPUT"
    assert not len(here.github.requests)


@pytest.mark.requirement("issues.unknown-labels")
async def test_an_issue_is_not_changed_to_unknown_labels(here: Tracking) -> None:
    """Nothing of the change is made."""
    error = await here.refused("update_issue", issue_number=1, title="New", labels=["nope"])
    assert error["error_code"] == "INVALID_INPUT"
    assert here.issue.title == "Broken"


async def test_a_change_that_was_cut_is_repeated_without_harm(here: Tracking) -> None:
    """Setting a field twice is setting it once."""
    here.github.faults.add(CutAfterApplying(), "PATCH")
    answer = await here.call("update_issue", issue_number=1, title="Mended")
    assert (answer["edited"], here.issue.title) == (True, "Mended")
