"""A collector on a socket that keeps the spans it is sent, over HTTP or gRPC."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.interaction.otlp_transport import exported, posted


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A span, and the service that sent it."""

    service: str
    span: Span

    @property
    def trace_id(self) -> str:
        return self.span.trace_id.hex()

    @property
    def attributes(self) -> dict[str, object]:
        """Its attributes as plain values."""
        return {one.key: _plain(one.value) for one in self.span.attributes}


def _plain(value: object) -> object:
    kind = value.WhichOneof("value")  # type: ignore[attr-defined] # of protobuf's making
    return getattr(value, kind)


@dataclass
class OtlpReceiver:
    """What has arrived so far; `headers` are those of each request, names in lower case."""

    url: str = ""
    spans: list[Seen] = field(default_factory=list)
    arrived: asyncio.Condition = field(default_factory=asyncio.Condition)
    headers: list[Mapping[str, str]] = field(default_factory=list)

    async def when(self, enough: Callable[[], bool]) -> None:
        """Wait until what has arrived is enough."""
        async with self.arrived:
            await self.arrived.wait_for(enough)

    async def until(self, count: int, trace_id: str) -> list[Seen]:
        """Wait until a trace has that many spans, and return them."""
        await self.when(lambda: len(self.of(trace_id)) >= count)
        return self.of(trace_id)

    async def served_by(self, service: str, trace_id: str) -> Seen:
        """Wait for the SERVER span of a service in a trace, and return it.

        Its parent may be the client's, which is not sent here.
        """
        await self.when(lambda: bool(self._served(service, trace_id)))
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

    async def put(self, body: bytes, headers: Mapping[str, str]) -> None:
        """Keep what one request brought."""
        async with self.arrived:
            self.headers.append(headers)
            self.spans.extend(_spans(ExportTraceServiceRequest.FromString(body)))
            self.arrived.notify_all()


def _spans(request: ExportTraceServiceRequest) -> Iterator[Seen]:
    for resource in request.resource_spans:
        names = {one.key: one.value.string_value for one in resource.resource.attributes}
        for scope in resource.scope_spans:
            for span in scope.spans:
                yield Seen(service=names["service.name"], span=span)


@asynccontextmanager
async def receiving(port: int = 0) -> AsyncIterator[OtlpReceiver]:
    """Listen on a port of the loopback, a free one unless it is named, for the block's length."""
    receiver = OtlpReceiver()
    async with posted("/v1/traces", receiver.put, port) as receiver.url:
        yield receiver


@asynccontextmanager
async def receiving_grpc() -> AsyncIterator[OtlpReceiver]:
    """Listen for gRPC on a free port of the loopback for the block's length."""
    receiver = OtlpReceiver()
    async with exported("trace.v1.TraceService", receiver.put) as receiver.url:
        yield receiver
