"""The router's end: in order, in time, and so that clients know how to go on."""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from tests.interaction.asking_server import Asking
from tests.interaction.legacy_wire import legacy_client
from tests.interaction.mesh import QUICK, Mesh
from tests.interaction.reloading import heard, listening, until
from tests.interaction.test_router_process import free_port, program, until_ready
from tests.interaction.upstreams import Held, Scripted, running, tool
from tests.interaction.wire import (
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
from trunkline_router.composition.plan import Surroundings
from trunkline_router.composition.router import serving
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared.departure import Pace
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.serving import address, free_socket

pytestmark = pytest.mark.anyio

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


@dataclass(frozen=True, kw_only=True)
class Ending:
    """A router that the test ends; `ended` is set when nothing of it is left."""

    mesh: Mesh
    around: Surroundings
    ended: asyncio.Event

    def end(self, pace: Pace = Pace.GENTLE) -> None:
        self.around.departure.begin(pace)


@asynccontextmanager
async def ending(url: str, server: str = "a", **given: object) -> AsyncIterator[Ending]:
    """Run a router until it is told to end."""
    settings = RouterSettings.model_validate({"server_urls": {server: f"{url}/mcp"}, **given})
    on = free_socket()
    around = Surroundings(terms=QUICK, configuration=Configuration(), store=in_process_store())
    ready, ended = asyncio.Event(), asyncio.Event()
    held: list[Ending] = []

    async def run() -> None:
        async with serving(settings, on, around) as catalog:
            await catalog.wait_sought()
            mesh = Mesh(url=address(on), catalog=catalog, spans=[])
            held.append(Ending(mesh=mesh, around=around, ended=ended))
            ready.set()
            await around.departure.wait()
        ended.set()

    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        tasks.create_task(run())
        await ready.wait()
        try:
            yield held[0]
        finally:
            around.departure.begin()


async def asked(port: int, name: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Begin a call on a connection of its own."""
    body = modern("tools/call", {"name": name, "arguments": {}})
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head(body, modern_headers("tools/call", name), port=port) + body)
    return reader, writer


@pytest.mark.requirement("gateway.ending")
async def test_readiness_goes_first_while_all_is_still_served() -> None:
    """In the grace new connections are answered, and each is told to come to its end."""
    async with running(Scripted()) as url, ending(url, drain_s=30) as router:
        port = router.mesh.port
        before = await call_modern(port, "act")
        assert before.headers.get("connection") != "close"
        router.end()
        ready = await get(port, "/readyz")
        assert (ready.status, ready.json) == (503, {"status": "ending"})
        assert (await get(port, "/healthz")).status == 200
        reply = await call_modern(port, "act")
        assert reply.result["isError"] is False
        assert reply.headers["connection"] == "close"
        assert not router.ended.is_set()


@pytest.mark.requirement("gateway.ending")
async def test_a_call_in_flight_is_answered_after_the_listener_has_closed() -> None:
    """It ends well; its connection ends with it, and nothing else is left."""
    held = Held()
    async with running(Scripted(answer=held)) as url, ending(url) as router:
        reader, writer = await asked(router.mesh.port, "act")
        await held.asked.wait()
        router.end()
        await until(lambda: refuses(router.mesh.port))
        held.free.set()
        assert (await read_reply(reader)).result["isError"] is False
        assert await reader.read() == b""
        writer.close()
        await router.ended.wait()


async def refuses(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except ConnectionError:
        return True
    writer.close()
    return False


@pytest.mark.requirement("gateway.ending")
async def test_a_kept_connection_is_served_once_more_and_then_closed() -> None:
    """A client that comes again on its connection while others finish is not cut off."""
    held = Held()
    async with (
        running(Scripted(answer=held, tools=[tool("act"), tool("b")])) as url,
        ending(url) as router,
    ):
        port = router.mesh.port
        _, busy = await asked(port, "act")
        await held.asked.wait()
        raw = head(b"", {}, port=port, path="/healthz", verb="GET")
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(raw)
        assert (await read_reply(reader)).status == 200
        router.end()
        await until(lambda: refuses(port))
        writer.write(raw)
        last = await read_reply(reader)
        assert (last.status, last.headers["connection"]) == (200, "close")
        assert await reader.read() == b""
        writer.close()
        busy.close()


@pytest.mark.requirement("gateway.ending-streams")
@pytest.mark.parametrize("pace", list(Pace))
async def test_a_listen_stream_ends_with_its_result(pace: Pace) -> None:
    """`resultType: complete` under the subscription's id, then the end: clients.md 18."""
    async with running(Scripted()) as url, ending(url) as router:
        async with listening(router.mesh) as stream:
            await heard(stream)
            router.end(pace)
            last = await heard(stream)
            assert last == {
                "jsonrpc": "2.0",
                "id": "mine",
                "result": {"resultType": "complete", "_meta": {SUBSCRIPTION: "mine"}},
            }
            assert await stream.readuntil(b"0\r\n\r\n")
            assert await stream.read() == b""
        await router.ended.wait()


@pytest.mark.requirement("gateway.ending-streams")
@pytest.mark.parametrize("opened", ["session", "sse", "sse before initialize"])
async def test_the_stream_of_an_older_client_ends_whole(opened: str) -> None:
    """The last chunk comes, and then the end of the connection: clients.md 18."""
    async with running(Scripted()) as url, ending(url) as router:
        port, hello = router.mesh.port, legacy("initialize", {"protocolVersion": "2025-06-18"})
        headers, path, messages = {"Accept": "text/event-stream"}, "/sse", ""
        if opened == "session":
            session = (await post(port, hello)).headers["mcp-session-id"]
            headers, path = headers | {"Mcp-Session-Id": session}, "/mcp"
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head(b"", headers, port=port, path=path, verb="GET"))
        assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")
        if path == "/sse":
            told = (await reader.readuntil(b"\n\n")).decode()
            messages = told.partition("data: ")[2].strip()
        if opened == "sse":
            assert (await post(port, hello, path=messages)).status == 202
            await reader.readuntil(b'"serverInfo"')
        router.end()
        rest = await reader.read()
        assert rest.endswith(b"0\r\n\r\n")
        writer.close()
        await router.ended.wait()


@pytest.mark.requirement("gateway.ending-deadline")
async def test_a_call_whose_client_is_asked_something_hears_of_the_end() -> None:
    """Its stream ends with an answer, and is not cut off."""
    async with (
        running(Asking().server) as url,
        ending(url, finish_s=0.2) as router,
        legacy_client(router.mesh.mcp) as client,
    ):
        await client.initialize({"elicitation": {}})
        async with client.asking("tools/call", {"name": "ask"}) as stream:
            assert (await stream.message())["method"] == "elicitation/create"
            router.end()
            (answer,) = await stream.rest()
        assert answer["result"]["isError"] is True
        assert "shutting down" in answer["result"]["content"][0]["text"]
        await router.ended.wait()


@pytest.mark.requirement("gateway.ending-deadline")
@pytest.mark.parametrize(("name", "writes"), [("act", False), ("write", True)])
async def test_a_call_that_takes_too_long_hears_so(name: str, writes: bool) -> None:  # noqa: FBT001 - a case
    """A typed answer says that the router ends; of a write, that it may have happened."""
    held = Held()
    async with running(Scripted(answer=held)) as url, ending(url, finish_s=0.1) as router:
        reader, writer = await asked(router.mesh.port, name)
        await held.asked.wait()
        router.end()
        error = failure(await read_reply(reader))
        assert error["error_code"] == "CANCELLED"
        assert error["details"]["reason"] == "shutting_down"
        assert error["retryable"] is not writes
        assert error["details"].get("may_have_happened", False) is writes
        assert error["hint"]
        writer.close()
        await router.ended.wait()


@pytest.mark.requirement("gateway.ending-deadline")
async def test_a_wait_ends_at_once_and_says_how_to_go_on() -> None:
    """What waits by its nature is not waited for."""
    held = Held()
    waits = tool("wait")
    waits["_meta"] = {"dev.trunkline/policy": {"timeout_s": 600, "waits": True}}
    async with (
        running(Scripted(answer=held, tools=[waits])) as url,
        ending(url, "github_ci", finish_s=15) as router,
    ):
        reader, writer = await asked(router.mesh.port, "wait")
        await held.asked.wait()
        router.end()
        error = failure(await read_reply(reader))
        assert (error["error_code"], error["retryable"]) == ("CANCELLED", True)
        assert "Call again" in error["hint"]
        writer.close()
        await router.ended.wait()


@pytest.mark.requirement("gateway.ending-deadline")
async def test_a_second_word_hurries_the_first() -> None:
    """Neither the grace nor the calls are waited for any longer."""
    held = Held()
    async with (
        running(Scripted(answer=held)) as url,
        ending(url, drain_s=600, finish_s=600) as router,
    ):
        reader, writer = await asked(router.mesh.port, "act")
        await held.asked.wait()
        router.end()
        assert (await get(router.mesh.port, "/readyz")).status == 503
        router.end()
        assert failure(await read_reply(reader))["error_code"] == "CANCELLED"
        writer.close()
        await router.ended.wait()


@pytest.mark.requirement("gateway.ending")
async def test_nothing_is_left_and_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """No task, no socket, and no complaint of a server about streams that were open."""
    caplog.set_level(logging.INFO)
    held = Held()
    before = len(asyncio.all_tasks())
    async with (
        running(Scripted(answer=held)) as url,
        ending(url, finish_s=0.1) as router,
        listening(router.mesh) as stream,
    ):
        await heard(stream)
        reader, writer = await asked(router.mesh.port, "act")
        await held.asked.wait()
        idle, kept = await asyncio.open_connection("127.0.0.1", router.mesh.port)
        router.end()
        await read_reply(reader)
        assert await idle.read() == b""
        writer.close()
        kept.close()
        await router.ended.wait()
    await until(lambda: only(before))
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


async def only(tasks: int) -> bool:
    return len(asyncio.all_tasks()) <= tasks


@asynccontextmanager
async def ending_program(
    held: Held,
) -> AsyncIterator[tuple[asyncio.subprocess.Process, asyncio.StreamReader]]:
    """Run the program until SIGTERM has closed its door; yields it, and a call in flight."""
    port = free_port()
    async with (
        asyncio.timeout(30),
        running(Scripted(answer=held)) as url,
        program(port, url) as process,
    ):
        await until_ready(process)
        reader, writer = await asked(port, "act")
        await held.asked.wait()
        process.send_signal(signal.SIGTERM)
        await until(lambda: refuses(port))
        yield process, reader
        writer.close()


@pytest.mark.requirement("gateway.ending")
async def test_the_program_finishes_its_calls_on_sigterm() -> None:
    """The call is answered, the exit code is 0, and the log has no complaint."""
    held = Held()
    async with ending_program(held) as (process, reader):
        held.free.set()
        assert (await read_reply(reader)).result["isError"] is False
        assert await process.wait() == 0
        assert process.stderr is not None
        assert await process.stderr.read() == b""


@pytest.mark.requirement("gateway.ending-deadline")
async def test_a_second_signal_hurries_the_program() -> None:
    """The call that it waits for is told so, and the end is a normal one."""
    async with ending_program(Held()) as (process, reader):
        process.send_signal(signal.SIGTERM)
        assert failure(await read_reply(reader))["error_code"] == "CANCELLED"
        assert await process.wait() == 0
