"""To-do lists, groups, to-dos and steps.

bc3-api, sections/todolists.md, todolist_groups.md, todos.md and subtasks.md.
"""

from trunkline_shared.testing.basecamp.access import NOT_FOUND, recording_named, sees, tool_named
from trunkline_shared.testing.basecamp.asked import Asked, Shown
from trunkline_shared.testing.basecamp.paging import paged
from trunkline_shared.testing.basecamp.payloads.todos import step, todo, todolist
from trunkline_shared.testing.basecamp.projects import DockTool
from trunkline_shared.testing.basecamp.todos import Todo, Todolist
from trunkline_shared.testing.stand_in.call import Answer, Refusal


def list_todolists(asked: Asked) -> Answer:
    """Return a page of a set's lists: the active ones unless another status is asked for."""
    return _lists_in(asked, tool_named(asked, "todoset", "todoset_id"))


def list_groups(asked: Asked) -> Answer:
    """Return a page of a list's groups; a group has none, and no such address."""
    parent = recording_named(asked, Todolist, "todolist_id")
    if parent.is_group:
        raise Refusal(NOT_FOUND)
    return _lists_in(asked, parent)


def get_todolist(asked: Asked) -> Answer:
    """Return one list, or one group."""
    found = recording_named(asked, Todolist, "todolist_id")
    return Answer(json=todolist(found, asked.account, asked.urls))


def list_todos(asked: Asked) -> Answer:
    """Return a page of a list's own to-dos, without those of its groups.

    The active pending ones; with `completed` the completed ones; with another status both.
    """
    parent = recording_named(asked, Todolist, "todolist_id")
    status = asked.query.get("status", "active")
    completed = asked.query.get("completed") == "true"
    found = [
        one
        for one in asked.account.of_kind(Todo)
        if one.parent is parent
        and one.status == status
        and (one.completed == completed or (status != "active" and not completed))
        and sees(asked, one)
    ]
    return paged(asked, found, lambda one: todo(one, asked.account, asked.urls))


def get_todo(asked: Asked) -> Answer:
    """Return one to-do."""
    return Answer(json=todo(recording_named(asked, Todo, "todo_id"), asked.account, asked.urls))


def list_steps(asked: Asked) -> Answer:
    """Return a page of a to-do's steps, in their order."""
    steps = recording_named(asked, Todo, "recording_id").steps
    return paged(asked, steps, lambda one: step(one, steps, asked.urls))


def _lists_in(asked: Asked, parent: DockTool | Todolist) -> Answer:
    status = asked.query.get("status", "active")
    found = [
        one
        for one in asked.account.of_kind(Todolist)
        if one.parent is parent and one.status == status and sees(asked, one)
    ]
    return paged(asked, found, lambda one: todolist(one, asked.account, asked.urls))


SHOWN = (
    Shown(path="/todosets/{todoset_id}/todolists.json", show=list_todolists),
    Shown(path="/todolists/{todolist_id}.json", show=get_todolist),
    Shown(path="/todolists/{todolist_id}/groups.json", show=list_groups),
    Shown(path="/todolists/{todolist_id}/todos.json", show=list_todos),
    Shown(path="/todos/{todo_id}.json", show=get_todo),
    Shown(path="/recordings/{recording_id}/subtasks.json", show=list_steps),
)
