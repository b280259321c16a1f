"""Connections on which nothing happens, by a clock that the test moves."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from tests.interaction.wire import LEGACY_HEADERS, head, legacy, read_reply
from trunkline_router.edges.http1.connection import IDLE_S, Connection, Serving
from trunkline_router.wire.answer import success
from trunkline_router.wire.http_request import HttpRequest, Reply
from trunkline_shared.testing.loopback import address, free_socket

LARGE = 32_000_000
"""More bytes than the sockets of a connection hold."""
PARTS = 6
TURNS = 20
"""So many turns of the loop let happen what is due."""


class Ahead(asyncio.SelectorEventLoop):
    """A loop whose time can be moved on."""

    skipped_s = 0.0

    def time(self) -> float:
        return super().time() + self.skipped_s


async def turns() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


@dataclass(frozen=True, kw_only=True)
class Server:
    """Connections of the router's own in front of an answer, given when `free` says so."""

    loop: Ahead
    text: str
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    free: asyncio.Event = field(default_factory=asyncio.Event)
    open: "set[Connection]" = field(default_factory=set)

    async def answer(self, http: HttpRequest, path: str, scope: str | None) -> Reply:
        self.asked.set()
        await self.free.wait()
        return success(1, {"text": self.text})

    async def pass_by(self, seconds: float) -> None:
        """Move the time on, and let happen what is due then."""
        self.loop.skipped_s += seconds
        await turns()


@dataclass(frozen=True, kw_only=True)
class Client:
    """One that is connected; it reads when it is told to."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def ask(self) -> None:
        body = legacy("ping")
        self.writer.write(head(body, LEGACY_HEADERS, port=80) + body)

    async def answered(self) -> None:
        self.ask()
        assert (await read_reply(self.reader)).status == 200


Scene = Callable[[Server, Client], Awaitable[None]]


async def page(http: web.BaseRequest) -> web.StreamResponse:
    return web.Response()


async def played(scene: Scene, text: str) -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Ahead)
    server = Server(loop=loop, text=text)
    serving = Serving(
        answer=server.answer,
        is_ending=lambda: False,
        others=web.Server(page, keepalive_timeout=IDLE_S),
        open=server.open,
    )
    on = free_socket()
    port = int(address(on).rpartition(":")[2])
    listening = await loop.create_server(lambda: Connection(serving, loop), sock=on)
    async with listening, asyncio.timeout(10 * IDLE_S):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await turns()
        await scene(server, Client(reader=reader, writer=writer))
        writer.close()


def play(scene: Scene, text: str = "") -> None:
    """Let a client do something at a server."""
    with asyncio.Runner(loop_factory=Ahead) as runner:
        runner.run(played(scene, text))


def test_a_connection_without_a_request_ends() -> None:
    """After 75 seconds, and not before."""

    async def scene(server: Server, client: Client) -> None:
        await server.pass_by(IDLE_S - 1)
        assert server.open
        await server.pass_by(1)
        assert await client.reader.read() == b""

    play(scene)


def test_the_last_answer_is_what_counts() -> None:
    """A request at the last moment keeps the connection as long again."""

    async def scene(server: Server, client: Client) -> None:
        server.free.set()
        await server.pass_by(IDLE_S - 1)
        await client.answered()
        await server.pass_by(IDLE_S - 1)
        await client.answered()
        assert server.open
        await server.pass_by(IDLE_S)
        assert await client.reader.read() == b""

    play(scene)


def test_a_request_in_hand_is_waited_for() -> None:
    """However long it takes, and its connection is kept for the next one."""

    async def scene(server: Server, client: Client) -> None:
        client.ask()
        await server.asked.wait()
        await server.pass_by(3 * IDLE_S)
        server.free.set()
        assert (await read_reply(client.reader)).status == 200
        await server.pass_by(IDLE_S - 1)
        await client.answered()

    play(scene)


@pytest.mark.requirement("router.hostile-input")
def test_half_a_head_keeps_no_connection() -> None:
    """Nor do its further bytes, one by one: it is aiohttp's, which ends it as soon."""

    async def scene(server: Server, client: Client) -> None:
        client.writer.write(b"POST /mcp HT")
        await turns()
        assert not server.open
        for each in b"TP/1.1\r\n":
            await server.pass_by(IDLE_S / 8 - 1)
            client.writer.write(bytes([each]))
        await server.pass_by(8)
        assert await client.reader.read() == b""

    play(scene)


@pytest.mark.requirement("router.hostile-input")
def test_an_answer_that_nobody_takes_keeps_no_connection() -> None:
    """It is dropped, with what is left of the answer."""

    async def scene(server: Server, client: Client) -> None:
        server.free.set()
        client.ask()
        await server.asked.wait()
        await server.pass_by(IDLE_S)
        await server.pass_by(IDLE_S)
        await server.pass_by(0)
        assert not server.open

    play(scene, "x" * LARGE)


def test_an_answer_that_is_taken_slowly_is_taken_to_its_end() -> None:
    """Whoever takes some of it each time has all the time that it needs."""

    async def scene(server: Server, client: Client) -> None:
        server.free.set()
        client.ask()
        for _ in range(PARTS):
            await client.reader.readexactly(LARGE // PARTS)
            await server.pass_by(IDLE_S)

    play(scene, "x" * LARGE)
