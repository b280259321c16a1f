"""The stand-in's to-dos look and behave as Basecamp documents them (bc3-api, sections/)."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.contract.basecamp import COMMENTED, NOW, RECORDING, Asker, asking
from trunkline_shared.testing.basecamp.todos import (
    Todolist,
    add_step,
    add_todo,
    add_todolist,
)

pytestmark = pytest.mark.anyio

LIST = COMMENTED | {
    *("position", "description", "completed", "completed_ratio", "name", "color"),
    *("todos_url", "app_todos_url"),
}
TO_DO = COMMENTED | {
    *("description", "completed", "content", "starts_on", "due_on", "assignees"),
    *("completion_subscribers", "completion_url"),
}


@pytest.fixture
async def here(session: aiohttp.ClientSession) -> AsyncIterator[Asker]:
    """A stand-in with a project, and somebody who may see it."""
    async with asking(session) as made:
        yield made


@pytest.fixture
def launch(here: Asker) -> Todolist:
    """A list in the project."""
    return add_todolist(here.account, here.project.tool("todoset"), "Launch", here.me)


async def test_a_list_has_groups_and_a_group_has_a_place(here: Asker, launch: Todolist) -> None:
    """That tells them apart; both are lists, and a group has no groups."""
    group = add_todolist(here.account, launch, "Group A", here.me)
    add_todo(here.account, group, "one", here.me).complete(here.me, NOW)
    add_todo(here.account, launch, "two", here.me)
    (shown,) = (await here.get(f"/todosets/{here.project.tool('todoset').id}/todolists.json")).json
    assert shown.keys() >= LIST | {"groups_url"}
    assert (shown["completed_ratio"], shown["parent"]["type"]) == ("1/2", "Todoset")
    (inner,) = (await here.get(shown["groups_url"])).json
    assert inner.keys() >= LIST | {"group_position_url"}
    assert "groups_url" not in inner
    assert (inner["completed_ratio"], inner["completed"]) == ("1/1", True)
    assert inner["parent"]["type"] == "Todolist"
    assert (await here.get(f"/todolists/{group.id}/groups.json")).status == 404
    assert (await here.get(f"/todolists/{group.id}.json")).json["name"] == "Group A"


async def test_a_list_shows_its_own_pending_to_dos(here: Asker, launch: Todolist) -> None:
    """Completed ones, archived ones and those of groups have to be asked for."""
    pending, done, old = (
        add_todo(here.account, launch, content, here.me) for content in ("pending", "done", "old")
    )
    done.complete(None, NOW)
    old.status = "archived"
    add_todo(here.account, add_todolist(here.account, launch, "Group", here.me), "in", here.me)
    at = f"/todolists/{launch.id}/todos.json"

    async def contents(query: str) -> list[str]:
        return [one["content"] for one in (await here.get(at + query)).json]

    assert await contents("") == [pending.content]
    assert await contents("?completed=false") == ["pending"]
    assert await contents("?completed=true") == ["done"]
    assert await contents("?status=archived") == ["old"]
    old.complete(here.me, NOW)
    assert await contents("?status=archived") == ["old"]
    assert await contents("?status=archived&completed=true") == ["old"]
    assert await contents("?status=trashed") == []


async def test_a_to_do_is_shown_as_it_is_documented(here: Asker, launch: Todolist) -> None:
    """With a position while it is pending, with a completion when it is done."""
    todo = add_todo(here.account, launch, "Ship", here.me)
    todo.assignees = [here.me]
    shown = (await here.get(f"/todos/{todo.id}.json")).json
    assert shown.keys() >= TO_DO | {"position"}
    assert "completion" not in shown
    assert (shown["content"], shown["title"], shown["due_on"]) == ("Ship", "Ship", None)
    todo.complete(None, NOW)
    shown = (await here.get(f"/todos/{todo.id}.json")).json
    assert shown.keys() >= TO_DO | {"completion"}
    assert "position" not in shown
    assert shown["completion"] == {"created_at": "2026-02-08T06:00:00.000-06:00", "creator": None}


async def test_steps_are_subtasks_of_a_to_do(here: Asker, launch: Todolist) -> None:
    """Counted in it, listed beside it."""
    todo = add_todo(here.account, launch, "Ship", here.me)
    add_step(here.account, todo, "Pack", here.me)
    add_step(here.account, todo, "Post", here.me).completed_at = NOW
    shown = (await here.get(f"/todos/{todo.id}.json")).json
    assert (shown["subtasks_count"], shown["subtasks_completed_count"]) == (2, 1)
    first, second = (await here.get(shown["subtasks_url"])).json
    assert first.keys() >= RECORDING | {"completed", "due_on", "assignees", "completion_url"}
    assert (first["title"], first["position"], first["completed"]) == ("Pack", 1, False)
    assert (second["title"], second["position"], second["completed"]) == ("Post", 2, True)
    assert first["type"] == "Kanban::Step"


async def test_what_one_may_not_see_is_not_there(here: Asker, launch: Todolist) -> None:
    """404 for what is hidden from clients, and for the whole of a closed project."""
    todo = add_todo(here.account, launch, "Ship", here.me)
    here.me.kind = "Client"
    todo.visible_to_clients = False
    assert (await here.get(f"/todos/{todo.id}.json")).status == 404
    assert (await here.get(f"/todolists/{launch.id}/todos.json")).json == []
    here.project.closed_to[here.me.id] = 403
    assert (await here.get(f"/todolists/{launch.id}.json")).status == 403
