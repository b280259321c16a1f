"""Listing issues: what GitHub mixes in is left out, and no filter looks like the end."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.issue_tracking import ISSUES, Tracking, names_of, tracking
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio

BEGAN = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tracking]:
    """The usual repository."""
    async with tracking(github, monkeypatch) as made:
        yield made


def fill(here: Tracking, issues: int, pulls: int = 0) -> None:
    """Add numbered issues, and after each of them its share of pull requests."""
    minute = 0
    for number in range(issues):
        minute += 1
        here.repository.add_issue(
            f"issue {number}", here.stranger, at=BEGAN + timedelta(minutes=minute)
        )
        for _ in range(pulls):
            minute += 1
            here.repository.add_pull("pull", here.stranger, at=BEGAN + timedelta(minutes=minute))


async def read_all(here: Tracking, **query: object) -> list[str]:
    """Follow the cursors to the end."""
    titles: list[str] = []
    cursor = ""
    for _ in range(20):
        answer = await here.call("github_list_issues", cursor=cursor, **query)
        titles += names_of(answer["issues"])
        assert answer["has_more"] is answer["page_info"]["has_more"]
        cursor = answer["page_info"]["next_cursor"]
        if not answer["has_more"]:
            assert cursor is None
            return titles
    raise AssertionError("the list does not end")


@pytest.mark.requirement("issues.seed-fields")
async def test_an_entry_has_the_seeds_fields_and_more(here: Tracking) -> None:
    """Labels and people are names, the state is in lower case."""
    here.label(here.issue, "bug")
    here.issue.assignees.append(here.me)
    here.issue.milestone = here.repository.tracker.add_milestone("1.0")
    here.issue.type = "Bug"
    answer = await here.call("github_list_issues")
    (entry,) = answer["issues"]
    assert entry == IsPartialDict(
        number=1,
        title="Broken",
        labels=["bug"],
        state="open",
        url="https://github.com/acme/widgets/issues/1",
        author="mallory",
        assignees=["helper-bot"],
        comments_count=0,
        state_reason=None,
        type="Bug",
        milestone="1.0",
        is_pull_request=False,
    )
    assert answer["page_info"] == IsPartialDict(returned=1, has_more=False, truncated=False)
    assert answer["source"]["etag"]


@pytest.mark.requirement("issues.pulls-left-out")
async def test_pull_requests_are_left_out_and_paging_goes_on_until_the_limit(
    here: Tracking,
) -> None:
    """GitHub's list holds both: one of its pages rarely fills ours."""
    fill(here, issues=45, pulls=4)
    answer = await here.call("github_list_issues", limit=40, direction="asc")
    assert names_of(answer["issues"]) == [f"issue {number}" for number in range(40)]
    assert answer["has_more"]
    assert here.sent("GET", ISSUES) == 2


@pytest.mark.requirement("issues.pulls-left-out")
@pytest.mark.parametrize("limit", [1, 7, 30, 100])
async def test_the_cursors_lead_through_every_issue_once(here: Tracking, limit: int) -> None:
    """Also in the midst of a page of GitHub's."""
    fill(here, issues=18, pulls=7)
    titles = await read_all(here, limit=limit, direction="asc")
    assert titles == [*[f"issue {number}" for number in range(18)], "Broken"]


@pytest.mark.requirement("issues.pulls-left-out")
async def test_a_list_of_nothing_but_pull_requests_ends_a_call_without_an_end_of_the_list(
    here: Tracking,
) -> None:
    """Patience has a bound, and the answer says that it was reached, not that nothing is there."""
    fill(here, issues=1, pulls=2_050)
    answer = await here.call("github_list_issues", state="all", sort="updated")
    assert names_of(answer["issues"]) == ["Broken"]
    assert (answer["has_more"], answer["page_info"]["truncated"]) == (True, True)
    rest = await here.call(
        "github_list_issues",
        state="all",
        sort="updated",
        cursor=answer["page_info"]["next_cursor"],
    )
    assert (names_of(rest["issues"]), rest["has_more"]) == (["issue 0"], False)


async def test_pull_requests_can_be_asked_for(here: Tracking) -> None:
    """And are told apart."""
    answer = await here.call("github_list_issues", include_prs=True)
    assert [(one["number"], one["is_pull_request"]) for one in answer["issues"]] == [
        (2, True),
        (1, False),
    ]


