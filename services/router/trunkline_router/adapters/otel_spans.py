"""The router's spans as the OpenTelemetry SDK's, for those who collect them."""

from collections.abc import Sequence

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import Link, SpanContext, Status, StatusCode, TraceFlags

from trunkline_router.attributes import ERROR, METHOD
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
            self._processor.on_end(Exported(span, self._resource))


class Exported(ReadableSpan):
    """A span of ours that becomes the SDK's when it is sent.

    While a collector hangs, the processor's queue is full and drops what it is given: that costs
    what is done here, and no more.
    """

    def __init__(self, span: Span, resource: Resource) -> None:
        self._context = _context(span.ids, remote=False)
        # Looked at before the queue is.
        self._instrumentation_scope = _SCOPE
        self._ours = span, resource

    def __getattr__(self, name: str) -> object:
        # Called for what is not there: all that the SDK's constructor sets, until it has run.
        if "_ours" not in self.__dict__:
            raise AttributeError(name)
        span, resource = self.__dict__.pop("_ours")
        self._become(span, resource)
        return getattr(self, name)

    def _become(self, span: Span, resource: Resource) -> None:
        attributes = span.attributes
        failed = ERROR in attributes
        parent = (span.trace_id, span.parent_id)
        super().__init__(
            name=span.name,
            context=self._context,
            parent=_context(parent, remote=True) if span.parent_id else None,
            resource=resource,
            attributes={**_MCP, **attributes} if METHOD in attributes else attributes,
            links=[Link(_context(ids, remote=True)) for ids in span.links],
            kind=span.kind,
            status=Status(StatusCode.ERROR if failed else StatusCode.UNSET),
            start_time=int(span.started * 1e9),
            end_time=int(span.ended * 1e9),
            instrumentation_scope=_SCOPE,
        )


def _context(ids: tuple[int, int], *, remote: bool) -> SpanContext:
    return SpanContext(*ids, is_remote=remote, trace_flags=_SAMPLED)
