"""Finding issues and projects: narrowed, bounded, paged; on Cloud and on Data Center."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from tests.interaction.jira_reading import JiraAsking, either_flavour, reading
from trunkline_shared.testing.jira import FlavourName, Issue

pytestmark = pytest.mark.anyio

SEARCH = "/rest/api/*/search*"


def keys(answer: Mapping[str, Any]) -> list[str]:
    return [one["key"] for one in answer["issues"]]


def asked(world: JiraAsking) -> list[dict[str, Any]]:
    """Return the bodies of the searches that reached Jira."""
    found = [one.json for one in world.jira.requests.matching("POST", SEARCH)]
    return [body for body in found if isinstance(body, dict)]


def more_issues(world: JiraAsking, count: int) -> list[Issue]:
    """Add issues, each a minute younger than the one before."""
    began = world.jira.state.now()
    return [
        world.jira.state.add_issue(world.project, f"Number {n}", at=began + timedelta(minutes=n))
        for n in range(count)
    ]


@either_flavour
async def test_a_project_is_listed_with_what_a_list_needs(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Key, summary, status, type, assignee, updated, url; no descriptions, which cost tokens."""
    async with reading(flavour, monkeypatch) as world:
        answer = await world.call("list_jira_issues", project="ME")
        (issue,) = answer["issues"]
        assert issue == {
            "key": "ME-1",
            "summary": "Broken",
            "status": "To Do",
            "status_category": "to_do",
            "type": "Story",
            "priority": "Medium",
            "assignee": "Helper Bot",
            "updated": issue["updated"],
            "url": f"{world.jira.url}/browse/ME-1",
        }
        assert answer["has_more"] is False
        assert answer["jql"] == 'project = "ME" ORDER BY updated DESC'


