"""Whether a recording lies in the project that a call is about.

Flat routes find a recording wherever it is, so the project that a caller names has to be compared.
"""

from collections.abc import Iterable
from typing import TypeVar

from trunkline_project_reader.basecamp.models import SentRecording
from trunkline_shared.binding import bound, require_bound
from trunkline_shared.errors import NotFound

RecordingT = TypeVar("RecordingT", bound=SentRecording)


def require_project(project_id: int) -> None:
    """Check that the context reaches the project. Raises BlockedByPolicy."""
    require_bound("project_id", project_id, "project_id")


def bound_project() -> int | None:
    """Return the project that the context is bound to, or None when it is bound to none."""
    wanted = bound("project_id")
    return int(wanted) if wanted is not None else None


def within(recording: RecordingT, project_id: int) -> RecordingT:
    """Return the recording when it lies in the project.

    Raises NotFound otherwise, naming where it lies unless the context is bound to a project.
    """
    if recording.bucket.id == project_id:
        return recording
    raise _elsewhere(recording, project_id)


def all_within(recordings: Iterable[RecordingT], project_id: int) -> tuple[RecordingT, ...]:
    """Return the recordings when all of them lie in the project. Raises as `within` does."""
    return tuple(within(one, project_id) for one in recordings)


def _elsewhere(recording: SentRecording, project_id: int) -> NotFound:
    kind = recording.type.replace("::", " ").lower() or "recording"
    details: dict[str, object] = {"reason": "other_project"}
    hint = "It may have been moved, or the id belongs to another project."
    if bound_project() is None:
        bucket = recording.bucket
        details["found_in"] = {"project_id": bucket.id, "project_name": bucket.name}
        hint = f"It lies in project {bucket.id} ({bucket.name}); pass that project_id."
    return NotFound(
        f"There is no {kind} {recording.id} in project {project_id}.", hint=hint, details=details
    )
