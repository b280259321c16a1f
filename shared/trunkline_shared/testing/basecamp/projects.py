"""Projects and their docks."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

ProjectStatus = Literal["active", "archived", "trashed"]

TITLES = {
    "message_board": "Message Board",
    "todoset": "To-dos",
    "vault": "Docs & Files",
    "chat": "Campfire",
    "schedule": "Schedule",
    "questionnaire": "Automatic Check-ins",
    "inbox": "Email Forwards",
    "kanban_board": "Card Table",
}
TYPES = {
    "message_board": "Message::Board",
    "todoset": "Todoset",
    "vault": "Vault",
    "chat": "Chat::Transcript",
    "schedule": "Schedule",
    "questionnaire": "Questionnaire",
    "inbox": "Inbox",
    "kanban_board": "Kanban::Board",
}
ROUTES = {
    "message_board": "message_boards",
    "todoset": "todosets",
    "vault": "vaults",
    "chat": "chats",
    "schedule": "schedules",
    "questionnaire": "questionnaires",
    "inbox": "inboxes",
    "kanban_board": "card_tables",
}


@dataclass(slots=True, kw_only=True, eq=False)
class DockTool:
    """A tool in the dock of a project; a disabled one has no position."""

    id: int
    project: "Project"
    name: str
    title: str
    enabled: bool = True
    position: int | None = 1

    @property
    def type(self) -> str:
        return TYPES[self.name]

    @property
    def route(self) -> str:
        return ROUTES[self.name]

    def disable(self) -> None:
        self.enabled, self.position = False, None


@dataclass(slots=True, kw_only=True, eq=False)
class Project:
    """A project; `closed_to` tells the status with which it answers to people who may not see it.

    `description` is null when nobody wrote one.
    """

    id: int
    name: str
    created_at: datetime
    updated_at: datetime
    description: str | None = None
    status: ProjectStatus = "active"
    purpose: str = "topic"
    dock: list[DockTool] = field(default_factory=list)
    closed_to: dict[int, int] = field(default_factory=dict)

    def tool(self, name: str) -> DockTool:
        """Return the first tool of a name, which must be there."""
        return next(tool for tool in self.dock if tool.name == name)

    def without(self, *names: str) -> None:
        """Take tools out of the dock, as in projects that never had them."""
        self.dock = [tool for tool in self.dock if tool.name not in names]
