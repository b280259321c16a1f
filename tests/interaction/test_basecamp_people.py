"""Reading who is there, and what the one is to do whose token is used."""

from collections.abc import AsyncIterator
from datetime import timedelta

import orjson
import pytest

from tests.interaction.project_reading import Reading, bound_to, reading
from trunkline_shared.testing.basecamp.projects import Project
from trunkline_shared.testing.basecamp.todos import Todo, add_todo, add_todolist
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reading]:
    """An account with one project."""
    async with reading(monkeypatch) as made:
        yield made


def assigned(here: Reading, project: Project, content: str, due_in_days: int | None = None) -> Todo:
    """Add a to-do that the token's person is to do."""
    todolist = add_todolist(here.account, project.tool("todoset"), "Launch", here.ann)
    todo = add_todo(here.account, todolist, content, here.ann)
    todo.assignees = [here.me]
    if due_in_days is not None:
        todo.due_on = here.account.times.now().date() + timedelta(days=due_in_days)
    return todo


async def titles(here: Reading, **arguments: object) -> list[str]:
    """Return what is to be done."""
    answer = await here.call("list_my_assignments", **arguments)
    return [one["title"] for one in answer["items"]]


@pytest.mark.requirement("basecamp.people")
async def test_everybody_of_the_account_is_listed(here: Reading) -> None:
    """Clients and bots, too; who has no address has none."""
    here.ann.title = "Author"
    here.account.add_person("Clara Client", kind="Client")
    here.account.add_person("Build bot", kind="Integration")
    answer = await here.call("list_people")
    assert [(one["name"], one["type"], one["client"]) for one in answer["items"]] == [
        ("Robin Reader", "User", False),
        ("Ann Author", "User", False),
        ("Clara Client", "Client", True),
        ("Build bot", "Integration", False),
    ]
    assert answer["items"][1] == {
        "id": here.ann.id,
        "name": "Ann Author",
        "email": "ann@example.com",
        "title": "Author",
        "client": False,
        "type": "User",
        "company": "Acme",
        "admin": False,
        "time_zone": "America/Chicago",
    }
    assert answer["items"][3]["email"] is None


async def test_the_people_of_a_project_are_listed(here: Reading) -> None:
    """Not those who may not see it."""
    here.project.closed_to[here.ann.id] = 403
    answer = await here.call("list_people", project_id=here.project.id)
    assert [one["name"] for one in answer["items"]] == ["Robin Reader"]


@pytest.mark.requirement("basecamp.paging")
async def test_many_people_are_all_listed(here: Reading) -> None:
    """Page by page."""
    for number in range(150):
        here.account.add_person(f"Person {number}")
    assert len(await here.everything("list_people")) == 152


@pytest.mark.requirement("basecamp.bound")
async def test_a_bound_context_lists_the_people_of_its_project_only(here: Reading) -> None:
    """Whether it says so or not."""
    other = here.account.add_project("Other")
    here.project.closed_to[here.ann.id] = 403
    bound = bound_to(here.project)
    answer = await here.call("list_people", meta=bound)
    assert [one["name"] for one in answer["items"]] == ["Robin Reader"]
    refused = await here.refused("list_people", meta=bound, project_id=other.id)
    assert refused["error_code"] == "BLOCKED_BY_POLICY"


async def test_what_is_to_be_done_is_listed_with_what_comes_first_first(here: Reading) -> None:
    """With its project and its list; what others are to do is not."""
    later = assigned(here, here.project, "later")
    first = assigned(here, here.project, "first", 3)
    first.up_next = True
    assigned(here, here.project, "for Ann").assignees = [here.ann]
    assigned(here, here.project, "done").complete(here.me, here.account.times.now())
    answer = await here.call("list_my_assignments")
    assert [(one["title"], one["priority"]) for one in answer["items"]] == [
        ("first", True),
        ("later", False),
    ]
    assert answer["items"][1] == {
        "id": later.id,
        "type": "todo",
        "title": "later",
        "project": {"id": here.project.id, "name": "Widgets launch"},
        "parent": {"id": later.parent.id if later.parent else 0, "name": "Launch"},
        "starts_on": None,
        "due_on": None,
        "completed": False,
        "priority": False,
        "assignees": [{"id": here.me.id, "name": "Robin Reader", "email": None}],
        "children": [],
        "url": (
            f"https://3.basecamp.com/{here.account.id}/buckets/{here.project.id}/todos/{later.id}"
        ),
        "comments_count": 0,
    }
    assert (answer["has_more"], answer["page_info"]["total_count"]) == (False, 2)


async def test_what_is_due_is_asked_of_basecamp(here: Reading) -> None:
    """By its own scopes."""
    assigned(here, here.project, "late", -1)
    assigned(here, here.project, "today", 0)
    assigned(here, here.project, "tomorrow", 1)
    assigned(here, here.project, "some day", 40)
    assigned(here, here.project, "done").complete(here.me, here.account.times.now())
    assert await titles(here, scope="overdue") == ["late"]
    assert await titles(here, scope="due_today") == ["today"]
    assert await titles(here, scope="due_tomorrow") == ["tomorrow"]
    assert await titles(here, scope="due_later") == ["some day"]
    assert await titles(here, scope="completed") == ["done"]
    wrong = await here.refused("list_my_assignments", scope="soon")
    assert wrong["details"]["field_errors"][0]["field"] == "scope"


@pytest.mark.requirement("basecamp.paging")
async def test_a_list_without_pages_is_cut_and_gone_on_with(here: Reading) -> None:
    """Basecamp sends all of it; a caller may want less."""
    wanted = [assigned(here, here.project, str(number)).content for number in range(7)]
    assert await titles(here) == wanted
    found = await here.everything("list_my_assignments", max_items=3)
    assert [one["title"] for one in found] == wanted


@pytest.mark.requirement("basecamp.bound")
async def test_a_bound_context_lists_what_is_to_be_done_in_its_project(here: Reading) -> None:
    """And counts nothing else."""
    other = here.account.add_project("Other")
    assigned(here, other, "far")
    assigned(here, here.project, "near")
    answer = await here.call("list_my_assignments", meta=bound_to(here.project))
    assert [one["title"] for one in answer["items"]] == ["near"]
    assert answer["page_info"]["total_count"] is None
    assert "far" not in str(answer)


@pytest.mark.requirement("basecamp.nulls")
async def test_a_card_with_steps_and_nulls_is_read(here: Reading) -> None:
    """Its steps are its children."""
    names = (
        *("app_url", "content", "starts_on", "due_on", "bucket", "completed", "type"),
        *("assignees", "comments_count", "parent", "children", "priority_recording_id"),
    )
    bare = dict.fromkeys(names)
    card = {**bare, "id": 7, "type": "card", "children": [{**bare, "id": 8, "content": "Step"}]}
    body = orjson.dumps({"priorities": None, "non_priorities": [card]}).decode()
    here.basecamp.faults.add(AnswerWith(status=200, body=body), path="*/assignments.json")
    answer = await here.call("list_my_assignments")
    (entry,) = answer["items"]
    assert (entry["type"], entry["title"], entry["project"]) == ("card", "", None)
    assert [(one["id"], one["title"]) for one in entry["children"]] == [(8, "Step")]
