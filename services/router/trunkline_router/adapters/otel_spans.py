"""The router's spans as the OpenTelemetry SDK's, for those who collect them."""

from collections.abc import Sequence

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import Link, SpanContext, Status, StatusCode, TraceFlags

from trunkline_router.span import Span

_SAMPLED = TraceFlags(TraceFlags.SAMPLED)
_SCOPE = InstrumentationScope("trunkline_router")
_MCP = {"network.protocol.name": "http", "network.transport": "tcp"}


class OtelSpans:
    """Hands spans that have ended to a processor, many at a time."""

    def __init__(self, processor: SpanProcessor, resource: Resource) -> None:
        self._processor = processor
        self._resource = resource

    def __call__(self, spans: Sequence[Span]) -> None:
        for span in spans:
            self._processor.on_end(readable(span, self._resource))


def readable(span: Span, resource: Resource) -> ReadableSpan:
    """Return the SDK's form of a span."""
    attributes = span.attributes
    failed = "error.type" in attributes
    return ReadableSpan(
        name=span.name,
        context=_context(span.trace_id, span.span_id, remote=False),
        parent=_context(span.trace_id, span.parent_id, remote=True) if span.parent_id else None,
        resource=resource,
        attributes={**_MCP, **attributes} if "mcp.method.name" in attributes else attributes,
        links=[Link(_context(*ids, remote=True)) for ids in span.links],
        kind=span.kind,
        status=Status(StatusCode.ERROR if failed else StatusCode.UNSET),
        start_time=int(span.started * 1e9),
        end_time=int(span.ended * 1e9),
        instrumentation_scope=_SCOPE,
    )


def _context(trace_id: int, span_id: int, *, remote: bool) -> SpanContext:
    return SpanContext(trace_id, span_id, is_remote=remote, trace_flags=_SAMPLED)
