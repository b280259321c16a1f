"""What the stand-in shows, one module per subject; each has its routes in `SHOWN`.

The first route that fits is taken: `/projects/recordings.json` looks like a project, too.
"""

from trunkline_shared.testing.basecamp.asked import Shown
from trunkline_shared.testing.basecamp.routes import (
    assignments,
    campfire,
    comments,
    files,
    messages,
    people,
    projects,
    recordings,
    schedule,
    search,
    todos,
)

ROUTES: tuple[Shown, ...] = (
    *recordings.SHOWN,
    *projects.SHOWN,
    *messages.SHOWN,
    *comments.SHOWN,
    *todos.SHOWN,
    *files.SHOWN,
    *campfire.SHOWN,
    *schedule.SHOWN,
    *people.SHOWN,
    *search.SHOWN,
    *assignments.SHOWN,
)
