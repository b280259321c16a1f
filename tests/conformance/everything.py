"""The SDK's everything-server as a process: `python -m tests.conformance.everything FOLDER`.

The server itself is an example of the Python SDK (MIT licence), in FOLDER as its source
distribution has it. `--legacy` refuses what is not of the `initialize` era, as servers do that
were never brought up to date. Prints its URL when it listens.
"""

import asyncio
import importlib
import logging
import sys
import warnings
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import orjson
import uvicorn
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from trunkline_shared.testing.loopback import address, free_socket

_VERSION_HEADER = MCP_PROTOCOL_VERSION_HEADER.lower().encode()
_RETRY_MS = 100

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def legacy_only(app: App) -> App:
    """Return the app as one of before 2026-07-28, which knows no other version."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope.get("headers", ()))
        version = headers.get(_VERSION_HEADER, b"2025-03-26").decode()
        if scope["type"] != "http" or version in HANDSHAKE_PROTOCOL_VERSIONS:
            await app(scope, receive, send)
            return
        error = {"code": -32000, "message": "Bad Request: Unsupported protocol version"}
        body = orjson.dumps({"jsonrpc": "2.0", "id": None, "error": error})
        head = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 400, "headers": head})
        await send({"type": "http.response.body", "body": body})

    return guarded


async def main(folder: str, *flags: str) -> None:
    """Serve until ended."""
    sys.path.insert(0, folder)
    # It speaks of all that it does, and uses on purpose what the protocol has deprecated.
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    example = importlib.import_module("mcp_everything_server.server")
    app: App = example.mcp.streamable_http_app(
        event_store=example.event_store, retry_interval=_RETRY_MS
    )
    served = legacy_only(app) if "--legacy" in flags else app
    on = free_socket()
    server = uvicorn.Server(uvicorn.Config(served, log_level="error", timeout_graceful_shutdown=1))
    sys.stdout.write(address(on) + "\n")
    sys.stdout.flush()
    await server.serve(sockets=[on])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
