"""The processes under measurement: bare servers and hops, an SDK server, and the router.

Each prints its port once it is ready, and serves until it is ended.
"""

import asyncio
import logging
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from hashlib import sha256

import orjson
import uvicorn
import uvloop
from mcp.server.mcpserver import MCPServer

from bench.bare import run_bare, run_hop, run_streaming, run_streaming_hop
from bench.operations import KEY_ID, KEY_SECRET
from bench.readiness import report
from trunkline_router.app import serve
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared import telemetry
from trunkline_shared.settings import load
from trunkline_shared.testing.serving import free_socket


async def run_router(*upstreams: str) -> None:
    """The router, traced, in front of the bare server, and of any others."""
    await _serve({"server_urls": {f"bench{n}": url for n, url in enumerate(upstreams)}})


async def run_keyed(upstream: str, *kept: str) -> None:
    """The router, traced, with callers that show a key, and tools whose answers are `kept`."""
    with tempfile.NamedTemporaryFile("wb", suffix=".yaml") as file:
        file.write(configuration(upstream, kept))
        file.flush()
        await _serve({"config": file.name, "servers": "bench"})


def configuration(upstream: str, kept: Sequence[str]) -> bytes:
    """Return the router's file: one key, one server, and which of its tools' answers are kept."""
    reads = {"reads": {"ttl_s": 86400, "tags": ["bench:{text}"]}}
    entry = {"url": upstream, "policy": dict.fromkeys(kept, reads)}
    key = {"id": KEY_ID, "hash": sha256(KEY_SECRET.encode()).hexdigest()}
    # JSON is YAML.
    return orjson.dumps({"servers": {"bench": entry}, "keys": [key]})


async def _serve(given: Mapping[str, object]) -> None:
    telemetry.set_up("router", "bench")
    logging.getLogger().setLevel(logging.WARNING)
    on = free_socket()
    port = on.getsockname()[1]
    await serve(load(RouterSettings, given), on=on, ready=lambda: report(port))


async def run_sdk() -> None:
    """The SDK's own server under uvicorn, as most foreign servers are."""
    server = MCPServer("said", log_level="WARNING")

    @server.tool()
    async def say(text: str) -> dict[str, str]:
        """Say it once."""
        return {"said": text}

    on = free_socket()
    app = server.streamable_http_app(json_response=True, stateless_http=True)
    http = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(http.serve(sockets=[on]))
        report(on.getsockname()[1])


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(0)


def main() -> None:
    subject, *arguments = sys.argv[1:]
    threading.Thread(target=_end_with_parent, daemon=True).start()
    subjects: Mapping[str, Callable[..., Coroutine[None, None, None]]] = {
        "bare": run_bare,
        "streaming": run_streaming,
        "sdk": run_sdk,
        "hop": run_hop,
        "streaming-hop": run_streaming_hop,
        "router": run_router,
        "keyed": run_keyed,
    }
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(subjects[subject](*arguments))


if __name__ == "__main__":
    main()
