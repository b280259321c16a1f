"""Two replicas are restarted one after the other behind a balancer, and no client notices."""

import asyncio
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from tests.interaction.balancer import Balancer, balancing
from tests.interaction.test_router_process import free_port, program, until_ready
from tests.interaction.upstreams import Json, Scripted, result, running, tool
from tests.interaction.wire import (
    LEGACY_HEADERS,
    Reply,
    head,
    legacy,
    modern,
    modern_headers,
    read_reply,
)
from tests.redis_process import running_redis

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

ERAS, EACH = ("modern", "sessionless", "session"), 3
CLIENTS = len(ERAS) * EACH
LEGACY = LEGACY_HEADERS | {"MCP-Protocol-Version": "2025-11-25"}


@dataclass(kw_only=True)
class Echo:
    """Says the nonce of a call again; while it is held, only when it is let go."""

    flowing: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: int = 0
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def __call__(self, _: web.Request, request: Json) -> web.StreamResponse:
        if not self.flowing.is_set():
            await self._waited()
        params = request["params"]
        assert isinstance(params, dict)
        content = [{"type": "text", "text": params["arguments"]["nonce"]}]
        told: Json = {"resultType": "complete", "content": content, "isError": False}
        return result(request, told)

    async def held(self, calls: int) -> None:
        """Hold back all answers, and return when so many calls wait for theirs."""
        self.flowing.clear()
        async with self.changed:
            await self.changed.wait_for(lambda: self.waiting >= calls)

    async def _waited(self) -> None:
        self.waiting += 1
        async with self.changed:
            self.changed.notify_all()
        try:
            await self.flowing.wait()
        finally:
            self.waiting -= 1


@dataclass(kw_only=True)
class Client:
    """A client that keeps its connection as long as it is allowed to, and its session for ever."""

    name: str
    port: int
    calls: int = 0
    session: str | None = None
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def run(self, done: asyncio.Event, *, era: str) -> None:
        if era == "session":
            await self._initialize()
        while not done.is_set():
            nonce = f"{self.name}-{self.calls}"
            arguments = {"name": "echo", "arguments": {"nonce": nonce}}
            if era == "modern":
                body, headers = (
                    modern("tools/call", arguments),
                    modern_headers("tools/call", "echo"),
                )
            else:
                body = legacy("tools/call", arguments)
                headers = LEGACY | ({"Mcp-Session-Id": self.session} if self.session else {})
            reply = await self._exchange(body, headers)
            assert (reply.status, _said(reply)) == (200, nonce), reply.body
            self.calls += 1
        self._leave()

    async def _initialize(self) -> None:
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c"}}
        reply = await self._exchange(legacy("initialize", hello), LEGACY)
        self.session = reply.headers["mcp-session-id"]

    async def _exchange(self, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Send once, and never again: an answer that does not come is a failed call."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        writer.write(head(body, headers, port=self.port) + body)
        async with asyncio.timeout(20):
            reply = await read_reply(reader)
        if reply.headers.get("connection") == "close":
            self._leave()
        return reply

    def _leave(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def _said(reply: Reply) -> Any:
    return reply.result["content"][0]["text"]


@dataclass(kw_only=True)
class Replica:
    """One router process, which can be told to end and is then started again."""

    port: int
    more: Mapping[str, str]
    echo: Echo
    again: asyncio.Event = field(default_factory=asyncio.Event)
    out_of_turn: asyncio.Event = field(default_factory=asyncio.Event)
    restarted: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, url: str, done: asyncio.Event) -> None:
        async with program(self.port, url, **self.more) as process:
            await until_ready(process)
            await self.again.wait()
            # Every client has a call under way, some of them here.
            await self.echo.held(CLIENTS)
            process.send_signal(signal.SIGTERM)
            await self.out_of_turn.wait()
            self.echo.flowing.set()
            assert await process.wait() == 0
        async with program(self.port, url, **self.more) as process:
            await until_ready(process)
            self.restarted.set()
            await done.wait()


async def restart_each(replicas: list[Replica], balancer: Balancer) -> None:
    everybody = {replica.port for replica in replicas}
    await balancer.until(everybody)
    for replica in replicas:
        replica.again.set()
        await balancer.until(everybody - {replica.port})
        replica.out_of_turn.set()
        await replica.restarted.wait()
        await balancer.until(everybody)


@pytest.mark.requirement("gateway.rolling-restart")
async def test_no_call_fails_while_each_replica_is_restarted() -> None:
    """Modern clients, clients without and clients with sessions: every call is answered."""
    with running_redis() as redis:
        more = {
            "TRUNKLINE_SECRET": "the-same-on-every-replica",
            "TRUNKLINE_REDIS_URL": redis.url,
            "TRUNKLINE_DRAIN_S": "0.5",
        }
        echo = Echo()
        echo.flowing.set()
        replicas = [Replica(port=free_port(), more=more, echo=echo) for _ in range(2)]
        async with (
            asyncio.timeout(100),
            running(Scripted(answer=echo, tools=[tool("echo")])) as url,
            balancing([replica.port for replica in replicas]) as balancer,
        ):
            clients = await served(balancer, replicas, url)
    assert all(client.calls > 10 for client in clients)


async def served(balancer: Balancer, replicas: list[Replica], url: str) -> list[Client]:
    """Run the replicas for as long as the clients need them."""
    done = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        for replica in replicas:
            tasks.create_task(replica.run(url, done))
        await balancer.until({replica.port for replica in replicas})
        clients = await work(balancer, replicas)
        done.set()
    return clients


async def work(balancer: Balancer, replicas: list[Replica]) -> list[Client]:
    """Have clients call for as long as the restarts take."""
    clients, done = [], asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        for era in ERAS:
            for number in range(EACH):
                client = Client(name=f"{era}{number}", port=balancer.port)
                clients.append(client)
                tasks.create_task(client.run(done, era=era))
        await restart_each(replicas, balancer)
        done.set()
    return clients
