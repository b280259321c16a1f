"""FastMCP's proxy, stateless and with JSON answers: as it comes, on one session, with its cache."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.peers.peer import Peer, version_of
from bench.processes import listening
from bench.readiness import free_port

_PROGRAM = """
import asyncio
import sys

import uvicorn
from fastmcp import Client
from fastmcp.server import create_proxy
from fastmcp.server.middleware.caching import ResponseCachingMiddleware


async def serve(proxy, port):
    app = proxy.http_app(stateless_http=True, json_response=True)
    await uvicorn.Server(uvicorn.Config(app, port=port, log_level="error")).serve()


async def main(upstream, port, how):
    if how == "kept":
        async with Client(upstream) as client:
            return await serve(create_proxy(client), port)
    proxy = create_proxy(upstream)
    if how == "cached":
        proxy.add_middleware(ResponseCachingMiddleware())
    await serve(proxy, port)


asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
"""
_HOWS = {
    "default": ("proxy", 30),
    "kept": ("proxy on one kept session", 8),
    "cached": ("proxy, hit of its cache", 4),
}


def opened(programs: Path, upstream: int, stack: ExitStack) -> Sequence[Peer]:
    """Run all three, each in a process of its own."""
    file = Path(stack.enter_context(TemporaryDirectory())) / "proxy.py"
    file.write_text(_PROGRAM, encoding="utf-8")
    version = version_of(programs, "fastmcp")
    url = f"http://127.0.0.1:{upstream}/mcp"
    peers = []
    for how, (told, slowness) in _HOWS.items():
        port = free_port()
        command = [str(programs / "python"), str(file), url, str(port), how]
        subject = stack.enter_context(listening("fastmcp", command, port))
        label = f"FastMCP {version}, {told}"
        relays = how != "cached"
        peers.append(Peer(label=label, subject=subject, slowness=slowness, relays=relays))
    return peers
