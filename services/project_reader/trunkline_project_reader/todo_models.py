"""What the tools about to-dos return."""

from datetime import date, datetime

from pydantic import Field

from trunkline_project_reader.results import Author, File, ListResult, Result
from trunkline_shared.listing import Entry


class Named(Result):
    """Something else, by its id and its name."""

    id: int
    name: str


class Group(Result):
    """A group of a to-do list: list_todos reads it like a list."""

    id: int
    name: str
    completed: bool
    completed_ratio: str
    total_count: int | None
    completed_count: int | None
    color: str | None
    position: int | None


class TodolistEntry(Entry):
    """A to-do list; `description` is Markdown, `groups` is null when not asked for."""

    id: int = 0
    name: str = ""
    description: str = ""
    completed: bool = False
    completed_ratio: str = ""
    total_count: int | None = None
    completed_count: int | None = None
    todos_url: str = ""
    url: str = ""
    color: str | None = None
    position: int | None = None
    groups: list[Group] | None = None


class Todolists(ListResult):
    """A part of a to-do set, by its id."""

    todoset_id: int
    items: list[TodolistEntry]


class TodoEntry(Entry):
    """A to-do of a list; `content` is its description in Markdown, `group` where it stands."""

    id: int = 0
    title: str = ""
    content: str = ""
    assignees: list[Author] = Field(default_factory=list)
    starts_on: date | None = None
    due_on: date | None = None
    completed: bool = False
    completed_at: datetime | None = None
    completer: Author | None = None
    position: int | None = None
    group: Named | None = None
    url: str = ""
    comments_count: int = 0


class Todos(ListResult):
    """A part of a to-do list, with the groups whose to-dos are in it, too."""

    todolist_id: int
    groups: list[Named]
    items: list[TodoEntry]


class Step(Result):
    """A step of a to-do."""

    id: int
    title: str
    completed: bool
    due_on: date | None
    assignees: list[Author]
    url: str


class Completion(Result):
    """When a to-do was completed, and by whom."""

    completed_at: datetime | None
    completer: Author | None


class Todo(Result):
    """A to-do in full; `content` is its description in Markdown."""

    id: int
    title: str
    author: Author | None
    status: str
    created_at: datetime | None
    updated_at: datetime | None
    url: str
    content: str
    assignees: list[Author]
    starts_on: date | None
    due_on: date | None
    completed: bool
    completed_at: datetime | None
    completer: Author | None
    completion: Completion | None
    subscribers: list[Author]
    position: int | None
    todolist: Named | None
    comments_count: int
    attachments: list[File]
    mentions: list[str]
    steps: list[Step]
