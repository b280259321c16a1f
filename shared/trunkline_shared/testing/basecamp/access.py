"""Who may see what: finds what a call names, or refuses as Basecamp does."""

from typing import TypeVar

from trunkline_shared.testing.basecamp.asked import Asked
from trunkline_shared.testing.basecamp.projects import DockTool, Project
from trunkline_shared.testing.basecamp.recordings import Recording
from trunkline_shared.testing.stand_in.call import Answer, Refusal

RecordingT = TypeVar("RecordingT", bound=Recording)
NOT_FOUND = Answer(status=404, json={"status": 404, "error": "Not Found"})
FORBIDDEN = Answer(status=403, json={"status": 403, "error": "Forbidden"})


def project_named(asked: Asked, name: str = "project_id") -> Project:
    """Return the project that the path names, when the caller may see it."""
    return seen(asked, asked.account.projects.get(asked.number(name)))


def seen(asked: Asked, project: Project | None) -> Project:
    """Return a project that the caller may see."""
    if project is None:
        raise Refusal(NOT_FOUND)
    closed = project.closed_to.get(asked.person.id)
    if closed is not None:
        raise Refusal(FORBIDDEN if closed == FORBIDDEN.status else NOT_FOUND)
    return project


def sees(asked: Asked, recording: Recording) -> bool:
    """Say whether the caller may see a recording: clients see what is visible to them."""
    is_open = asked.person.id not in recording.project.closed_to
    return is_open and (asked.person.kind != "Client" or recording.visible_to_clients)


def recording_named(asked: Asked, kind: type[RecordingT], name: str) -> RecordingT:
    """Return the recording of a kind that the path names, when the caller may see it."""
    found = asked.account.recordings.get(asked.number(name))
    if not isinstance(found, kind):
        raise Refusal(NOT_FOUND)
    seen(asked, found.project)
    if not sees(asked, found):
        raise Refusal(NOT_FOUND)
    return found


def tool_named(asked: Asked, kind: str, name: str) -> DockTool:
    """Return the tool of a kind that the path names, when the caller may see its project."""
    wanted = asked.number(name)
    for project in asked.account.projects.values():
        for tool in project.dock:
            if tool.id == wanted and tool.name == kind:
                seen(asked, project)
                return tool
    raise Refusal(NOT_FOUND)
