"""Listing the to-do lists of a project, with their groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trunkline_project_reader.arguments import BodyForm
from trunkline_project_reader.basecamp import todos
from trunkline_project_reader.basecamp.belonging import all_within
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.dock import TODOSET
from trunkline_project_reader.basecamp.listing import MOST_ITEMS, Extent, Listing
from trunkline_project_reader.basecamp.projects import dock_tool
from trunkline_project_reader.basecamp.todos import SentTodolist
from trunkline_project_reader.bodies import RichText, bodies_of, form_in
from trunkline_project_reader.results import ending
from trunkline_project_reader.todo_models import Group, TodolistEntry, Todolists
from trunkline_shared.errors import NotFound
from trunkline_shared.listing import choose
from trunkline_shared.together import together

Status = Literal["active", "archived", "trashed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TodolistQuery:
    """Which lists of which to-do set of a project to list."""

    project_id: int
    todoset_id: int = 0
    status: Status = "active"
    include_groups: bool = False


async def browse(
    basecamp: Basecamp, query: TodolistQuery, extent: Extent, fields: Sequence[str]
) -> Todolists:
    """Return a part of a project's to-do lists.

    Raises InvalidInput for an unknown field before anything is asked, ToolNotEnabled for a project
    without to-dos, else a TrunklineError.
    """
    choose((), fields, TodolistEntry)
    wants_groups = query.include_groups and (not fields or "groups" in fields)
    todoset = await dock_tool(basecamp, query.project_id, TODOSET, query.todoset_id)
    listing = Listing(
        endpoints=(todos.todolists(todoset.id, query.status),),
        question=("todolists", todoset.id, query.status),
    )
    listed = await basecamp.listed(listing, extent)
    found = all_within(listed.items, query.project_id)
    groups = await _groups_of_all(basecamp, query, found) if wants_groups else None
    entries = await _entries(found, form_in(fields, "description"))
    if groups is not None:
        entries = [one.model_copy(update={"groups": groups[one.id]}) for one in entries]
    return Todolists(
        todoset_id=todoset.id, items=choose(entries, fields, TodolistEntry), **ending(listed)
    )


async def groups_of(
    basecamp: Basecamp, todolist_id: int, status: Status
) -> tuple[SentTodolist, ...]:
    """Return the groups of a list, those of another status too; a group itself has none."""
    statuses = dict.fromkeys(("active", status))
    listing = Listing(
        endpoints=tuple(todos.groups(todolist_id, one) for one in statuses),
        question=("groups", todolist_id, status),
    )
    try:
        listed = await basecamp.listed(listing, Extent(max_items=MOST_ITEMS))
    except NotFound:
        return ()
    return listed.items


async def _groups_of_all(
    basecamp: Basecamp, query: TodolistQuery, found: Sequence[SentTodolist]
) -> dict[int, list[Group]]:
    async with together() as tasks:
        reading = {
            one.id: tasks.create_task(groups_of(basecamp, one.id, query.status)) for one in found
        }
    return {
        number: [_group(one) for one in all_within(task.result(), query.project_id)]
        for number, task in reading.items()
    }


async def _entries(found: Sequence[SentTodolist], form: BodyForm) -> list[TodolistEntry]:
    texts = (
        RichText(html=one.description, attachments=one.description_attachments) for one in found
    )
    bodies = await bodies_of(texts, form)
    return [_entry(one, body.markdown) for one, body in zip(found, bodies, strict=True)]


def _entry(one: SentTodolist, description: str) -> TodolistEntry:
    done, total = counts(one.completed_ratio)
    return TodolistEntry(
        id=one.id,
        name=one.name or one.title,
        description=description,
        completed=one.completed,
        completed_ratio=one.completed_ratio,
        total_count=total,
        completed_count=done,
        todos_url=one.todos_url,
        url=one.app_url,
        color=one.color or None,
        position=one.position,
    )


def _group(one: SentTodolist) -> Group:
    done, total = counts(one.completed_ratio)
    return Group(
        id=one.id,
        name=one.name or one.title,
        completed=one.completed,
        completed_ratio=one.completed_ratio,
        total_count=total,
        completed_count=done,
        color=one.color or None,
        position=one.position,
    )


def counts(ratio: str) -> tuple[int | None, int | None]:
    """Return how many are done and how many there are, of `done/all`; else nothing."""
    done, _, total = ratio.partition("/")
    if not all(part.isascii() and part.isdigit() for part in (done, total)):
        return None, None
    return int(done), int(total)
