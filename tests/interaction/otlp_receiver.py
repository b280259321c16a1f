"""A collector on a socket that keeps the spans it is sent."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from trunkline_shared.testing.loopback import address, free_socket


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A span, and the service that sent it."""

    service: str
    span: Span

    @property
    def trace_id(self) -> str:
        return self.span.trace_id.hex()


@dataclass(frozen=True)
class OtlpReceiver:
    """What has arrived so far."""

    url: str
    spans: list[Seen] = field(default_factory=list)
    arrived: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def until(self, count: int, trace_id: str) -> list[Seen]:
        """Wait until a trace has that many spans, and return them."""
        async with self.arrived:
            await self.arrived.wait_for(lambda: len(self.of(trace_id)) >= count)
        return self.of(trace_id)

    async def served_by(self, service: str, trace_id: str) -> Seen:
        """Wait for the SERVER span of a service in a trace, and return it.

        Its parent may be the client's, which is not sent here.
        """
        async with self.arrived:
            await self.arrived.wait_for(lambda: self._served(service, trace_id))
        return self._served(service, trace_id)[0]

    def _served(self, service: str, trace_id: str) -> list[Seen]:
        server = Span.SpanKind.SPAN_KIND_SERVER
        return [
            seen
            for seen in self.of(trace_id)
            if seen.service == service and seen.span.kind == server
        ]

    def of(self, trace_id: str) -> list[Seen]:
        return [seen for seen in self.spans if seen.trace_id == trace_id]

    async def take(self, request: web.Request) -> web.Response:
        body = await request.read()
        if request.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        async with self.arrived:
            self.spans.extend(_spans(ExportTraceServiceRequest.FromString(body)))
            self.arrived.notify_all()
        return web.Response(content_type="application/x-protobuf")


def _spans(request: ExportTraceServiceRequest) -> Iterator[Seen]:
    for resource in request.resource_spans:
        names = {one.key: one.value.string_value for one in resource.resource.attributes}
        for scope in resource.scope_spans:
            for span in scope.spans:
                yield Seen(service=names["service.name"], span=span)


@asynccontextmanager
async def receiving() -> AsyncIterator[OtlpReceiver]:
    """Listen on a free port of the loopback for the length of the block."""
    on = free_socket()
    receiver = OtlpReceiver(url=address(on))
    app = web.Application()
    app.router.add_post("/v1/traces", receiver.take)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.SockSite(runner, on).start()
    try:
        yield receiver
    finally:
        await runner.cleanup()
