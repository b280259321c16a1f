"""A server's end: in order, in time, and so that neither router nor agent is cut off."""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import orjson
import pytest
from pydantic import BaseModel

from tests.interaction.reloading import until
from tests.interaction.service_process import READ as FROM_GITHUB
from tests.interaction.service_process import comment_server, vendor
from tests.interaction.test_ending import refuses
from tests.interaction.test_router_process import free_port
from tests.interaction.wire import (
    LEGACY_HEADERS,
    call_modern,
    failure,
    get,
    head,
    legacy,
    modern,
    modern_headers,
    post,
    read_reply,
)
from trunkline_shared.clock import SystemClock
from trunkline_shared.contracts import READ, WRITE, Policy
from trunkline_shared.departure import Departure, Pace
from trunkline_shared.ending import sleep
from trunkline_shared.listener import Listener, ServeSettings, listener
from trunkline_shared.server import ToolServer
from trunkline_shared.settings import load
from trunkline_shared.testing.loopback import free_socket
from trunkline_shared.tool import tool, tools_of

pytestmark = pytest.mark.anyio

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
LISTEN = "subscriptions/listen"


class Done(BaseModel):
    done: bool = True


@dataclass(frozen=True)
class Tools:
    """Tools that take as long as the test wants; `begun` is set once one of them runs."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    free: asyncio.Event = field(default_factory=asyncio.Event)

    @tool("Quick", READ, Policy())
    async def quick(self) -> Done:
        """Answer."""
        return Done()

    @tool("Read", READ, Policy())
    async def read(self) -> Done:
        """Read until let go."""
        return await self._held()

    @tool("Write", WRITE, Policy())
    async def write(self) -> Done:
        """Write until let go."""
        return await self._held()

    @tool("Wait", READ, Policy(timeout_s=4000, waits=True))
    async def wait(self) -> Done:
        """Wait for an hour."""
        self.begun.set()
        await sleep(SystemClock(), 3600)
        return Done()

    async def _held(self) -> Done:
        self.begun.set()
        await self.free.wait()
        return Done()


@dataclass(frozen=True, kw_only=True)
class Ending:
    """A server that the test ends; `ended` is set when nothing of it is left."""

    port: int
    departure: Departure
    tools: Tools
    http: Listener
    ended: asyncio.Event

    async def closed(self) -> None:
        """Wait until nobody can connect any more."""
        await until(self._has_closed)
        assert await refuses(self.port)

    async def _has_closed(self) -> bool:
        await asyncio.sleep(0)
        return not self.http.servers[0].is_serving()

    def end(self, pace: Pace = Pace.GENTLE) -> None:
        self.departure.begin(pace)


@asynccontextmanager
async def ending(**given: object) -> AsyncIterator[Ending]:
    """Run a server until it is told to end."""
    tools, departure, ended = Tools(), Departure(), asyncio.Event()
    server = ToolServer("held", version="1", instructions="", tools=tools_of(tools))

    @server.resource("held://one", name="one")
    async def one() -> str:
        tools.begun.set()
        await tools.free.wait()
        return "one"

    on = free_socket()
    port = on.getsockname()[1]
    http = listener(server, load(ServeSettings, given), departure)

    async def run() -> None:
        await http.serve(sockets=[on])
        ended.set()

    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        tasks.create_task(run())
        try:
            yield Ending(port=port, departure=departure, tools=tools, http=http, ended=ended)
        finally:
            departure.begin()
            departure.begin()


async def asked(
    port: int,
    name: str,
    method: str = "tools/call",
    arguments: Mapping[str, object] | None = None,
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Begin a request on a connection of its own."""
    params = (
        {"uri": name}
        if method == "resources/read"
        else {"name": name, "arguments": dict(arguments or {})}
    )
    body = modern(method, params)
    headers = modern_headers(method, name) | {"Accept": "application/json, text/event-stream"}
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head(body, headers, port=port) + body)
    return reader, writer


