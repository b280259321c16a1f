"""What is asked of the pages about what happens."""

from typing import Any
from urllib.parse import urlencode

from tests.interaction.keys import bearing
from tests.interaction.mesh import Mesh
from tests.interaction.wire import Reply, get

TRACES = "/api/traces"


async def page(mesh: Mesh, path: str, bearer: str | None = None, **query: str) -> Reply:
    """Ask for a page."""
    asked = f"?{urlencode(query)}" if query else ""
    return await get(mesh.port, f"{path}{asked}", bearing(bearer))


async def rows(mesh: Mesh, **query: str) -> list[Any]:
    """Return the lines about traces."""
    reply = await page(mesh, TRACES, **query)
    assert reply.status == 200, reply.body
    return list(reply.json["traces"])


async def trace(mesh: Mesh, trace_id: str) -> Any:
    """Return a whole trace."""
    reply = await page(mesh, f"{TRACES}/{trace_id}")
    assert reply.status == 200, reply.body
    return reply.json
