"""The container of a server goes, and another one comes: what callers see through the router."""

import asyncio
import signal
import socket
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import orjson
import pytest
from yarl import URL

from tests.interaction.balancer import Balancer, balancing
from tests.interaction.guarding import breaker, code, standing
from tests.interaction.listen_streams import heard, listening
from tests.interaction.mesh import QUICK, Mesh, routing, sample_server
from tests.interaction.reloading import until
from tests.interaction.service_process import READ, WRITE, Vendor, comment_server, vendor
from tests.interaction.test_router_process import free_port
from tests.interaction.test_server_ending import asked
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import (
    Reply,
    call_modern,
    failure,
    head,
    modern,
    modern_headers,
    read_reply,
    send,
)
from trunkline_router.adapters.exchange import Exchange
from trunkline_router.adapters.http1.client import Client
from trunkline_router.adapters.http1.names import AddressInfo
from trunkline_router.adapters.links.modern_http import ModernHttp
from trunkline_router.link import NeverSent, Post
from trunkline_router.model import Limits, Unheard
from trunkline_shared.departure import Departure, Pace
from trunkline_shared.errors import NetworkError
from trunkline_shared.listener import ServeSettings, listener
from trunkline_shared.settings import load
from trunkline_shared.testing.loopback import address, free_socket

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

UNCACHED = {"router": {"cache": {"enabled": False}}}
CALLERS = 20
DRAIN_S = "2"
"""Much longer than the balancer takes to see that a process is about to end."""


async def call(mesh: Mesh, name: str = "list_comments") -> Reply:
    arguments = READ if name == "list_comments" else WRITE
    body = modern("tools/call", {"name": name, "arguments": arguments})
    headers = modern_headers("tools/call", name)
    return await send(mesh.port, head(body, headers, port=mesh.port) + body, timeout=60)


@dataclass(kw_only=True)
class Pod:
    """One of the processes behind a server's name, which can be replaced.

    Its GitHub is its own: what is held there is what this process has in hand.
    """

    port: int
    github: Vendor
    home: Path
    calling: asyncio.Event
    again: asyncio.Event = field(default_factory=asyncio.Event)
    out_of_turn: asyncio.Event = field(default_factory=asyncio.Event)
    replaced: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, done: asyncio.Event) -> None:
        async with self._process() as process:
            await self.again.wait()
            self.github.flowing.clear()
            await self.github.holds(1)
            process.send_signal(signal.SIGTERM)
            await self.out_of_turn.wait()
            self.github.flowing.set()
            out, err = await process.communicate()
            assert (process.returncode, out, err) == (0, b"", b"")
        # A process that starts needs the machine: nobody calls meanwhile.
        self.calling.clear()
        async with self._process():
            self.calling.set()
            self.replaced.set()
            await done.wait()

    def _process(self) -> AbstractAsyncContextManager[Process]:
        return comment_server(self.port, self.github, self.home, TRUNKLINE_DRAIN_S=DRAIN_S)


@pytest.mark.requirement("shipping.end-rolling")
@pytest.mark.timeout(240)
async def test_no_call_fails_while_each_process_of_a_server_is_replaced(tmp_path: Path) -> None:
    """Twenty callers, two processes behind one name, one after the other: all are answered."""
    done, calling = asyncio.Event(), asyncio.Event()
    calling.set()
    async with (
        asyncio.timeout(200),
        vendor() as one,
        vendor() as other,
        asyncio.TaskGroup() as tasks,
    ):
        pods = [
            Pod(port=free_port(), github=github, home=tmp_path, calling=calling)
            for github in (one, other)
        ]
        for pod in pods:
            tasks.create_task(pod.run(done))
        async with balancing([pod.port for pod in pods]) as balancer:
            await balancer.until({pod.port for pod in pods})
            url = f"http://127.0.0.1:{balancer.port}"
            async with routing({"github_comment": url}, configured=UNCACHED) as mesh:
                answers = await called_while(mesh, calling, replace_each(pods, balancer))
        assert set(answers) == {"ok"}
        done.set()
    assert len(answers) > 4 * CALLERS
    assert one.asked + other.asked >= len(answers)


