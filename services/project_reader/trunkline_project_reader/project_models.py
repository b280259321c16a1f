"""What the tools about projects return."""

from datetime import datetime

from pydantic import Field

from trunkline_project_reader.results import ListResult, Result
from trunkline_shared.listing import Entry


class ProjectEntry(Entry):
    """A project; `tools` names those that are enabled."""

    id: int = 0
    name: str = ""
    description: str = ""
    status: str = ""
    purpose: str = ""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    url: str = ""
    tools: list[str] = Field(default_factory=list)


class Projects(ListResult):
    """A part of the account's projects."""

    items: list[ProjectEntry]


class DockTool(Result):
    """A tool of a project."""

    id: int
    enabled: bool
    title: str
    url: str


class NamedDockTool(DockTool):
    """A tool of a project with its name; a disabled one has no position."""

    name: str
    position: int | None


class ProjectTools(Result):
    """The tools of a project by name; of several with one name, the one that is used by default.

    `all_tools` has every one of them.
    """

    project_id: int
    project_name: str
    message_board_id: int | None
    todoset_id: int | None
    vault_id: int | None
    chat_id: int | None
    schedule_id: int | None
    questionnaire_id: int | None
    inbox_id: int | None
    kanban_board_id: int | None
    tools: dict[str, DockTool]
    all_tools: list[NamedDockTool]
