"""`python -m tests.soak.servers SECONDS`: healthy servers, one that hangs, one that dies.

The last one lives so many seconds each time. Prints the ports as JSON, and ends with its standard
input.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import orjson
import uvloop
from aiohttp import web

from tests.interaction.upstreams import COMPLETE, Json, event, result, tool
from trunkline_shared.testing.serving import free_socket

DEAD_S = 0.7
FILLER = "x" * 20_000
HEALTHY = ("calm", "busy", "bulk")
SICK = ("hanging", "dying")

Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Echo:
    """A server each of whose answers holds the nonce that was sent."""

    name: str

    async def __call__(self, http: web.BaseRequest) -> web.StreamResponse:
        request: Json = orjson.loads(await http.read())
        method = str(request.get("method"))
        if method in _LISTS:
            return self._listed(request, method)
        nonce = _nonce(request)
        if self.name == "hanging":
            await asyncio.Event().wait()
        if self.name == "busy":
            return await _streamed(http, request, nonce)
        if method == "resources/read":
            contents = [{"uri": f"soak://item/{nonce}", "text": nonce}]
            return result(request, COMPLETE | {"contents": contents})
        if method == "prompts/get":
            message = {"role": "user", "content": {"type": "text", "text": nonce}}
            return result(request, {"resultType": "complete", "messages": [message]})
        return result(request, said(nonce + (FILLER if self.name == "bulk" else "")))

    def _listed(self, request: Json, method: str) -> web.StreamResponse:
        found: dict[str, object] = {
            "server/discover": {
                "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
            },
            "tools/list": {"tools": [tool(f"{self.name}_echo", timeout_s=20)]},
            "prompts/list": {"prompts": [{"name": "greet"}] if self.name == "calm" else []},
            "resources/list": {"resources": []},
            "resources/templates/list": {
                "resourceTemplates": [{"uriTemplate": "soak://item/{nonce}", "name": "item"}]
                if self.name == "calm"
                else []
            },
        }
        listed = found[method]
        assert isinstance(listed, dict)
        return result(request, COMPLETE | listed)


_LISTS = frozenset({
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
})


def _nonce(request: Json) -> str:
    params = request.get("params")
    given: Mapping[str, object] = params if isinstance(params, dict) else {}
    if "uri" in given:
        return str(given["uri"]).rpartition("/")[2]
    arguments = given.get("arguments")
    return str(arguments.get("nonce")) if isinstance(arguments, dict) else ""


def said(text: str) -> Json:
    """Return the result of a tool that says this."""
    content = [{"type": "text", "text": text}]
    return {"resultType": "complete", "content": content, "isError": False}


async def _streamed(http: web.BaseRequest, request: Json, nonce: str) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(http)
    params = request["params"]
    assert isinstance(params, dict)
    token = params.get("_meta", {}).get("progressToken")
    for step in (1, 2, 3) if token is not None else ():
        told = {"progressToken": token, "progress": step, "message": nonce}
        frame = {"jsonrpc": "2.0", "method": "notifications/progress", "params": told}
        await response.write(event(frame))
    await response.write(event({"jsonrpc": "2.0", "id": request["id"], "result": said(nonce)}))
    return response


@asynccontextmanager
async def _listening(handler: Handler, port: int = 0) -> AsyncIterator[int]:
    """Serve HTTP; the end of the block is a crash: connections are cut, whatever they carry."""
    loop = asyncio.get_running_loop()
    http = web.Server(handler, handler_cancellation=True, access_log=None)
    server = await loop.create_server(http, "127.0.0.1", port, reuse_address=True, backlog=1024)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for connection in http.connections:
            if connection.transport is not None:
                connection.transport.abort()


async def _dying(port: int, lives_s: float) -> None:
    """Live, crash, and come back, again and again."""
    while True:
        async with _listening(Echo(name="dying"), port):
            await asyncio.sleep(lives_s)
        await asyncio.sleep(DEAD_S)


async def main() -> None:
    with free_socket() as on:
        dying = int(on.getsockname()[1])
    async with (
        _listening(Echo(name="calm")) as calm,
        _listening(Echo(name="busy")) as busy,
        _listening(Echo(name="bulk")) as bulk,
        _listening(Echo(name="hanging")) as hanging,
        asyncio.TaskGroup() as tasks,
    ):
        crashing = tasks.create_task(_dying(dying, float(sys.argv[1])))
        ports = {"calm": calm, "busy": busy, "bulk": bulk, "hanging": hanging, "dying": dying}
        sys.stdout.write(json.dumps(ports) + "\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)
        crashing.cancel()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, suppress(KeyboardInterrupt):
        runner.run(main())
