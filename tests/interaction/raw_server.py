"""A server that writes what a test says, byte for byte, and notes what it was sent."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from yarl import URL

from trunkline_router.adapters.http1.answer import Answer
from trunkline_router.adapters.http1.client import Client
from trunkline_router.adapters.http1.request import head_of, message_of

Respond = Callable[["Conversation"], Awaitable[None]]
MOST = 1_000_000


@dataclass(kw_only=True)
class Conversation:
    """One connection as the server has it; `number` counts them from 0."""

    number: int
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    seen: list[bytes]

    async def request(self) -> bytes:
        """Read one request, head and body; raises IncompleteReadError at the end."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        fields = head.lower().partition(b"content-length: ")[2]
        length = int(fields.partition(b"\r\n")[0] or b"0")
        body = await self.reader.readexactly(length)
        self.seen.append(head + body)
        return body

    async def say(self, raw: bytes) -> None:
        """Write, and wait until the client has taken most of it."""
        self.writer.write(raw)
        await self.writer.drain()

    async def gone(self) -> None:
        """Wait until the client has closed the connection."""
        with suppress(ConnectionError):
            while await self.reader.read(65536):
                pass


@dataclass(kw_only=True)
class RawServer:
    """Gives each connection to `respond`, and closes it when that returns."""

    respond: Respond
    port: int = 0
    seen: list[bytes] = field(default_factory=list)
    connections: int = 0
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> URL:
        return URL(f"http://127.0.0.1:{self.port}/mcp")

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        conversation = Conversation(
            number=self.connections, reader=reader, writer=writer, seen=self.seen
        )
        self.connections += 1
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await self.respond(conversation)
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
            self.ended.set()


@asynccontextmanager
async def raw(respond: Respond, tls: ssl.SSLContext | None = None) -> AsyncIterator[RawServer]:
    """Serve on a port of its own for the length of the block."""
    server = RawServer(respond=respond)
    listening = await asyncio.start_server(
        server.converse, "127.0.0.1", 0, ssl=tls, backlog=2048, limit=2**22
    )
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()


def always(answer: bytes) -> Respond:
    """Return what answers each request the same."""

    async def respond(conversation: Conversation) -> None:
        while True:
            await conversation.request()
            await conversation.say(answer)

    return respond


def whole(body: bytes, *fields: bytes, status: bytes = b"200 OK") -> bytes:
    """Return an answer with its length."""
    lines = b"".join(field + b"\r\n" for field in fields)
    return b"HTTP/1.1 %b\r\nContent-Length: %d\r\n%b\r\n%b" % (status, len(body), lines, body)


async def begun(client: Client, url: URL, body: bytes | None = b"{}") -> Answer:
    """Ask, and return the answer as soon as it has begun."""
    head = head_of("GET" if body is None else "POST", url, {})
    return await client.pool(url).ask(message_of(head, body), again=body is None)


async def asked(client: Client, url: URL, body: bytes | None = b"{}", most: int = MOST) -> bytes:
    """Ask, and return the body of the answer."""
    answer = await begun(client, url, body)
    try:
        return await answer.read(most)
    finally:
        answer.leave()


async def turns() -> None:
    """Let the loop hear what has come by now."""
    for _ in range(10):
        await asyncio.sleep(0)
