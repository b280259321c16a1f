"""What an operator reads of the router, and does to it."""

from typing import Any

import httpx2

from tests.system.mesh_in_containers import MeshInContainers
from tests.system.sdk_clients import bearing


async def page(mesh: MeshInContainers, path: str) -> Any:
    """Return one of the router's pages."""
    async with httpx2.AsyncClient(headers=dict(bearing(mesh)), timeout=30) as http:
        reply = await http.get(mesh.url + path)
        assert reply.status_code == 200, reply.text
        return reply.json()


async def reset_breaker(mesh: MeshInContainers, server: str) -> None:
    """Let a server be asked again at once."""
    async with httpx2.AsyncClient(headers=dict(bearing(mesh)), timeout=30) as http:
        reply = await http.post(f"{mesh.url}/api/servers/{server}/breaker")
        assert reply.status_code == 200, reply.text
