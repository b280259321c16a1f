"""Streams of `subscriptions/listen`, opened by hand, and what is heard on them."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import orjson

from tests.interaction.mesh import Mesh
from tests.interaction.wire import head, modern, modern_headers

LISTEN = "subscriptions/listen"
ID = "io.modelcontextprotocol/subscriptionId"


@asynccontextmanager
async def listening(
    mesh: Mesh,
    asked: Mapping[str, object],
    *,
    id_: object = "mine",
    path: str = "/mcp",
    headers: Mapping[str, str] | None = None,
) -> AsyncIterator[asyncio.StreamReader]:
    """Open a listen stream under an id, with further headers."""
    body = modern(LISTEN, {"notifications": asked}, id=id_)
    reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
    sent = modern_headers(LISTEN) | dict(headers or {})
    writer.write(head(body, sent, port=mesh.port, path=path) + body)
    try:
        assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")
        yield reader
    finally:
        writer.close()


async def heard(reader: asyncio.StreamReader, id_: object = "mine") -> Any:
    """Return the next message, which must carry the stream's own id."""
    block = await reader.readuntil(b"\n\n")
    message = orjson.loads(block.partition(b"data: ")[2])
    assert message["params"]["_meta"] == {ID: id_}
    return message