@pytest.mark.requirement("shipping.end-readiness")
async def test_readiness_goes_first_while_all_is_still_served() -> None:
    """In the grace the server is alive, answers, and sends each connection elsewhere after it."""
    async with ending(drain_s=30) as server:
        assert (await get(server.port, "/readyz")).json == {"status": "ok"}
        before = await call_modern(server.port, "quick")
        assert before.headers.get("connection") != "close"
        server.end()
        ready = await get(server.port, "/readyz")
        assert (ready.status, ready.json) == (503, {"status": "ending"})
        assert (await get(server.port, "/healthz")).status == 200
        reply = await call_modern(server.port, "quick")
        assert reply.result["isError"] is False
        assert reply.headers["connection"] == "close"
        assert not server.ended.is_set()


@pytest.mark.requirement("shipping.end-readiness")
@pytest.mark.parametrize(("host", "grace_s"), [("127.0.0.1", 0), ("192.0.2.1", 5)])
def test_how_long_that_takes_depends_on_who_shares_out_connections(
    host: str, grace_s: float
) -> None:
    """On loopback nobody does; both together leave time before a container is killed."""
    settings = load(ServeSettings, {"service_host": host, "mesh_key": "a-key-of-the-mesh"})
    assert settings.grace_s == grace_s
    assert settings.grace_s + settings.finish_s < 40


@pytest.mark.requirement("shipping.end-calls")
async def test_a_call_in_flight_is_answered_after_the_listener_has_closed() -> None:
    """It ends well, its connection with it, and then the server."""
    async with ending() as server:
        reader, writer = await asked(server.port, "read")
        await server.tools.begun.wait()
        server.end()
        await server.closed()
        server.tools.free.set()
        reply = await read_reply(reader)
        assert reply.result["isError"] is False
        assert reply.headers["connection"] == "close"
        assert await reader.read() == b""
        writer.close()
        await server.ended.wait()


@pytest.mark.requirement("shipping.end-calls")
async def test_a_kept_connection_is_served_once_more_and_then_closed() -> None:
    """What the router sends on it at that very moment is not lost."""
    async with ending() as server:
        _, busy = await asked(server.port, "read")
        await server.tools.begun.wait()
        raw = head(b"", {}, port=server.port, path="/healthz", verb="GET")
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(raw)
        assert (await read_reply(reader)).status == 200
        server.end()
        await server.closed()
        writer.write(raw)
        last = await read_reply(reader)
        assert (last.status, last.headers["connection"]) == (200, "close")
        assert await reader.read() == b""
        writer.close()
        busy.close()


@pytest.mark.requirement("shipping.end-calls")
@pytest.mark.parametrize(("name", "writes"), [("read", False), ("write", True)])
async def test_a_call_that_takes_too_long_hears_so(name: str, writes: bool) -> None:  # noqa: FBT001 - a case
    """A typed answer says that the server ends; of a write, that it may have happened."""
    async with ending(finish_s=0.1) as server:
        reader, writer = await asked(server.port, name)
        await server.tools.begun.wait()
        server.end()
        error = failure(await read_reply(reader))
        assert error["error_code"] == "CANCELLED"
        assert error["details"]["reason"] == "shutting_down"
        assert error["retryable"] is not writes
        assert error["details"].get("may_have_happened", False) is writes
        assert error["hint"]
        writer.close()
        await server.ended.wait()


@pytest.mark.requirement("shipping.end-calls")
async def test_a_resource_that_takes_too_long_says_so() -> None:
    """Outside a tool the same payload comes as a protocol error's data."""
    async with ending(finish_s=0.1) as server:
        reader, writer = await asked(server.port, "held://one", "resources/read")
        await server.tools.begun.wait()
        server.end()
        error = (await read_reply(reader)).error
        assert error["data"]["error_code"] == "CANCELLED"
        assert error["data"]["details"] == {"reason": "shutting_down"}
        writer.close()


@pytest.mark.requirement("shipping.end-waits")
async def test_a_wait_ends_at_once_and_says_how_to_go_on() -> None:
    """What waits by its nature is not waited for."""
    async with ending(finish_s=15) as server:
        reader, writer = await asked(server.port, "wait")
        await server.tools.begun.wait()
        server.end()
        error = failure(await read_reply(reader))
        assert (error["error_code"], error["retryable"]) == ("CANCELLED", True)
        assert error["details"]["reason"] == "shutting_down"
        assert "Call again" in error["hint"]
        writer.close()
        await server.ended.wait()


