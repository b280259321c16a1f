"""What holds a list, and whether it lies in the project that a call is about."""

from collections.abc import Sequence

from trunkline_project_reader.basecamp.belonging import (
    RecordingT,
    all_within,
    require_project,
    within,
)
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.models import SentRecording
from trunkline_shared.exchange import Endpoint


async def found(basecamp: Basecamp, project_id: int, endpoint: Endpoint[RecordingT]) -> RecordingT:
    """Return a recording of a project.

    Raises BlockedByPolicy before anything is asked, NotFound for one that lies elsewhere.
    """
    await basecamp.account()
    require_project(project_id)
    return within(await basecamp.fetch(endpoint), project_id)


async def require_held(
    basecamp: Basecamp,
    project_id: int,
    items: Sequence[RecordingT],
    holder: Endpoint[SentRecording],
) -> None:
    """Check that what a caller named lies in the project, by the items that it holds.

    It is asked itself when it holds none, or some that lie elsewhere: the caller has named it, and
    none of them. Raises NotFound.
    """
    if not items or any(one.bucket.id != project_id for one in items):
        within(await basecamp.fetch(holder), project_id)
    all_within(items, project_id)
