"""Which spans are requests of MCP clients."""

from opentelemetry.trace import SpanKind

from trunkline_router.span import Attribute, Recorder, Span
from trunkline_router.telemetry.calls import is_request
from trunkline_shared.testing.fake_clock import FakeClock


def ended(kind: SpanKind, attributes: dict[str, Attribute]) -> Span:
    """Return a span that has ended."""
    with Span("x", kind, None, attributes, Recorder(clock=FakeClock())) as span:
        return span


def test_only_what_clients_asked_is_a_call() -> None:
    """Neither what the router asks, nor what the door refused before there was a message."""
    spans = [
        ended(SpanKind.CLIENT, {"mcp.method.name": "tools/call"}),
        ended(SpanKind.SERVER, {"http.response.status_code": 401}),
        ended(SpanKind.INTERNAL, {}),
    ]
    assert not any(map(is_request, spans))
    assert is_request(ended(SpanKind.SERVER, {"mcp.method.name": "_OTHER"}))