async def replace_each(pods: list[Pod], balancer: Balancer) -> None:
    everybody = {pod.port for pod in pods}
    for pod in pods:
        pod.again.set()
        await balancer.until(everybody - {pod.port})
        pod.out_of_turn.set()
        await pod.replaced.wait()
        await balancer.until(everybody)


async def called_while(
    mesh: Mesh, calling: asyncio.Event, work: Coroutine[None, None, None]
) -> list[str]:
    """Have everybody call while the work goes on; returns what they were answered.

    The first call that fails ends all of it.
    """
    answers: list[str] = []
    doing: list[asyncio.Task[None]] = []

    async def calls(working: asyncio.Task[None]) -> None:
        while not working.done():
            await calling.wait()
            answers.append(answer := answer_of(await call(mesh)))
            if answer != "ok":
                for task in doing:
                    task.cancel()

    async with asyncio.TaskGroup() as tasks:
        doing.append(working := tasks.create_task(work))
        doing.extend(tasks.create_task(calls(working)) for _ in range(CALLERS))
    return answers


def answer_of(reply: Reply) -> str:
    """Return ok, or the whole error that the caller saw."""
    return "ok" if code(reply) == "ok" else str(failure(reply))


@pytest.mark.requirement("shipping.end-return")
async def test_a_server_that_was_killed_is_well_within_ten_seconds_of_its_return(
    tmp_path: Path,
) -> None:
    """Calls in flight and calls meanwhile get typed errors; a write may have happened."""
    port = free_port()
    async with (
        asyncio.timeout(90),
        vendor() as github,
        comment_server(port, github, tmp_path) as process,
        routing({"github_comment": f"http://127.0.0.1:{port}"}, configured=UNCACHED) as mesh,
    ):
        assert code(await call(mesh)) == "ok"
        assert await cut_off(mesh, github, process) == [
            ("NETWORK_ERROR", True, None),
            ("NETWORK_ERROR", False, True),
        ]
        assert [code(await call(mesh)) for _ in range(2)] == ["NETWORK_ERROR", "CIRCUIT_OPEN"]
        github.flowing.set()
        async with comment_server(port, github, tmp_path), asyncio.timeout(10):
            await until(lambda: is_trusted(mesh))
            assert code(await call(mesh)) == "ok"


async def is_trusted(mesh: Mesh) -> bool:
    return bool((await breaker(mesh, "github_comment"))["state"] == "closed")


async def cut_off(mesh: Mesh, github: Vendor, process: Process) -> list[tuple[object, ...]]:
    """Kill the server under a read and a write; returns what their callers hear."""
    github.flowing.clear()
    before = github.asked
    async with asyncio.TaskGroup() as tasks:
        read = tasks.create_task(call(mesh))
        await github.was_asked(before + 1)
        write = tasks.create_task(call(mesh, "create_comment"))
        await github.was_asked(before + 2)
        process.kill()
    errors = [failure(done.result()) for done in (read, write)]
    return [
        (error["error_code"], error["retryable"], error["details"].get("may_have_happened"))
        for error in errors
    ]


@dataclass(kw_only=True)
class Replaceable:
    """A server in this process that ends gently, and is there again as another one."""

    url: str = ""
    _running: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def start(self) -> None:
        """Serve, at the port that it had."""
        self.url = await self._running.enter_async_context(_served(self.url))

    async def stop(self) -> None:
        """End it, and return when nothing of it is left."""
        await self._running.aclose()


@asynccontextmanager
async def _served(before: str) -> AsyncIterator[str]:
    on = free_socket(int(before.rpartition(":")[2] or 0))
    departure, url = Departure(), address(on)
    http = listener(sample_server(), load(ServeSettings, {"finish_s": 0.2}), departure)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(http.serve(sockets=[on]))
        try:
            yield url
        finally:
            departure.begin(Pace.GENTLE)


