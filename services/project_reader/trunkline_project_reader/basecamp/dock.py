"""The dock of a project: which tools it has, found by their names, never by title or type."""

from collections.abc import Sequence

from trunkline_project_reader.basecamp.models import SentDockEntry, SentProject
from trunkline_shared.errors import NotFound, ToolNotEnabled

MESSAGE_BOARD = "message_board"
TODOSET = "todoset"
VAULT = "vault"
CHAT = "chat"
SCHEDULE = "schedule"
QUESTIONNAIRE = "questionnaire"
INBOX = "inbox"
KANBAN_BOARD = "kanban_board"


def preferred(dock: Sequence[SentDockEntry], name: str) -> SentDockEntry | None:
    """Return the entry of a name: an enabled one first, then the one in the lowest position.

    A project can hold several tools of one kind.
    """
    return min((entry for entry in dock if entry.name == name), key=_rank, default=None)


def _rank(entry: SentDockEntry) -> tuple[bool, bool, int]:
    return not entry.enabled, entry.position is None, entry.position or 0


def enabled_names(dock: Sequence[SentDockEntry]) -> list[str]:
    """Return the names of the enabled tools, once each, in the order of the dock."""
    enabled = sorted((entry for entry in dock if entry.enabled), key=_rank)
    return list(dict.fromkeys(entry.name for entry in enabled))


def tool_of(project: SentProject, name: str, wanted: int = 0) -> SentDockEntry:
    """Return the project's tool of a name: the one with the id `wanted`, or the preferred one.

    Raises ToolNotEnabled for one that is disabled or absent, NotFound for an id that is not in
    the dock.
    """
    entry = preferred(project.dock, name)
    if entry is not None and wanted:
        entry = _with_id(project, name, wanted)
    if entry is None or not entry.enabled:
        raise _not_enabled(project, name, "absent" if entry is None else "disabled")
    return entry


def _with_id(project: SentProject, name: str, wanted: int) -> SentDockEntry:
    known = {entry.id: entry for entry in project.dock if entry.name == name}
    if wanted not in known:
        ids = ", ".join(map(str, known))
        raise NotFound(
            f"Project {project.id} ({project.name}) has no {name} {wanted}.",
            hint=f"Its {name} ids: {ids}. Leave the id out to use the first.",
            details={"reason": "not_in_dock", "known": list(known)},
        )
    return known[wanted]


def _not_enabled(project: SentProject, name: str, reason: str) -> ToolNotEnabled:
    enabled = enabled_names(project.dock)
    said = "has no" if reason == "absent" else "has switched off its"
    return ToolNotEnabled(
        f"Project {project.id} ({project.name}) {said} {name}.",
        hint=f"Enabled there: {', '.join(enabled) or 'nothing'}.",
        details={"reason": reason, "tool": name, "enabled": enabled},
    )
