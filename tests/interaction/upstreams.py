"""Servers behind the router that do exactly what a test says."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import orjson
from aiohttp import web

Json = dict[str, object]
Answer = Callable[[web.Request, Json], Awaitable[web.StreamResponse]]

COMPLETE: Json = {"resultType": "complete", "ttlMs": 60_000, "cacheScope": "public"}


def tool(name: str, *, read_only: bool = True, timeout_s: float = 30) -> Json:
    """Return a tool's definition."""
    return {
        "name": name,
        "description": f"{name}.",
        "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": read_only},
        "_meta": {"dev.trunkline/policy": {"timeout_s": timeout_s}},
    }


def result(request: Json, result: Mapping[str, object]) -> web.Response:
    """Return a JSON-RPC success."""
    return web.json_response({"jsonrpc": "2.0", "id": request["id"], "result": result})


async def ok(http: web.Request, request: Json) -> web.StreamResponse:
    """Answer any call with success."""
    return result(request, {"resultType": "complete", "content": [], "isError": False})


class Held:
    """An answer that is given when the test says so."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.free = asyncio.Event()

    async def __call__(self, http: web.Request, request: Json) -> web.StreamResponse:
        self.asked.set()
        await self.free.wait()
        return await ok(http, request)


async def cut(http: web.Request, request: Json) -> web.StreamResponse:
    """Cut the connection in place of an answer."""
    assert http.transport is not None
    http.transport.abort()
    return web.Response()


def event(message: Mapping[str, object]) -> bytes:
    return b"data: " + orjson.dumps(message) + b"\n\n"


@dataclass(kw_only=True)
class Scripted:
    """A server whose lists are given and whose calls are answered by `answer`."""

    answer: Answer = ok
    tools: list[Json] = field(default_factory=lambda: [tool("act"), tool("write", read_only=False)])
    resources: list[Json] = field(default_factory=list)
    templates: list[Json] = field(default_factory=list)
    prompts: list[Json] = field(default_factory=list)
    page: int = 100
    calls: list[Json] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    lists: int = 0
    url: str = ""

    async def handle(self, http: web.Request) -> web.StreamResponse:
        request = orjson.loads(await http.read())
        if request["method"] == "server/discover":
            offered: Json = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}
            found = COMPLETE | {"capabilities": offered, "instructions": "Scripted. For tests."}
            return result(request, found)
        listed: dict[str, tuple[str, Sequence[Json]]] = {
            "tools/list": ("tools", self.tools),
            "resources/list": ("resources", self.resources),
            "resources/templates/list": ("resourceTemplates", self.templates),
            "prompts/list": ("prompts", self.prompts),
        }
        if request["method"] in listed:
            return self._page(request, *listed[request["method"]])
        self.calls.append(request)
        self.headers.append({name.lower(): value for name, value in http.headers.items()})
        return await self.answer(http, request)

    def _page(self, request: Json, key: str, items: Sequence[Json]) -> web.Response:
        self.lists += 1
        params = request["params"]
        assert isinstance(params, dict)
        start = int(params.get("cursor", 0))
        end = start + self.page
        more = {"nextCursor": str(end)} if end < len(items) else {}
        return result(request, COMPLETE | {key: items[start:end]} | more)


@asynccontextmanager
async def running(server: Scripted, port: int = 0) -> AsyncIterator[str]:
    """Serve on a socket; yields the base URL."""
    app = web.Application()
    app.router.add_post("/mcp", server.handle)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    try:
        server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield server.url
    finally:
        await runner.cleanup()
