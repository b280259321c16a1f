"""To-do lists, their groups, to-dos and the steps of to-dos."""

from dataclasses import dataclass, field
from datetime import date, datetime

from trunkline_shared.testing.basecamp.account import Account
from trunkline_shared.testing.basecamp.people import Person
from trunkline_shared.testing.basecamp.projects import DockTool
from trunkline_shared.testing.basecamp.recordings import Attachment, Recording


@dataclass(slots=True, kw_only=True, eq=False)
class Todolist(Recording):
    """A list in a to-do set, or a group in such a list; `description` is HTML."""

    type = "Todolist"
    route = "todolists"

    name: str
    description: str | None = ""
    color: str | None = None

    @property
    def title(self) -> str:
        return self.name

    @property
    def is_group(self) -> bool:
        return isinstance(self.parent, Todolist)


@dataclass(slots=True, kw_only=True, eq=False)
class Step(Recording):
    """A step of a to-do, which Basecamp calls a subtask, and a step in its types."""

    type = "Kanban::Step"
    route = "subtasks"

    name: str
    due_on: date | None = None
    assignees: list[Person] = field(default_factory=list)
    completed_at: datetime | None = None

    @property
    def title(self) -> str:
        return self.name


@dataclass(slots=True, kw_only=True, eq=False)
class Todo(Recording):
    """A to-do; `content` is its title, `description` is HTML.

    `up_next` says that its assignees have put it before their other assignments.
    """

    type = "Todo"
    route = "todos"

    content: str
    description: str | None = ""
    starts_on: date | None = None
    due_on: date | None = None
    assignees: list[Person] = field(default_factory=list)
    subscribers: list[Person] = field(default_factory=list)
    completed_at: datetime | None = None
    completer: Person | None = None
    up_next: bool = False
    attachments: list[Attachment] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    @property
    def title(self) -> str:
        return self.content

    @property
    def completed(self) -> bool:
        return self.completed_at is not None

    def complete(self, by: Person | None, at: datetime) -> None:
        """Tick it off."""
        self.completed_at, self.completer = at, by


def add_todolist(
    account: Account, parent: DockTool | Todolist, name: str, creator: Person | None
) -> Todolist:
    """Add a list to a to-do set, or a group to a list."""
    now = account.times.tick()
    return account.keep(
        Todolist(
            id=account.times.next_id(),
            project=parent.project,
            creator=creator,
            created_at=now,
            updated_at=now,
            parent=parent,
            name=name,
        )
    )


def add_todo(account: Account, todolist: Todolist, content: str, creator: Person | None) -> Todo:
    """Add a pending to-do to a list or a group, behind the others."""
    now = account.times.tick()
    return account.keep(
        Todo(
            id=account.times.next_id(),
            project=todolist.project,
            creator=creator,
            created_at=now,
            updated_at=now,
            parent=todolist,
            content=content,
        )
    )


def add_step(account: Account, todo: Todo, name: str, creator: Person | None) -> Step:
    """Add a step to a to-do."""
    now = account.times.tick()
    step = Step(
        id=account.times.next_id(),
        project=todo.project,
        creator=creator,
        created_at=now,
        updated_at=now,
        parent=todo,
        name=name,
    )
    todo.steps.append(step)
    return account.keep(step)
