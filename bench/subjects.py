"""The processes under measurement: a bare aiohttp handler, a bare aiohttp hop, and the router.

Each prints its port, then its CPU seconds so far for every line it reads.
"""

import asyncio
import logging
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from hashlib import sha256

import aiohttp
import orjson
import uvloop
from aiohttp import web

from bench.load import KEY_ID, KEY_SECRET
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
LARGE = {
    "name": "large",
    "description": "Say a megabyte.",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}
COMPLETE = {"resultType": "complete", "ttlMs": 60000, "cacheScope": "public"}
RESULTS: dict[str, dict[str, object]] = {
    "server/discover": COMPLETE
    | {"capabilities": {"tools": {}}, "supportedVersions": ["2026-07-28"]},
    "tools/list": COMPLETE | {"tools": [TOOL, LARGE]},
    "tools/call": {
        "resultType": "complete",
        "content": [{"type": "text", "text": '{"said":"hello"}'}],
        "structuredContent": {"said": "hello"},
        "isError": False,
    },
}
MEGABYTE = {
    "resultType": "complete",
    "content": [{"type": "text", "text": "x" * 1_000_000}],
    "isError": False,
}
JSON = {"Content-Type": "application/json"}


async def bare(http: web.Request) -> web.Response:
    """A server with nothing in it: read, answer."""
    request = orjson.loads(await http.read())
    large = request["params"].get("name") == "large"
    result = MEGABYTE if large else RESULTS[request["method"]]
    answer = orjson.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result})
    return web.Response(body=answer, headers=JSON)


async def collect(http: web.Request) -> web.Response:
    """A collector with nothing in it: read, thank."""
    await http.read()
    return web.Response(content_type="application/x-protobuf")


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
    await _serve({"server_urls": {f"bench{n}": url for n, url in enumerate(upstreams)}})


async def _serve(given: Mapping[str, object]) -> None:
    telemetry.set_up("router", "bench")
    logging.getLogger().setLevel(logging.WARNING)
    on = free_socket()
    port = on.getsockname()[1]
    await serve(load(RouterSettings, given), on=on, ready=lambda: _report(port))


async def run_keyed(upstream: str) -> None:
    """The router, traced, with callers that show a key and a server whose reads may be kept."""
    reads = {"reads": {"ttl_s": 86400, "tags": ["bench:{text}"]}}
    entry = {"url": upstream, "policy": {"echo": reads, "large": reads}}
    key = {"id": KEY_ID, "hash": sha256(KEY_SECRET.encode()).hexdigest()}
    with tempfile.NamedTemporaryFile("wb", suffix=".yaml") as file:
        # JSON is YAML.
        file.write(orjson.dumps({"servers": {"kept": entry}, "keys": [key]}))
        file.flush()
        await _serve({"config": file.name, "servers": "kept"})


async def _run(
    handler: Callable[[web.Request], Awaitable[web.Response]], end: asyncio.Event
) -> None:
    app = web.Application()
    app.router.add_post("/mcp", handler)
    app.router.add_post("/v1/{signal}", collect)
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
        "keyed": run_keyed,
    }
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(subjects[subject](*upstreams))


if __name__ == "__main__":
    main()
