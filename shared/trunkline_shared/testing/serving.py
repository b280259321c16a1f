"""Servers on real sockets of the loopback, for the length of a block."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from trunkline_shared.listener import Listener, ServeSettings, listener
from trunkline_shared.server import ToolServer
from trunkline_shared.testing.loopback import address, free_socket

__all__ = ["address", "free_socket", "serving"]


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
