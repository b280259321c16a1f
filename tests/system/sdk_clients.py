"""The SDK's own clients of every era, with the key that starting made."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, ClientSession
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from tests.system.agents import Ask
from tests.system.mesh_in_containers import MeshInContainers

NOTE = "dev.trunkline/call"


def bearing(mesh: MeshInContainers) -> Mapping[str, str]:
    """Return the header that lets a client in."""
    return {"Authorization": f"Bearer {mesh.key}"}


@asynccontextmanager
async def client(
    mesh: MeshInContainers, mode: str = "auto", path: str = "/mcp"
) -> AsyncIterator[Client]:
    """Be a client of Streamable HTTP; `legacy` begins with initialize."""
    async with (
        httpx2.AsyncClient(headers=dict(bearing(mesh)), timeout=60) as http,
        Client(streamable_http_client(mesh.url + path, http_client=http), mode=mode) as made,
    ):
        yield made


@asynccontextmanager
async def old_client(mesh: MeshInContainers) -> AsyncIterator[ClientSession]:
    """Be a client of HTTP+SSE, as it was in 2024."""
    async with (
        sse_client(f"{mesh.url}/sse", headers=dict(bearing(mesh))) as (reading, writing),
        ClientSession(reading, writing) as session,
    ):
        await session.initialize()
        yield session


async def answered(by: Client | ClientSession, ask: Ask) -> Any:
    """Return what a call is answered with, and how the router came by it."""
    result = await by.call_tool(ask.tool, dict(ask.arguments))
    assert not result.is_error, (ask, result.content)
    return result.structured_content, (result.meta or {})[NOTE]
