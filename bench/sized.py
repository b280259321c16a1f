"""A server whose tool answers as many bytes as it is asked for, and nothing else: a program."""

import asyncio
import sys
from functools import lru_cache

import orjson
import uvloop
from aiohttp import web

from bench.answers import results, tool

SIZES = {"1 kB": 1_000, "16 kB": 16_000, "256 kB": 256_000, "1 MB": 1_000_000, "4 MB": 4_000_000}
KEPT, FRESH = "sized", "sized_anew"
_JSON = {"Content-Type": "application/json"}
_KNOWN = results([tool(KEPT, "Say so many bytes."), tool(FRESH, "Say so many bytes once.")])


@lru_cache
def _result(size: int) -> orjson.Fragment:
    """Return a result as bytes: nobody makes these anew for each who asks."""
    content = [{"type": "text", "text": "x" * size}]
    return orjson.Fragment(
        orjson.dumps({"resultType": "complete", "content": content, "isError": False})
    )


async def _answer(http: web.Request) -> web.Response:
    request = orjson.loads(await http.read())
    if "id" not in request:
        return web.Response(status=202)
    if request["method"] == "tools/call":
        result: object = _result(SIZES[request["params"]["arguments"]["text"]])
    else:
        result = _KNOWN[request["method"]]
    body = orjson.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result})
    return web.Response(body=body, headers=_JSON)


async def main(port: int) -> None:
    app = web.Application()
    app.router.add_post("/mcp", _answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as on:
        on.run(main(int(sys.argv[1])))
