"""Servers of older revisions: the SDK's own, kept from answering in the words of 2026-07-28."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import SamplingMessage, TextContent
from pydantic import BaseModel
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from trunkline_shared.testing.serving import address, free_socket

NOT_UNDERSTOOD = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {"code": -32000, "message": "Bad Request: Server not initialized"},
}


class Name(BaseModel):
    """What a person is asked for."""

    name: str


@dataclass(frozen=True, kw_only=True)
class Older:
    """What a test sees of an older server."""

    server: MCPServer
    started: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)


def older_server() -> Older:
    """Return a server that asks back, keeps state, reports progress and logs."""
    older = Older(server=MCPServer("older", version="1.2.3", instructions="An older server."))
    server = older.server
    _add_asking(server)
    _add_working(older)

    @server.tool()
    async def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    @server.resource("older://fixed", name="fixed")
    def fixed() -> str:
        return "fixed text"

    @server.prompt()
    def hello(name: str) -> str:
        return f"Greet {name}."

    return older


def _add_asking(server: MCPServer) -> None:
    @server.tool()
    async def greet(ctx: Context) -> str:
        """Ask who is there."""
        asked = await ctx.elicit("Who is there?", Name)
        if asked.action != "accept":
            return f"nobody: {asked.action}"
        return f"Hello {asked.data.name}."

    @server.tool()
    async def think(ctx: Context) -> str:
        """Have the client's model think."""
        message = SamplingMessage(role="user", content=TextContent(type="text", text="Think."))
        thought = await ctx.session.create_message([message], max_tokens=10)
        return f"thought: {thought.content.text}"


def _add_working(older: Older) -> None:
    server = older.server
    sessions: dict[int, int] = {}

    @server.tool()
    async def remember(ctx: Context) -> int:
        """Count the calls of one session."""
        key = id(ctx.session._connection)  # noqa: SLF001 - what a session is to this server
        sessions[key] = sessions.get(key, 0) + 1
        return sessions[key]

    @server.tool()
    async def steps(count: int, ctx: Context) -> str:
        """Report progress, and log."""
        for step in range(1, count + 1):
            await ctx.report_progress(step, count, f"step {step}")
        await ctx.session.send_log_message("info", "all done", related_request_id=ctx.request_id)
        return f"{count} steps"

    @server.tool()
    async def hang() -> str:
        """Wait until cancelled."""
        older.started.set()
        try:
            await asyncio.Event().wait()
        finally:
            older.cancelled.set()
        return "never"


def without_discovery(app: ASGIApp) -> ASGIApp:
    """Return the app as it was before 2026-07-28: what it does not know, it answers with 400."""

    async def older(scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope.get("headers", ()))
        if headers.get(b"mcp-protocol-version") == b"2026-07-28":
            await JSONResponse(NOT_UNDERSTOOD, status_code=400)(scope, receive, send)
            return
        await app(scope, receive, send)

    return older


@asynccontextmanager
async def serving_app(app: ASGIApp, on: Any = None) -> AsyncIterator[str]:
    """Serve an ASGI app on a socket; yields the base URL."""
    socket = on or free_socket()
    server = uvicorn.Server(
        uvicorn.Config(app, log_config=None, lifespan="on", timeout_graceful_shutdown=0)
    )
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(server.serve(sockets=[socket]))
        try:
            yield address(socket)
        finally:
            server.should_exit = True
            await asyncio.wait({running}, timeout=5)
            socket.close()


@asynccontextmanager
async def over_http(older: Older, on: Any = None, **given: Any) -> AsyncIterator[str]:
    """Serve over Streamable HTTP of 2025-11-25; yields the whole URL."""
    app = older.server.streamable_http_app(**given)
    async with serving_app(without_discovery(app), on) as url:
        yield f"{url}/mcp"


@asynccontextmanager
async def over_sse(older: Older) -> AsyncIterator[str]:
    """Serve over HTTP+SSE of 2024-11-05; yields the whole URL."""
    async with serving_app(without_discovery(older.server.sse_app())) as url:
        yield f"{url}/sse"


def entry(url: str, **given: object) -> Mapping[str, object]:
    """Return a configuration with one server, `older`."""
    return {"servers": {"older": {"url": url, **given}}}
