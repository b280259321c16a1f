"""To-do lists, their groups, to-dos and steps, as Basecamp sends them.

bc3-api, sections/todolists.md, todolist_groups.md, todos.md and subtasks.md.
"""

from datetime import date
from typing import Annotated

from pydantic import BeforeValidator

from trunkline_project_reader.basecamp.models import (
    Attached,
    Count,
    Html,
    OrNothing,
    Sent,
    SentPerson,
    SentRecording,
    Truth,
    When,
    Words,
)
from trunkline_project_reader.basecamp.reading import get, one, page
from trunkline_shared.exchange import Endpoint
from trunkline_shared.vendor.page import Page

Query = tuple[tuple[str, str], ...]

_TODOLISTS = "/todosets/{todoset_id}/todolists.json"
_GROUPS = "/todolists/{todolist_id}/groups.json"
_TODOLIST = "/todolists/{todolist_id}.json"
_TODOS = "/todolists/{todolist_id}/todos.json"
_TODO = "/todos/{todo_id}.json"
_STEPS = "/recordings/{todo_id}/subtasks.json"


def _or_none(value: object) -> object:
    return value or None


def _present(value: object) -> object:
    """Drop what is null where people should be."""
    return tuple(one for one in value if one is not None) if isinstance(value, list) else value


Day = Annotated[date | None, BeforeValidator(_or_none)]
People = Annotated[tuple[SentPerson, ...], BeforeValidator(_present), OrNothing]


class SentTodolist(SentRecording):
    """A list of a to-do set, or a group in such a list; the ratio is `done/all`, as a text."""

    name: Words = ""
    description: Html = ""
    description_attachments: Attached = ()
    completed: Truth = False
    completed_ratio: Words = ""
    todos_url: Words = ""
    color: Words = ""
    position: int | None = None


class SentCompletion(Sent):
    """That a to-do was ticked off; nobody may be known to have done it."""

    created_at: When | None = None
    creator: SentPerson | None = None


class SentStep(SentRecording):
    """A step of a to-do; Basecamp calls it a subtask, too."""

    completed: Truth = False
    due_on: Day = None
    assignees: People = ()
    position: int | None = None


class SentTodo(SentRecording):
    """A to-do: `content` is its title, in plain text, `description` the rich text."""

    content: Words = ""
    description: Html = ""
    description_attachments: Attached = ()
    starts_on: Day = None
    due_on: Day = None
    assignees: People = ()
    completion_subscribers: People = ()
    completed: Truth = False
    completion: SentCompletion | None = None
    position: int | None = None
    steps: Annotated[tuple[SentStep, ...], OrNothing] = ()
    subtasks_count: Count = 0


_read_todolist = one(SentTodolist)
_read_todolists = page(SentTodolist)
_read_todo = one(SentTodo)
_read_todos = page(SentTodo)
_read_steps = page(SentStep)


def todolists(todoset_id: int, status: str) -> Endpoint[Page[SentTodolist]]:
    """List the to-do lists of a set; Basecamp's own default is the active ones, and only they."""
    return get(_TODOLISTS, _read_todolists, _of(status), todoset_id=todoset_id)


def groups(todolist_id: int, status: str) -> Endpoint[Page[SentTodolist]]:
    """List the groups of a to-do list; a group has none, and answers 404."""
    return get(_GROUPS, _read_todolists, _of(status), todolist_id=todolist_id)


def todolist(todolist_id: int) -> Endpoint[SentTodolist]:
    """Read one to-do list, or one group."""
    return get(_TODOLIST, _read_todolist, todolist_id=todolist_id)


def todos(todolist_id: int, status: str, *, completed: bool) -> Endpoint[Page[SentTodo]]:
    """List a list's own to-dos, without those of its groups.

    Basecamp's own default is the active pending ones; other statuses hold pending and completed
    ones, unless the completed ones are asked for.
    """
    query: Query = (("completed", "true"),) if completed else ()
    return get(_TODOS, _read_todos, (*_of(status), *query), todolist_id=todolist_id)


def todo(todo_id: int) -> Endpoint[SentTodo]:
    """Read one to-do."""
    return get(_TODO, _read_todo, todo_id=todo_id)


def steps(todo_id: int) -> Endpoint[Page[SentStep]]:
    """List the steps of a to-do, in their order."""
    return get(_STEPS, _read_steps, todo_id=todo_id)


def _of(status: str) -> Query:
    return () if status == "active" else (("status", status),)