@pytest.mark.requirement("shipping.end-waits")
@pytest.mark.parametrize("pace", list(Pace))
async def test_a_listen_stream_ends_with_its_result(pace: Pace) -> None:
    """`resultType: complete` under the subscription's id, then the end: the router comes again."""
    async with ending() as server:
        body = modern(LISTEN, {"notifications": {"toolsListChanged": True}}, id="mine")
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(head(body, modern_headers(LISTEN), port=server.port) + body)
        await reader.readuntil(b"acknowledged")
        await reader.readuntil(b"\n")
        server.end(pace)
        rest = await reader.read()
        last = orjson.loads(rest.partition(b"data: ")[2].partition(b"\r\n")[0])
        assert last["id"] == "mine"
        assert last["result"]["resultType"] == "complete"
        assert last["result"]["_meta"][SUBSCRIPTION] == "mine"
        assert rest.endswith(b"0\r\n\r\n")
        writer.close()
        await server.ended.wait()


@pytest.mark.requirement("shipping.end-waits")
@pytest.mark.parametrize("path", ["/mcp", "/sse"])
async def test_the_stream_of_an_older_client_ends_whole(path: str) -> None:
    """The last chunk comes, and then the end of the connection."""
    async with ending() as server:
        headers = {"Accept": "text/event-stream"}
        if path == "/mcp":
            hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": _CLIENT}
            opened = await post(server.port, legacy("initialize", hello), LEGACY_HEADERS)
            headers["Mcp-Session-Id"] = opened.headers["mcp-session-id"]
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(head(b"", headers, port=server.port, path=path, verb="GET"))
        assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")
        server.end()
        assert (await reader.read()).endswith(b"0\r\n\r\n")
        writer.close()
        await server.ended.wait()


_CLIENT = {"name": "test", "version": "1"}


@pytest.mark.requirement("shipping.end-hurry")
async def test_a_second_word_hurries_the_first() -> None:
    """Neither the grace nor the calls are waited for any longer."""
    async with ending(drain_s=600, finish_s=600) as server:
        reader, writer = await asked(server.port, "read")
        await server.tools.begun.wait()
        server.end()
        await until(lambda: is_ending(server.port))
        server.end()
        assert failure(await read_reply(reader))["error_code"] == "CANCELLED"
        writer.close()
        await server.ended.wait()


async def is_ending(port: int) -> bool:
    return (await get(port, "/readyz")).status == 503


@pytest.mark.requirement("shipping.end-hurry")
async def test_nothing_is_left_and_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """No task, no socket, and no complaint about what was open."""
    caplog.set_level(logging.INFO)
    before = len(asyncio.all_tasks())
    async with ending(finish_s=0.1) as server:
        reader, writer = await asked(server.port, "write")
        await server.tools.begun.wait()
        idle, kept = await asyncio.open_connection("127.0.0.1", server.port)
        server.end()
        await read_reply(reader)
        assert await idle.read() == b""
        writer.close()
        kept.close()
        await server.ended.wait()
    await until(lambda: only(before))
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


async def only(tasks: int) -> bool:
    return len(asyncio.all_tasks()) <= tasks


@pytest.mark.requirement("shipping.end-hurry")
@pytest.mark.parametrize("signals", [[signal.SIGINT], [signal.SIGTERM, signal.SIGTERM]])
async def test_the_program_hurries_on_ctrl_c_and_on_a_second_signal(
    signals: list[signal.Signals], tmp_path: Path
) -> None:
    """The call that it would wait for is told so, and the end is a normal one."""
    port = free_port()
    async with (
        asyncio.timeout(60),
        vendor() as github,
        comment_server(port, github, tmp_path) as process,
    ):
        github.flowing.clear()
        reader, writer = await asked(port, "list_comments", arguments=FROM_GITHUB)
        await github.was_asked(1)
        for number in signals:
            process.send_signal(number)
            await until(lambda: refuses(port))
        assert failure(await read_reply(reader))["error_code"] == "CANCELLED"
        assert await process.wait() == 0
        writer.close()
