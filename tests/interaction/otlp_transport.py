"""The two ways on which something is exported: posts over HTTP, and gRPC's one method."""

import gzip
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

import grpc
from aiohttp import web

from trunkline_shared.testing.loopback import address, free_socket

Take = Callable[[bytes, Mapping[str, str]], Awaitable[None]]
"""Takes one request, unpacked, and its headers, whose names are in lower case."""
Context = grpc.aio.ServicerContext[bytes, bytes]
THANKS = b""
"""Every response of OTLP with nothing in it."""


@asynccontextmanager
async def posted(path: str, take: Take, port: int = 0) -> AsyncIterator[str]:
    """Listen on a port of the loopback, a free one unless it is named; yields the base URL."""

    async def handle(http: web.Request) -> web.Response:
        body = await http.read()
        if http.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        await take(body, {name.lower(): value for name, value in http.headers.items()})
        return web.Response(body=THANKS, content_type="application/x-protobuf")

    on = free_socket(port)
    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.router.add_post(path, handle)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.SockSite(runner, on).start()
    try:
        yield address(on)
    finally:
        await runner.cleanup()


@asynccontextmanager
async def exported(service: str, take: Take) -> AsyncIterator[str]:
    """Serve a service of the package `opentelemetry.proto.collector`; yields the base URL."""

    async def handle(body: bytes, context: Context) -> bytes:
        await take(body, {name: str(value) for name, value in context.invocation_metadata() or ()})
        return THANKS

    server = grpc.aio.server()
    port = server.add_insecure_port("127.0.0.1:0")
    named = f"opentelemetry.proto.collector.{service}"
    method: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(handle)
    generic = grpc.method_handlers_generic_handler(named, {"Export": method})
    server.add_generic_rpc_handlers((generic,))
    await server.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        await server.stop(grace=None)
