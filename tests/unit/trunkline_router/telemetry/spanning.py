"""Spans made up for tests: the router's own, and those that servers send."""

from collections.abc import Mapping

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans
from opentelemetry.proto.trace.v1.trace_pb2 import Span as Sent
from opentelemetry.trace import SpanKind

from trunkline_router.span import Attribute, Recorder, Span
from trunkline_router.telemetry.received_spans import Received, arrival_of
from trunkline_shared.testing.fake_clock import FakeClock

NOW = 1_700_000_000.0


def own(
    trace_id: int,
    kind: SpanKind = SpanKind.SERVER,
    *,
    at: float = NOW,
    seconds: float = 0.25,
    parent: int = 0,
    given: Mapping[str, Attribute] | None = None,
) -> Span:
    """Return a span of the router's own that has ended."""
    clock = FakeClock(at)
    recorder = Recorder(clock=clock)
    with Span("own", kind, (trace_id, parent), dict(given or {}), recorder) as span:
        clock.advance(seconds)
    return span


def call(trace_id: int, *, at: float = NOW, seconds: float = 0.25, **told: Attribute) -> Span:
    """Return the span of a tool's call: of `look` at `github` by `ann`, unless told otherwise."""
    given = {
        "mcp.method.name": "tools/call",
        "gen_ai.tool.name": told.pop("tool", "look"),
        "trunkline.server": told.pop("server", "github"),
        "trunkline.agent": told.pop("agent", "ann"),
        "trunkline.source": told.pop("source", "upstream"),
        "trunkline.tokens.in": told.pop("tokens_in", 0),
        "trunkline.tokens.out": told.pop("tokens_out", 0),
    }
    if "error" in told:
        given["error.type"] = told["error"]
    if "refused" in told:
        given["rpc.response.status_code"] = told["refused"]
    return own(trace_id, at=at, seconds=seconds, given=given)


def sent(trace_id: int, span_id: int, parent: int = 0, **fields: object) -> Sent:
    """Return a span as a server sends it."""
    made = Sent(
        trace_id=trace_id.to_bytes(16),
        span_id=span_id.to_bytes(8),
        parent_span_id=parent.to_bytes(8) if parent else b"",
        name="sent",
        kind=Sent.SPAN_KIND_SERVER,
        start_time_unix_nano=int(NOW * 1e9),
        end_time_unix_nano=int((NOW + 0.1) * 1e9),
    )
    made.MergeFrom(Sent(**fields))  # type: ignore[arg-type]  # as a test says
    return made


def text(key: str, value: str) -> KeyValue:
    """Return an attribute."""
    return KeyValue(key=key, value=AnyValue(string_value=value))


def message(*spans: Sent, service: str = "ci-status") -> bytes:
    """Return the body of a request that exports spans."""
    resource = Resource(attributes=[text("service.name", service)])
    scope = ScopeSpans(spans=spans)
    return ExportTraceServiceRequest(
        resource_spans=[ResourceSpans(resource=resource, scope_spans=[scope])]
    ).SerializeToString()


def received(trace_id: int, span_id: int, parent: int = 0, **fields: object) -> Received:
    """Return a span of a server as it is kept."""
    return arrival_of(message(sent(trace_id, span_id, parent, **fields))).spans[0]
