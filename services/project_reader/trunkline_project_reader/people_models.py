"""What the tools about people and their work return."""

from datetime import date

from pydantic import Field

from trunkline_project_reader.results import Author, ListResult, Result
from trunkline_project_reader.todo_models import Named
from trunkline_shared.listing import Entry


class PersonEntry(Entry):
    """Somebody; bots and people who have left have no e-mail address.

    `type` is User, Client, Integration and the like.
    """

    id: int | None = None
    name: str = ""
    email: str | None = None
    title: str = ""
    client: bool = False
    type: str = ""
    company: str | None = None
    admin: bool = False
    time_zone: str = ""


class People(ListResult):
    """A part of the people of an account or of a project."""

    items: list[PersonEntry]


class Subassignment(Result):
    """A part of an assignment, such as a step of a card."""

    id: int
    title: str
    completed: bool
    due_on: date | None
    assignees: list[Author]
    url: str


class AssignmentEntry(Entry):
    """A to-do or a card that one is to do; `parent` is the list that it stands in.

    `priority` says that it was put before the others.
    """

    id: int = 0
    type: str = ""
    title: str = ""
    project: Named | None = None
    parent: Named | None = None
    starts_on: date | None = None
    due_on: date | None = None
    completed: bool = False
    priority: bool = False
    assignees: list[Author] = Field(default_factory=list)
    children: list[Subassignment] = Field(default_factory=list)
    url: str = ""
    comments_count: int = 0


class Assignments(ListResult):
    """A part of what the token's person is to do."""

    items: list[AssignmentEntry]
