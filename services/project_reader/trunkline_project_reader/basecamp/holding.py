"""What holds a list, and whether it lies in the project that a call is about."""

from trunkline_project_reader.basecamp.belonging import (
    RecordingT,
    all_within,
    require_project,
    within,
)
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.listing import Listed
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
    listed: Listed[RecordingT],
    holder: Endpoint[SentRecording],
) -> None:
    """Check that a list lies in the project: by what is in it, or an empty one by its holder.

    Raises NotFound.
    """
    if listed.items:
        all_within(listed.items, project_id)
    else:
        within(await basecamp.fetch(holder), project_id)