@asynccontextmanager
async def replaceable() -> AsyncIterator[tuple[Replaceable, Mesh]]:
    """Run such a server with a router in front of it, which looks at its lists only when told."""
    server = Replaceable()
    await server.start()
    seldom = replace(QUICK, pace=replace(QUICK.pace, refresh_s=60))
    async with asyncio.timeout(20), routing({"sample": server.url}, terms=seldom) as mesh:
        try:
            yield server, mesh
        finally:
            await server.stop()


@pytest.mark.requirement("shipping.end-return")
async def test_kept_connections_of_a_server_that_was_replaced_cost_no_call() -> None:
    """They were idle when it closed them; the next call opens one to its successor."""
    async with replaceable() as (server, mesh):
        for _ in range(3):
            reply = await call_modern(mesh.port, "echo", arguments={"text": "hello"})
            assert code(reply) == "ok"
            await server.stop()
            await server.start()


@pytest.mark.requirement("shipping.end-return")
async def test_what_is_subscribed_to_is_heard_of_after_the_server_was_replaced() -> None:
    """The router listens at the new one; what may have been missed counts as changed."""
    wanted = {"resourceSubscriptions": ["sample://fixed"]}
    async with replaceable() as (server, mesh), listening(mesh, wanted) as reader:
        assert (await heard(reader))["method"].endswith("acknowledged")
        await server.stop()
        await server.start()
        missed = await heard(reader)
        assert missed["params"]["uri"] == "sample://fixed"
        assert code(await call_modern(mesh.port, "touch")) == "ok"
        touched = await heard(reader)
        assert touched["params"]["uri"] == "sample://fixed"


@pytest.mark.requirement("shipping.end-calls")
async def test_a_call_that_its_server_did_not_wait_for_says_so_to_the_agent() -> None:
    """The server's typed answer comes through the router as it is."""
    async with replaceable() as (server, mesh):
        reader, writer = await asked(mesh.port, "hang")
        await until(lambda: is_in_flight(mesh))
        await server.stop()
        error = failure(await read_reply(reader))
        assert (error["error_code"], error["retryable"]) == ("CANCELLED", True)
        assert error["details"]["reason"] == "shutting_down"
        writer.close()


async def is_in_flight(mesh: Mesh) -> bool:
    return bool((await standing(mesh, "sample"))["in_flight"])


@dataclass(kw_only=True)
class Moving:
    """Names whose address changes, as that of a container does that is made anew."""

    port: int

    async def look_up(self, _: str, __: int) -> list[AddressInfo]:
        place = ("127.0.0.1", self.port)
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", place)]


@pytest.mark.requirement("shipping.end-return")
async def test_a_name_that_has_another_address_is_looked_up_again_at_once() -> None:
    """A container that is made anew has a new address; the old one is forgotten in a second."""
    other = Scripted()
    async with AsyncExitStack() as first, running(other) as second:
        names = Moving(port=_port(await first.enter_async_context(running(Scripted()))))
        async with Client(Limits().connect_s, names.look_up) as client, asyncio.timeout(5):
            link = ModernHttp(
                url=URL("http://comment:8480/mcp"),
                exchange=Exchange(client=client, answer_bytes=1024),
            )
            await link.perform(POST)
            await first.aclose()
            names.port = _port(second)
            await until(lambda: is_moved(link, other))


async def is_moved(link: ModernHttp, other: Scripted) -> bool:
    with suppress(NeverSent, NetworkError):
        await link.perform(POST)
    return bool(other.calls)


POST = Post(
    server="a",
    number=1,
    method="tools/call",
    params=orjson.loads(modern("tools/call", {"name": "act"}))["params"],
    name="act",
    channel=Unheard(),
)


def _port(url: str) -> int:
    return int(url.rpartition(":")[2])
