"""The processes under measurement: a bare aiohttp handler, a bare aiohttp hop, and the router.

Each prints its port, then its CPU seconds so far for every line it reads.
"""

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine

import aiohttp
import orjson
import uvloop
from aiohttp import web

from trunkline_router.app import serve
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared import telemetry
from trunkline_shared.settings import load
from trunkline_shared.testing.serving import free_socket

TOOL = {
    "name": "echo",
    "description": "Say it again.",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
    "annotations": {"readOnlyHint": True},
}
COMPLETE = {"resultType": "complete", "ttlMs": 60000, "cacheScope": "public"}
RESULTS: dict[str, dict[str, object]] = {
    "server/discover": COMPLETE
    | {"capabilities": {"tools": {}}, "supportedVersions": ["2026-07-28"]},
    "tools/list": COMPLETE | {"tools": [TOOL]},
    "tools/call": {
        "resultType": "complete",
        "content": [{"type": "text", "text": '{"said":"hello"}'}],
        "structuredContent": {"said": "hello"},
        "isError": False,
    },
}
JSON = {"Content-Type": "application/json"}


async def bare(http: web.Request) -> web.Response:
    """A server with nothing in it: read, answer."""
    request = orjson.loads(await http.read())
    result = RESULTS[request["method"]]
    answer = orjson.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result})
    return web.Response(body=answer, headers=JSON)


async def run_bare() -> None:
    await _run(bare, asyncio.Event())


async def run_hop(upstream: str) -> None:
    """A proxy with nothing in it: read, send on, read, answer."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def hop(http: web.Request) -> web.Response:
            body = await http.read()
            async with session.post(upstream, data=body, headers=JSON) as response:
                answer = await response.read()
                return web.Response(body=answer, status=response.status, headers=JSON)

        await _run(hop, asyncio.Event())


async def run_router(*upstreams: str) -> None:
    """The router, traced, in front of the bare server, and of any others."""
    telemetry.set_up("router", "bench")
    logging.getLogger().setLevel(logging.WARNING)
    on = free_socket()
    urls = {f"bench{number}": url for number, url in enumerate(upstreams)}
    settings = load(RouterSettings, {"server_urls": urls})
    port = on.getsockname()[1]
    await serve(settings, on=on, ready=lambda: _report(port))


async def _run(
    handler: Callable[[web.Request], Awaitable[web.Response]], end: asyncio.Event
) -> None:
    app = web.Application()
    app.router.add_post("/mcp", handler)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    on = free_socket()
    await web.SockSite(runner, on).start()
    _report(on.getsockname()[1])
    await end.wait()


def _report(port: int) -> None:
    print(port, flush=True)
    threading.Thread(target=_tell_cpu, daemon=True).start()


def _tell_cpu() -> None:
    for _ in sys.stdin:
        print(time.process_time(), flush=True)


def main() -> None:
    subject, *upstreams = sys.argv[1:]
    subjects: dict[str, Callable[..., Coroutine[None, None, None]]] = {
        "bare": run_bare,
        "hop": run_hop,
        "router": run_router,
    }
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(subjects[subject](*upstreams))


if __name__ == "__main__":
    main()
