"""What is known of a request when its span has ended."""

from opentelemetry.trace import SpanKind

from trunkline_router.span import Attribute, Recorder, Span
from trunkline_router.telemetry.calls import calls_in
from trunkline_shared.testing.fake_clock import FakeClock


def ended(kind: SpanKind, attributes: dict[str, Attribute]) -> Span:
    """Return a span that took two seconds."""
    clock = FakeClock(1000.0)
    with Span("x", kind, None, attributes, Recorder(clock=clock)) as span:
        clock.advance(2)
    return span


def test_only_what_clients_asked_is_a_call() -> None:
    """Neither what the router asks, nor what the door refused before there was a message."""
    spans = [
        ended(SpanKind.CLIENT, {"mcp.method.name": "tools/call"}),
        ended(SpanKind.SERVER, {"http.response.status_code": 401}),
        ended(SpanKind.INTERNAL, {}),
    ]
    assert list(calls_in(spans)) == []


def test_a_call_tells_all_that_its_span_does() -> None:
    """With its own duration and end."""
    (call,) = calls_in([
        ended(
            SpanKind.SERVER,
            {
                "mcp.method.name": "tools/call",
                "gen_ai.tool.name": "look",
                "trunkline.server": "github",
                "trunkline.agent": "ci-bot",
                "trunkline.source": "cache",
                "error.type": "not_found",
                "trunkline.tokens.in": 3,
                "trunkline.tokens.out": 40,
            },
        )
    ])
    assert call[1:] == (
        *("tools/call", "look", "github", "ci-bot", "cache", "not_found"),
        *(2.0, 1002.0, 3, 40),
    )


def test_what_a_refused_request_does_not_have_is_empty() -> None:
    """No server, no agent, no tokens."""
    (call,) = calls_in([ended(SpanKind.SERVER, {"mcp.method.name": "_OTHER"})])
    assert (call.tool, call.server, call.agent, call.source, call.error) == ("",) * 5
    assert (call.tokens_in, call.tokens_out) == (0, 0)
