"""The stdio bridge between lines and a stand-in of the router on a real socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
import orjson
import pytest
from aiohttp import web

from trunkline_cli import stdio_bridge
from trunkline_cli.stdio_bridge import StdioBridge
from trunkline_shared.testing.serving import address, free_socket

pytestmark = pytest.mark.anyio

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@dataclass
class Router:
    """Answers by method, and notes what it received and which request was hung up on."""

    headers: list[dict[str, str]] = field(default_factory=list)
    methods: list[str] = field(default_factory=list)
    hanging: asyncio.Event = field(default_factory=asyncio.Event)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one POST."""
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        message = orjson.loads(await request.read())
        method = message["method"]
        self.methods.append(method)
        if method.startswith("notifications/"):
            return web.Response(status=202)
        if method == "initialize":
            result = {"protocolVersion": "2025-11-25"}
            return self._json(message, result, {"Mcp-Session-Id": "s-1"})
        if method == "hang":
            return await self._hang()
        if method == "stream":
            return await self._stream(request, message)
        if method == "nothing":
            return web.Response(status=502, text="bad gateway")
        return self._json(message, {"method": method}, {})

    def _json(
        self, message: dict[str, object], result: object, headers: dict[str, str]
    ) -> web.Response:
        body = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        pretty = orjson.dumps(body, option=orjson.OPT_INDENT_2)
        return web.Response(body=pretty, content_type="application/json", headers=headers)

    async def _hang(self) -> web.StreamResponse:
        self.hanging.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.hung_up.set()
        raise AssertionError

    async def _stream(self, request: web.Request, message: dict[str, object]) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}
        await response.write(b": alive\r\n\r\nevent: message\r\ndata: ")
        await response.write(orjson.dumps(progress) + b"\r\n\r\n")
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": {"text": "x" * 300_000}}
        await response.write(b"data: " + orjson.dumps(answer) + b"\n\n")
        return response


@dataclass
class Client:
    """The lines that a client sends, and the messages it reads."""

    sent: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)
    read: asyncio.Queue[dict[str, object]] = field(default_factory=asyncio.Queue)

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield lines until an empty one, which is the end of input."""
        while line := await self.sent.get():
            yield line

    async def write(self, data: bytes) -> None:
        """Take one line, which must be exactly one message."""
        assert data.endswith(b"\n")
        assert data.count(b"\n") == 1
        self.read.put_nowait(orjson.loads(data))

    def send(self, method: str, request_id: int | str | None = None, **params: object) -> None:
        """Send one message."""
        message: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": params}
        if request_id is not None:
            message["id"] = request_id
        self.sent.put_nowait(orjson.dumps(message))

    def close(self) -> None:
        """End the input."""
        self.sent.put_nowait(b"")


@asynccontextmanager
async def bridged() -> AsyncIterator[tuple[Router, Client]]:
    """Run a bridge between a client and a router; at the end the input ends."""
    router, client = Router(), Client()
    app = web.Application()
    app.router.add_post("/mcp", router.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    on = free_socket()
    await web.SockSite(runner, on).start()
    async with asyncio.timeout(10), aiohttp.ClientSession() as http:
        bridge = StdioBridge(http=http, url=f"{address(on)}/mcp", write=client.write)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(bridge.run(client.lines()))
            yield router, client
            client.close()
    await runner.cleanup()


async def test_an_answer_becomes_one_line() -> None:
    """However the router lays its JSON out, the client reads one line."""
    async with bridged() as (_, client):
        client.send("tools/list", "a", _meta=MODERN)
        assert (await client.read.get())["result"] == {"method": "tools/list"}


async def test_a_stream_becomes_lines_as_they_come() -> None:
    """Notifications and a large answer of one event stream arrive in order."""
    async with bridged() as (_, client):
        client.send("stream", 1, _meta=MODERN)
        assert (await client.read.get())["method"] == "notifications/progress"
        assert (await client.read.get())["id"] == 1


async def test_modern_messages_carry_their_mirrored_headers() -> None:
    """Version, method and name; a name beyond ASCII in its Base64 form."""
    async with bridged() as (router, client):
        client.send("tools/call", 1, name="grün", arguments={}, _meta=MODERN)
        await client.read.get()
    (headers,) = router.headers
    assert headers["mcp-protocol-version"] == "2026-07-28"
    assert headers["mcp-method"] == "tools/call"
    assert headers["mcp-name"] == "=?base64?Z3LDvG4=?="


async def test_a_legacy_client_stays_in_its_session() -> None:
    """What `initialize` answered goes with every later message, in the order they were sent."""
    async with bridged() as (router, client):
        client.send("initialize", 0, protocolVersion="2025-11-25")
        await client.read.get()
        client.send("notifications/initialized")
        client.send("tools/list", 1)
        await client.read.get()
    assert router.methods == ["initialize", "notifications/initialized", "tools/list"]
    for headers in router.headers[1:]:
        assert headers["mcp-session-id"] == "s-1"
        assert headers["mcp-protocol-version"] == "2025-11-25"


async def test_cancelling_closes_the_request_and_nothing_else() -> None:
    """The router sees the hang-up, the client gets no answer for it, other requests go on."""
    async with bridged() as (router, client):
        client.send("hang", 1, _meta=MODERN)
        await router.hanging.wait()
        client.send("notifications/cancelled", requestId=1, _meta=MODERN)
        await router.hung_up.wait()
        client.send("tools/list", 2, _meta=MODERN)
        assert (await client.read.get())["id"] == 2
    assert client.read.empty()
    assert "notifications/cancelled" not in router.methods


async def test_cancelling_what_has_finished_is_ignored() -> None:
    """A late cancellation, which some clients send after every call, changes nothing."""
    async with bridged() as (_, client):
        client.send("tools/list", 1, _meta=MODERN)
        await client.read.get()
        client.send("notifications/cancelled", requestId=1)
        client.send("tools/list", 2, _meta=MODERN)
        assert (await client.read.get())["id"] == 2


async def test_an_answer_without_a_message_becomes_an_error() -> None:
    """What is no JSON-RPC (a proxy's page) still ends the client's wait, under its own id."""
    async with bridged() as (_, client):
        client.send("nothing", 5, _meta=MODERN)
        answer = await client.read.get()
    assert answer["id"] == 5
    assert "HTTP 502" in str(answer["error"])


async def test_a_hanging_request_does_not_outlive_the_input() -> None:
    """At the end of input a request in flight has its grace, then it is closed."""
    async with bridged() as (router, client):
        client.send("hang", 1, _meta=MODERN)
        await router.hanging.wait()
        client.close()
        async with asyncio.timeout(stdio_bridge.DRAIN_S + 1):
            await router.hung_up.wait()
