"""A server of 2025-11-25 over Streamable HTTP, by hand, that does exactly what a test says."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import orjson
from aiohttp import web

from tests.interaction.upstreams import Json, event, result, tool

Answer = Callable[["ScriptedOlder", web.Request, Json], Awaitable[web.StreamResponse]]


async def ok(server: "ScriptedOlder", http: web.Request, request: Json) -> web.StreamResponse:
    return result(request, {"content": [{"type": "text", "text": "ok"}]})


@dataclass(kw_only=True)
class ScriptedOlder:
    """Sessions, a stream of its own for each if `streams`, and everything it was asked.

    `modern` makes it a server of 2026-07-28 instead. `lost` is how it answers a session that it
    does not know.
    """

    answer: Answer = ok
    streams: bool = True
    modern: bool = False
    lost: int = 404
    stateless: bool = False
    capabilities: Json = field(
        default_factory=lambda: {
            "tools": {"listChanged": True},
            "resources": {"subscribe": True, "listChanged": True},
            "logging": {},
        }
    )
    tools: list[Json] = field(default_factory=lambda: [tool("act")])
    sessions: dict[str, "asyncio.Queue[bytes]"] = field(default_factory=dict)
    begun: list[Json] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    asked: list[Json] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    gets: list[Mapping[str, str]] = field(default_factory=list)
    heard: asyncio.Condition = field(default_factory=asyncio.Condition)
    url: str = ""

    def methods(self) -> list[str]:
        return [str(one.get("method", "answer")) for one in self.asked]

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until what was heard fulfils something."""
        async with self.heard:
            await self.heard.wait_for(holds)

    async def tell(self, method: str, params: Json | None = None) -> None:
        """Send a notification on the stream of every session."""
        for queue in self.sessions.values():
            queue.put_nowait(event({"jsonrpc": "2.0", "method": method, "params": params or {}}))

    async def post(self, http: web.Request) -> web.StreamResponse:
        request = orjson.loads(await http.read())
        modern = http.headers.get("MCP-Protocol-Version") == "2026-07-28"
        if modern != self.modern:
            return self._misunderstood(request)
        if self.modern:
            return self._modern(request)
        if request.get("method") == "initialize":
            return self._initialized(request)
        if not self.stateless and http.headers.get("Mcp-Session-Id") not in self.sessions:
            return self._unknown_session()
        async with self.heard:
            self.asked.append(request)
            self.headers.append(http.headers.copy())
            self.heard.notify_all()
        return await self._answered(http, request)

    async def get(self, http: web.Request) -> web.StreamResponse:
        self.gets.append(http.headers.copy())
        queue = self.sessions.get(http.headers.get("Mcp-Session-Id", ""))
        if not self.streams or self.modern:
            return web.Response(status=405)
        if queue is None:
            return web.Response(status=404)
        response = await opened(http)
        while True:
            await response.write(await queue.get())

    async def delete(self, http: web.Request) -> web.StreamResponse:
        async with self.heard:
            self.ended.append(http.headers["Mcp-Session-Id"])
            self.sessions.pop(http.headers["Mcp-Session-Id"], None)
            self.heard.notify_all()
        return web.Response(status=200)

    def _misunderstood(self, request: Json) -> web.Response:
        error = {"code": -32000, "message": "Bad Request: not understood"}
        return web.json_response(
            {"jsonrpc": "2.0", "id": request.get("id"), "error": error}, status=400
        )

    def _unknown_session(self) -> web.Response:
        error = {"code": -32000, "message": "Bad Request: No valid session ID provided"}
        body = {"jsonrpc": "2.0", "id": None, "error": error}
        return web.json_response(body, status=self.lost)

    def _modern(self, request: Json) -> web.Response:
        found: Json = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
        if request["method"] == "server/discover":
            found |= {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
        elif request["method"] == "tools/list":
            found["tools"] = self.tools
        else:
            found["content"] = [{"type": "text", "text": "modern"}]
        return result(request, found)

    def _initialized(self, request: Json) -> web.Response:
        self.begun.append(request)
        params = request["params"]
        assert isinstance(params, dict)
        response = result(
            request,
            {
                "protocolVersion": params["protocolVersion"],
                "capabilities": self.capabilities,
                "serverInfo": {"name": "scripted", "version": "1"},
            },
        )
        if not self.stateless:
            id_ = f"session-{len(self.begun)}"
            self.sessions[id_] = asyncio.Queue()
            response.headers["Mcp-Session-Id"] = id_
        return response

    async def _answered(self, http: web.Request, request: Json) -> web.StreamResponse:
        if "id" not in request or "method" not in request:
            return web.Response(status=202)
        lists: dict[object, Json] = {
            "tools/list": {"tools": self.tools},
            "resources/list": {"resources": [{"uri": "x://1", "name": "one"}]},
            "resources/templates/list": {"resourceTemplates": []},
            "resources/subscribe": {},
            "resources/unsubscribe": {},
            "logging/setLevel": {},
        }
        if request["method"] in lists:
            return result(request, lists[request["method"]])
        return await self.answer(self, http, request)


async def opened(http: web.Request) -> web.StreamResponse:
    """Begin a stream."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(http)
    return response


@asynccontextmanager
async def running(server: ScriptedOlder, port: int = 0) -> AsyncIterator[str]:
    """Serve on a socket; yields the base URL."""
    app = web.Application()
    app.router.add_post("/mcp", server.post)
    app.router.add_get("/mcp", server.get, allow_head=False)
    app.router.add_delete("/mcp", server.delete)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield server.url
    finally:
        await runner.cleanup()
