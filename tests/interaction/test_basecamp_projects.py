"""Finding projects, and what they have."""

from collections.abc import AsyncIterator

import pytest

from tests.interaction.project_reading import Reading, bound_to, reading

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reading]:
    """An account with one project."""
    async with reading(monkeypatch) as made:
        yield made


async def names(here: Reading, **arguments: object) -> list[str]:
    answer = await here.call("list_projects", **arguments)
    return [one["name"] for one in answer["items"]]


async def test_a_project_is_listed_with_its_facts_and_its_enabled_tools(here: Reading) -> None:
    """As the seed has it: ids, names, descriptions, statuses, active tools."""
    answer = await here.call("list_projects")
    assert answer["items"] == [
        {
            "id": here.project.id,
            "name": "Widgets launch",
            "description": "All about widgets",
            "status": "active",
            "purpose": "topic",
            "created_at": "2023-11-14T22:13:20Z",
            "updated_at": "2023-11-14T22:13:20Z",
            "url": f"https://3.basecamp.com/{here.account.id}/projects/{here.project.id}",
            "tools": ["message_board", "todoset", "vault", "chat", "schedule"],
        }
    ]
    assert answer["has_more"] is answer["page_info"]["has_more"] is False
    assert answer["page_info"]["total_count"] == 1


@pytest.mark.requirement("basecamp.status-upstream")
async def test_archived_and_trashed_projects_are_asked_for(here: Reading) -> None:
    """Basecamp lists active ones only, so filtering its list here would find nothing."""
    here.account.add_project("Old").status = "archived"
    here.account.add_project("Gone").status = "trashed"
    assert await names(here) == ["Widgets launch"]
    assert await names(here, status="archived") == ["Old"]
    assert await names(here, status="trashed") == ["Gone"]
    assert await names(here, status="all") == ["Widgets launch", "Old"]
    asked = [one.query for one in here.asked("/projects.json")]
    assert asked[:3] == [(), (("status", "archived"),), (("status", "trashed"),)]
    assert sorted(asked[3:]) == [(), (("status", "archived"),)]


@pytest.mark.requirement("basecamp.status-upstream")
async def test_all_projects_are_counted_and_paged_over_both_lists(here: Reading) -> None:
    """A page of all is a page of the active ones with one of the archived ones."""
    for number in range(40):
        here.account.add_project(f"Old {number}").status = "archived"
    first = await here.call("list_projects", status="all")
    assert len(first["items"]) == 16
    assert first["page_info"]["total_count"] == 41
    assert first["page_info"]["next_page"] == 2
    second = await here.call("list_projects", status="all", page=2)
    assert len(second["items"]) == 25
    assert not second["has_more"]
    everything = await here.everything("list_projects", status="all")
    assert len({one["id"] for one in everything}) == 41
    whole = await here.call("list_projects", status="all", max_items=500)
    assert len(whole["items"]) == 41


@pytest.mark.requirement("basecamp.filters-honest")
async def test_a_name_is_looked_for_on_all_pages(here: Reading) -> None:
    """Case does not count; a filtered list claims no total."""
    for number in range(60):
        here.account.add_project(f"Project {number}")
    answer = await here.call("list_projects", query=" LAUNCH ")
    assert [one["name"] for one in answer["items"]] == ["Widgets launch"]
    assert answer["has_more"] is False
    assert answer["page_info"]["total_count"] is None
    assert len(here.asked("/projects.json")) == 3
    first = await here.call("list_projects", query="project", max_items=20)
    assert (len(first["items"]), first["has_more"]) == (20, True)
    assert len(await here.everything("list_projects", query="project")) == 60


async def test_fields_narrow_each_entry(here: Reading) -> None:
    """An unknown one is named with the nearest, before anything is asked."""
    answer = await here.call("list_projects", fields=["id", "name"])
    assert answer["items"] == [{"id": here.project.id, "name": "Widgets launch"}]
    here.basecamp.requests.clear()
    error = await here.refused("list_projects", fields=["names"])
    assert error["error_code"] == "INVALID_INPUT"
    assert "'name'" in error["hint"]
    assert not len(here.basecamp.requests)


