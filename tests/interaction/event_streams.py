"""The router's streams of events, as who watches reads them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import orjson

from tests.interaction.keys import bearing
from tests.interaction.mesh import Mesh
from tests.interaction.wire import head

CALLS = "/api/events"
BUMPS = "/api/cache/events"
END = b"0\r\n\r\n"
"""The last chunk of an answer."""


@asynccontextmanager
async def events_of(
    mesh: Mesh, path: str, key: str | None = None
) -> AsyncIterator[asyncio.StreamReader]:
    """Open a stream of events; the block begins when it has."""
    reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
    writer.write(head(b"", bearing(key), port=mesh.port, path=path, verb="GET"))
    try:
        first = await reader.readuntil(b"\r\n\r\n")
        assert b"200 OK" in first, first
        assert b"text/event-stream" in first
        yield reader
    finally:
        writer.close()


async def told(reader: asyncio.StreamReader) -> tuple[str, Any]:
    """Return the next event: its kind, and its content."""
    while True:
        block = (await reader.readuntil(b"\n\n")).decode()
        kind, _, data = block.partition("data: ")
        if data:
            return kind.rpartition("event: ")[2].strip(), orjson.loads(data)
