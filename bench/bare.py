"""Servers and proxies with nothing in them: what everything else is compared with."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import aiohttp
import orjson
from aiohttp import web

from bench.answers import LARGE, MEGABYTE, TOOLS, Json, library, results
from bench.readiness import report
from trunkline_shared.testing.serving import free_socket

JSON = {"Content-Type": "application/json"}
UNKNOWN = {"code": -32601, "message": "Method not found"}
NONE: Json = {}
STEPS = 3
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


async def run_bare(size: str = "") -> None:
    """A server: read, answer. It has its four tools, or a library of `size`, made ready once."""
    known: Mapping[str, Json | orjson.Fragment] = results(TOOLS) if not size else _ready(int(size))

    async def bare(http: web.Request) -> web.Response:
        request = orjson.loads(await http.read())
        if "id" not in request:
            return web.Response(status=202)
        large = request.get("params", NONE).get("name") in LARGE
        result = MEGABYTE if large else known.get(request["method"])
        return web.Response(body=_answer(request["id"], result), headers=JSON)

    await _run(bare)


def _ready(size: int) -> Mapping[str, orjson.Fragment]:
    """Return what a library answers, as bytes: nobody makes these anew for each who asks."""
    known = results(library(size))
    return {method: orjson.Fragment(orjson.dumps(result)) for method, result in known.items()}


def _answer(id_: object, result: Json | orjson.Fragment | None) -> bytes:
    told = {"error": UNKNOWN} if result is None else {"result": result}
    return orjson.dumps({"jsonrpc": "2.0", "id": id_, **told})


async def run_streaming() -> None:
    """A server that answers a call by a stream of events: its progress, then the result."""
    known = results(TOOLS)

    async def streaming(http: web.Request) -> web.StreamResponse:
        request = orjson.loads(await http.read())
        answer = _answer(request["id"], known.get(request["method"]))
        token = request["params"].get("_meta", {}).get("progressToken")
        if token is None:
            return web.Response(body=answer, headers=JSON)
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await stream.prepare(http)
        for step in range(1, STEPS + 1):
            await stream.write(_event(_progress(token, step)))
        await stream.write(_event(answer))
        return stream

    await _run(streaming)


def _progress(token: object, step: int) -> bytes:
    params = {"progressToken": token, "progress": step, "total": STEPS}
    return orjson.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})


def _event(message: bytes) -> bytes:
    return b"event: message\r\ndata: " + message + b"\r\n\r\n"


async def run_hop(upstream: str) -> None:
    """A proxy: read, send on, read, answer."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def hop(http: web.Request) -> web.Response:
            body = await http.read()
            async with session.post(upstream, data=body, headers=JSON) as response:
                answer = await response.read()
                return web.Response(body=answer, status=response.status, headers=JSON)

        await _run(hop)


async def run_streaming_hop(upstream: str) -> None:
    """A proxy of streams: read, send on, pass on each chunk as it comes."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def hop(http: web.Request) -> web.StreamResponse:
            body = await http.read()
            async with session.post(upstream, data=body, headers=JSON) as response:
                stream = web.StreamResponse(headers={"Content-Type": response.content_type})
                await stream.prepare(http)
                async for chunk in response.content.iter_any():
                    await stream.write(chunk)
                return stream

        await _run(hop)


async def _run(handler: Handler) -> None:
    app = web.Application()
    app.router.add_post("/mcp", handler)
    app.router.add_post("/v1/{signal}", _collect)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    on = free_socket()
    await web.SockSite(runner, on).start()
    report(on.getsockname()[1])
    await asyncio.Event().wait()


async def _collect(http: web.Request) -> web.Response:
    """A collector with nothing in it: read, thank."""
    await http.read()
    return web.Response(content_type="application/x-protobuf")
