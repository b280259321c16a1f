"""What the stand-in shows, one module per subject; each has its routes in `SHOWN`."""

from trunkline_shared.testing.basecamp.asked import Shown
from trunkline_shared.testing.basecamp.routes import comments, messages, projects

ROUTES: tuple[Shown, ...] = (*projects.SHOWN, *messages.SHOWN, *comments.SHOWN)
