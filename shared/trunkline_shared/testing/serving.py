"""Servers on real sockets of the loopback, for the length of a block."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from trunkline_shared.serve import Listener, ServeSettings, listener
from trunkline_shared.server import ToolServer


def free_socket(port: int = 0) -> socket.socket:
    """Return a listening socket on a loopback port: a free one, unless `port` names it."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    listening.listen(128)
    return listening


def address(listening: socket.socket) -> str:
    """Return the base URL of a listening socket, without a trailing slash."""
    host, port = listening.getsockname()[:2]
    return f"http://{host}:{port}"


@asynccontextmanager
async def serving(server: ToolServer, settings: ServeSettings | None = None) -> AsyncIterator[str]:
    """Serve `server` over HTTP; yields the base URL (`/mcp`, `/sse`, `/healthz` below it)."""
    on = free_socket()
    http = listener(server, settings or ServeSettings())
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_serve(http, on))
        try:
            yield address(on)
        finally:
            http.end()


async def _serve(http: Listener, on: socket.socket) -> None:
    try:
        await http.serve(sockets=[on])
    finally:
        on.close()