@pytest.mark.requirement("issues.comma-labels")
async def test_all_labels_must_be_there(here: Tracking) -> None:
    """AND, the seed's `label` and the list alike, whatever the case."""
    both = here.repository.add_issue("both", here.stranger)
    here.label(here.issue, "bug")
    here.label(both, "bug", "urgent")
    one = await here.call("github_list_issues", label="BUG")
    two = await here.call("github_list_issues", label="bug", labels=["urgent"])
    assert names_of(one["issues"]) == ["both", "Broken"]
    assert names_of(two["issues"]) == ["both"]


@pytest.mark.requirement("issues.comma-labels")
async def test_a_label_with_a_comma_is_filtered_here(here: Tracking) -> None:
    """GitHub would take it for two labels."""
    other = here.repository.add_issue("other", here.stranger)
    here.label(here.issue, "wait, what")
    here.label(other, "wait", "what")
    answer = await here.call("github_list_issues", labels=["Wait, What"])
    assert names_of(answer["issues"]) == ["Broken"]
    (request,) = here.github.requests.matching("GET", ISSUES)
    assert "labels" not in dict(request.query)


async def test_every_filter_reaches_github(here: Tracking) -> None:
    """State, people, milestone, time and order."""
    here.issue.close(by=here.me, reason="not_planned")
    here.issue.assignees.append(here.me)
    here.issue.milestone = here.repository.tracker.add_milestone("1.0")
    answer = await here.call(
        "github_list_issues",
        state="closed",
        assignee="helper-bot",
        creator="mallory",
        milestone="1",
        since="2020-01-01T00:00:00+02:00",
        sort="comments",
        direction="asc",
    )
    assert [(one["number"], one["state_reason"]) for one in answer["issues"]] == [
        (1, "not_planned")
    ]
    (request,) = here.github.requests.matching("GET", ISSUES)
    assert dict(request.query)["since"] == "2019-12-31T22:00:00Z"
    assert names_of((await here.call("github_list_issues"))["issues"]) == []


async def test_only_the_chosen_fields_are_returned(here: Tracking) -> None:
    """Bodies are never in a list, and the rest can be left out."""
    answer = await here.call("github_list_issues", fields=["number", "title"])
    assert answer["issues"] == [{"number": 1, "title": "Broken"}]
    error = await here.refused("github_list_issues", fields=["numbers"])
    assert (error["error_code"], error["hint"]) == ("INVALID_INPUT", "Did you mean 'number'?")


@pytest.mark.requirement("issues.cursors")
async def test_a_cursor_is_good_for_its_own_list_only(here: Tracking) -> None:
    """Garbage, and a cursor of another question, are refused before anything is sent."""
    fill(here, issues=3)
    first = await here.call("github_list_issues", limit=1)
    cursor = first["page_info"]["next_cursor"]
    here.github.requests.clear()
    for arguments in (
        {"cursor": "2"},
        {"cursor": cursor[:-2]},
        {"cursor": cursor, "state": "all"},
        {"cursor": cursor, "label": "bug"},
    ):
        error = await here.refused("github_list_issues", **arguments)
        assert error["error_code"] == "INVALID_INPUT", arguments
        assert error["details"]["field_errors"][0]["field"] == "cursor"
    assert not len(here.github.requests)


async def test_a_repeated_list_is_revalidated(here: Tracking) -> None:
    """The second one is GitHub's 304."""
    await here.call("github_list_issues")
    answer = await here.call("github_list_issues")
    assert answer["source"]["cached"] is True


async def test_a_filter_that_github_refuses_is_invalid_input(here: Tracking) -> None:
    """A login that nobody has."""
    error = await here.refused("github_list_issues", assignee="nobody-at-all")
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"]["field_errors"][0]["field"] == "assignee"


@pytest.mark.requirement("issues.closed-doors")
async def test_without_issues_the_list_says_so(here: Tracking) -> None:
    """410 is not an empty list."""
    here.repository.has_issues = False
    error = await here.refused("github_list_issues")
    assert (error["error_code"], error["details"]["reason"]) == ("NOT_FOUND", "issues_disabled")