@pytest.mark.requirement("basecamp.nulls")
async def test_a_project_without_a_description_has_an_empty_one(here: Reading) -> None:
    """Basecamp sends null."""
    here.account.add_project("Bare")
    answer = await here.call("list_projects")
    assert answer["items"][0]["description"] == ""


@pytest.mark.requirement("basecamp.dock")
async def test_the_tools_of_a_project_are_told_by_name(here: Reading) -> None:
    """Absent ones are null; of several with one name the enabled one is meant, all are listed."""
    dock = here.project.tool
    second = here.account.add_tool(here.project, "vault", "More files")
    dock("vault").disable()
    answer = await here.call("get_project_tools", project_id=here.project.id)
    assert answer["project_id"] == here.project.id
    assert answer["project_name"] == "Widgets launch"
    assert answer["message_board_id"] == dock("message_board").id
    assert answer["todoset_id"] == dock("todoset").id
    assert answer["vault_id"] == second.id
    assert answer["chat_id"] == dock("chat").id
    assert answer["schedule_id"] == dock("schedule").id
    assert answer["questionnaire_id"] == dock("questionnaire").id
    assert answer["inbox_id"] == dock("inbox").id
    assert answer["kanban_board_id"] is None
    assert answer["tools"]["vault"] == {
        "id": second.id,
        "enabled": True,
        "title": "More files",
        "url": (
            f"https://3.basecamp.com/{here.account.id}/buckets/{here.project.id}/vaults/{second.id}"
        ),
    }
    assert answer["tools"]["inbox"]["enabled"] is False
    vaults = [one for one in answer["all_tools"] if one["name"] == "vault"]
    assert [(one["id"], one["position"]) for one in vaults] == [
        (dock("vault").id, None),
        (second.id, second.position),
    ]


@pytest.mark.requirement("basecamp.no-access")
@pytest.mark.parametrize(("status", "code"), [(403, "PERMISSION_DENIED"), (404, "NOT_FOUND")])
async def test_a_project_that_one_may_not_see_is_told_as_such(
    here: Reading, status: int, code: str
) -> None:
    """Basecamp answers either; the hint says that access may be the reason."""
    here.project.closed_to[here.me.id] = status
    error = await here.refused("get_project_tools", project_id=here.project.id)
    assert error["error_code"] == code
    assert "see" in error["hint"]
    assert (await here.call("list_projects"))["items"] == []


@pytest.mark.requirement("basecamp.bound")
async def test_a_bound_context_lists_its_own_project_only(here: Reading) -> None:
    """And shows the tools of no other."""
    other = here.account.add_project("Secret plans")
    bound = bound_to(here.project)
    assert await names(here, meta=bound) == ["Widgets launch"]
    assert await names(here, meta=bound, status="archived") == []
    assert await names(here, meta=bound, status="all") == ["Widgets launch"]
    assert await names(here, meta=bound, query="secret") == []
    assert not here.asked("/projects.json")
    error = await here.refused("get_project_tools", project_id=other.id, meta=bound)
    assert error["error_code"] == "BLOCKED_BY_POLICY"
    assert not here.asked(f"/projects/{other.id}.json")
    await here.call("get_project_tools", project_id=here.project.id, meta=bound)


@pytest.mark.requirement("basecamp.untrusted")
async def test_names_hide_nothing(here: Reading) -> None:
    """Invisible and bidirectional characters are taken out of what strangers named."""
    here.project.name = "Widgets\u202e launch\u200b"
    here.project.tool("chat").title = "Camp\U000e0041fire"
    assert await names(here) == ["Widgets launch"]
    answer = await here.call("get_project_tools", project_id=here.project.id)
    assert answer["project_name"] == "Widgets launch"
    assert answer["tools"]["chat"]["title"] == "Campfire"
