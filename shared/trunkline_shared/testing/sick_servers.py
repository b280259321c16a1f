"""Servers that are ill, each in its own way."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

import orjson

Answering = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

SLOW_S = 25.0
_GARBAGE = bytes(range(256)) * 4


async def never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:  # noqa: ARG001 - it does nothing with either
    """Accept, and say nothing."""
    await asyncio.Event().wait()


async def late(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer rightly, far too late."""
    while True:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
        request = orjson.loads(await reader.readexactly(length))
        await asyncio.sleep(SLOW_S)
        offered = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
        listed = {"tools": [], "ttlMs": 60_000, "cacheScope": "public"}
        result = {"resultType": "complete"} | offered | listed
        body = orjson.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result})
        kind = b"Content-Type: application/json\r\n"
        writer.write(b"HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n" % (kind, len(body)))
        writer.write(body)


async def garbled(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send what is no HTTP."""
    await reader.read(1)
    writer.write(_GARBAGE)
    await writer.drain()


@asynccontextmanager
async def refusing() -> AsyncIterator[str]:
    """Hold a port at which nobody listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield _url(held)


@asynccontextmanager
async def answering(answer: Answering) -> AsyncIterator[str]:
    """Serve each connection by `answer`."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await answer(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield _url(server.sockets[0])
    finally:
        server.close()


@asynccontextmanager
async def sick_servers() -> AsyncIterator[Mapping[str, str]]:
    """Run one of each kind; yields their base URLs by what is wrong with them."""
    async with AsyncExitStack() as stack:
        yield {
            "refuses": await stack.enter_async_context(refusing()),
            "never_answers": await stack.enter_async_context(answering(never)),
            "answers_late": await stack.enter_async_context(answering(late)),
            "sends_garbage": await stack.enter_async_context(answering(garbled)),
        }


def _url(held: socket.socket) -> str:
    return f"http://127.0.0.1:{held.getsockname()[1]}"
