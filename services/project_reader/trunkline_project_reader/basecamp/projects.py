"""Endpoints of projects (bc3-api, sections/projects.md)."""

from trunkline_project_reader.basecamp.belonging import require_project
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.dock import tool_of
from trunkline_project_reader.basecamp.models import SentDockEntry, SentProject
from trunkline_project_reader.basecamp.reading import get, one, page
from trunkline_shared.exchange import Endpoint
from trunkline_shared.vendor.page import Page

_PROJECTS = "/projects.json"
_PROJECT = "/projects/{project_id}.json"

_read_project = one(SentProject)
_read_page = page(SentProject)


def project(project_id: int) -> Endpoint[SentProject]:
    """Read one project, with its dock."""
    return get(_PROJECT, _read_project, project_id=project_id)


def projects(status: str) -> Endpoint[Page[SentProject]]:
    """List the projects of a status; Basecamp's own default is the active ones, and only they."""
    return get(_PROJECTS, _read_page, () if status == "active" else (("status", status),))


async def dock_tool(
    basecamp: Basecamp, project_id: int, name: str, wanted: int = 0
) -> SentDockEntry:
    """Return a project's tool of a name: the one with the id `wanted`, or the first enabled one.

    Raises BlockedByPolicy, ToolNotEnabled, NotFound, or what asking for the project raises.
    """
    await basecamp.account()
    require_project(project_id)
    return tool_of(await basecamp.fetch(project(project_id)), name, wanted)