@pytest.mark.requirement("jira.bounded")
@either_flavour
async def test_fields_are_always_named(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cloud tells ids only unless they are, and never are all of them asked for."""
    async with reading(flavour, monkeypatch) as world:
        await world.call("search_jira", jql="project = ME")
        (body,) = asked(world)
        assert "summary" in body["fields"]
        assert not {"*all", "description", "comment"} & set(body["fields"])


@pytest.mark.requirement("jira.bounded")
@either_flavour
async def test_a_search_for_everything_is_bounded_and_says_so(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cloud refuses an unbounded query; the answer shows what was asked instead."""
    async with reading(flavour, monkeypatch) as world:
        answer = await world.call("search_jira", jql="ORDER BY created")
        assert answer["jql"] == 'updated >= "-90d" ORDER BY created'
        assert keys(answer) == ["ME-1"]


@pytest.mark.requirement("jira.jql")
@either_flavour
async def test_every_filter_reaches_jira(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Filtered there and not on the page, with values that are quoted."""
    async with reading(flavour, monkeypatch) as world:
        since = (world.jira.state.now() - timedelta(minutes=30)).isoformat()
        answer = await world.refused("list_jira_issues", project="me", status='To "Do"')
        assert answer["error_code"] == "INVALID_INPUT"
        assert asked(world)[0]["jql"].startswith('project = "me" AND status = "To \\"Do\\""')
        found = await world.call(
            "list_jira_issues",
            project="me",
            status="to do",
            assignee="me",
            type="Story",
            updated_since=since,
            jql_extra="labels = a OR summary ~ Broken",
            order="summary asc, key",
        )
        assert keys(found) == ["ME-1"]
        assert found["jql"] == (
            'updated >= "-30m" AND (project = "me" AND status = "to do" AND issuetype = "Story" '
            "AND assignee = currentUser() AND (labels = a OR summary ~ Broken)) "
            "ORDER BY summary ASC, key"
        )


@pytest.mark.requirement("jira.jql")
@either_flavour
async def test_people_are_found_by_name_and_address(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cloud's JQL takes account ids only, Data Center's user names."""
    account = {"cloud": "acc-mallory", "data_center": "mallory"}[flavour]
    async with reading(flavour, monkeypatch) as world:
        world.jira.state.add_issue(world.project, "Hers", assignee=world.stranger)
        world.jira.state.add_issue(world.project, "Nobody's")
        for name in ("Mallory Moore", "mallory@acme.test", account):
            found = await world.call("list_jira_issues", project="ME", assignee=name)
            assert keys(found) == ["ME-2"]
            assert f'assignee = "{account}"' in found["jql"]
        nobody = await world.call("list_jira_issues", project="ME", assignee="unassigned")
        assert keys(nobody) == ["ME-3"]


@pytest.mark.requirement("jira.jql")
@either_flavour
async def test_a_name_of_several_people_is_not_guessed(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal names them, so that one retry succeeds."""
    async with reading(flavour, monkeypatch) as world:
        world.jira.state.add_user("mallory2", "Mallory Moore", email="")
        failure = await world.refused("list_jira_issues", project="ME", assignee="Mallory Moore")
        assert failure["error_code"] == "INVALID_INPUT"
        assert "Mallory Moore (" in failure["hint"]
        unknown = await world.refused("list_jira_issues", project="ME", assignee="no one@x.test")
        assert "is nobody" in unknown["message"]
        assert asked(world) == []


@either_flavour
async def test_all_pages_lead_through_all_issues(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond 145, without a gap or a repetition, by cursors alone."""
    async with reading(flavour, monkeypatch) as world:
        more_issues(world, 160)
        seen: list[str] = []
        cursor = ""
        while True:
            page = await world.call("list_jira_issues", project="ME", limit=50, cursor=cursor)
            seen += keys(page)
            assert page["page_info"]["returned"] == len(page["issues"])
            cursor = page["page_info"]["next_cursor"] or ""
            assert page["has_more"] is bool(cursor)
            if not cursor:
                break
        assert len(seen) == len(set(seen)) == 161
        total = {"cloud": None, "data_center": 161}[flavour]
        assert page["page_info"]["total_count"] == total


@pytest.mark.requirement("jira.cursor")
@either_flavour
async def test_a_cursor_belongs_to_its_query(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither another query nor other fields can go on with it; nor can one be made up."""
    async with reading(flavour, monkeypatch) as world:
        more_issues(world, 3)
        first = await world.call("search_jira", jql="project = ME", limit=2)
        cursor = first["page_info"]["next_cursor"]
        for other in (
            {"jql": "project = ME AND status = 'To Do'", "cursor": cursor},
            {"jql": "project = ME", "cursor": cursor, "fields": ["summary"]},
            {"jql": "project = ME", "cursor": "2"},
        ):
            failure = await world.refused("search_jira", limit=2, **other)
            assert failure["error_code"] == "INVALID_INPUT"
            assert failure["details"]["field_errors"][0]["field"] == "cursor"


@pytest.mark.requirement("jira.cursor")
@either_flavour
async def test_a_list_of_what_changed_goes_on_however_long_its_pages_take(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Jira is asked in minutes before now; each page asks for as many as the first."""
    async with reading(flavour, monkeypatch) as world:
        since = (world.jira.state.now() - timedelta(minutes=30)).isoformat()
        more_issues(world, 3)
        ask = {"project": "ME", "updated_since": since, "limit": 2, "order": ""}
        first = await world.call("list_jira_issues", **ask)
        world.clock.advance(150)
        cursor = first["page_info"]["next_cursor"]
        rest = await world.call("list_jira_issues", **ask, cursor=cursor)
        other = await world.refused(
            "list_jira_issues",
            **ask | {"updated_since": world.jira.state.now().isoformat(), "cursor": cursor},
        )
    assert keys(first) + keys(rest) == ["ME-4", "ME-3", "ME-2", "ME-1"]
    assert rest["jql"] == first["jql"]
    assert 'updated >= "-30m"' in first["jql"]
    assert other["details"]["field_errors"][0]["field"] == "cursor"


@pytest.mark.requirement("jira.jql")
async def test_a_condition_that_is_refused_is_named_as_the_caller_named_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There is no argument `jql` in a list of a project."""
    async with reading("cloud", monkeypatch) as world:
        for extra, hint in (("a = 1) OR (b = 2", "Quote"), ("a = 1 ORDER BY b", "Sort with order")):
            failure = await world.refused("list_jira_issues", project="ME", jql_extra=extra)
            assert failure["message"].startswith("jql_extra: ")
            assert failure["details"]["field_errors"][0]["field"] == "jql_extra"
            assert failure["hint"].startswith(hint)
    assert asked(world) == []


@pytest.mark.requirement("jira.cursor")
async def test_a_place_that_jira_has_forgotten_is_an_expired_cursor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tokens of Cloud expire; the list is begun again, not taken for ended."""
    async with reading("cloud", monkeypatch) as world:
        more_issues(world, 3)
        first = await world.call("search_jira", jql="project = ME", limit=2)
        world.jira.state.search_places.clear()
        failure = await world.refused(
            "search_jira", jql="project = ME", limit=2, cursor=first["page_info"]["next_cursor"]
        )
        assert failure["error_code"] == "INVALID_INPUT"
        assert failure["details"]["reason"] == "cursor_expired"


@pytest.mark.requirement("jira.allowlist")
@either_flavour
async def test_the_operators_projects_are_all_that_is_found(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A caller narrows them and never widens: not by OR, not by an order, not by a key."""
    async with reading(flavour, monkeypatch, jira_projects="ME,OP*") as world:
        state = world.jira.state
        secret, ops = state.add_project("SECRET"), state.add_project("OPS")
        state.add_issue(secret, "Hidden")
        state.add_issue(ops, "Shown")
        for jql in (
            "project = SECRET OR project = ME OR project = OPS",
            "summary ~ '' ORDER BY key",
            "",
            "not project = ME or project = ME",
        ):
            answer = await world.call("search_jira", jql=jql)
            assert sorted(keys(answer)) == ["ME-1", "OPS-1"]
            assert answer["jql"].startswith('project in ("ME", "OPS")')
        widened = await world.refused("search_jira", jql="project = ME) OR (project = SECRET")
        assert widened["error_code"] == "INVALID_INPUT"
        blocked = await world.refused("list_jira_issues", project="SECRET")
        assert blocked["error_code"] == "BLOCKED_BY_POLICY"
        listed = await world.call("list_jira_projects")
        assert [one["key"] for one in listed["projects"]] == ["ME", "OPS"]


@pytest.mark.requirement("jira.allowlist")
@either_flavour
async def test_a_list_of_projects_that_are_not_there_finds_nothing(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is never taken for no list."""
    async with reading(flavour, monkeypatch, jira_projects="ZZ*") as world:
        failure = await world.refused("search_jira", jql="order by key")
        assert failure["error_code"] == "BLOCKED_BY_POLICY"
        assert asked(world) == []


@either_flavour
async def test_named_fields_stand_instead_of_the_usual_ones(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours and the site's own; the key is always told."""
    async with reading(flavour, monkeypatch) as world:
        points = world.jira.state.add_field("Story Points", "number")
        world.issue.custom[points.id] = 8.0
        answer = await world.call(
            "search_jira", jql="project = ME", fields=["summary", "story points"]
        )
        assert answer["issues"] == [
            {"key": "ME-1", "summary": "Broken", "custom": {"Story Points": 8.0}}
        ]
        failure = await world.refused("search_jira", jql="project = ME", fields=["comments"])
        assert "list_jira_comments" in failure["hint"]


@pytest.mark.requirement("jira.search-removed")
async def test_cloud_is_never_asked_in_the_removed_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """`/search` answers 410 there, which others have shown as an empty list."""
    async with reading("cloud", monkeypatch) as world:
        await world.call("search_jira", jql="project = ME")
        assert world.sent("POST", "/rest/api/3/search/jql") == 1
        assert world.sent("*", "/rest/api/3/search") == 0


@either_flavour
async def test_a_query_that_jira_refuses_is_told_in_its_words(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a model can mend it."""
    async with reading(flavour, monkeypatch) as world:
        failure = await world.refused("search_jira", jql="colour = red")
        assert failure["error_code"] == "INVALID_INPUT"
        assert re.search("Field 'colour' does not exist", failure["message"])


@either_flavour
async def test_projects_are_listed_in_pages(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of any number, by key, those that match a text only."""
    async with reading(flavour, monkeypatch) as world:
        for number in range(150):
            world.jira.state.add_project(f"P{number:03}", f"Project {number}")
        seen: list[str] = []
        cursor = ""
        while True:
            page = await world.call("list_jira_projects", query="project", limit=40, cursor=cursor)
            seen += [one["key"] for one in page["projects"]]
            cursor = page["page_info"]["next_cursor"] or ""
            if not cursor:
                break
        assert seen == [f"P{number:03}" for number in range(150)]
        (me,) = (await world.call("list_jira_projects", query="measuring"))["projects"]
        assert me == {
            "key": "ME",
            "name": "Measuring",
            "type": "software",
            "url": f"{world.jira.url}/browse/ME",
        }
