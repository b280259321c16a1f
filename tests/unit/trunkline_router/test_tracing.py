"""Parents of spans, and the SDK's form of ours."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.sdk.resources import Resource
from opentelemetry.trace import SpanKind, StatusCode

from trunkline_router.adapters.otel_spans import Exported
from trunkline_router.span import Attribute, Recorder, Span
from trunkline_router.tracing import parse_traceparent
from trunkline_router.wire.refusal import Refused
from trunkline_shared.errors import NotFound
from trunkline_shared.testing.fake_clock import FakeClock

ATTRIBUTES: dict[str, Attribute] = {"mcp.method.name": "tools/call"}
GOOD = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_sound_parent_is_read() -> None:
    """Trace id and span id as numbers."""
    assert parse_traceparent(GOOD) == (
        0x0AF7651916CD43DD8448EB211C80319C,
        0xB7AD6B7169203331,
    )
    assert parse_traceparent("01" + GOOD[2:] + "-later-versions-may-add") is not None


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "00",
        "ff" + GOOD[2:],
        GOOD.replace("b7ad", "zzzz"),
        GOOD.replace("0af7651916cd43dd8448eb211c80319c", "0" * 32),
        GOOD.replace("b7ad6b7169203331", "0" * 16),
        GOOD[1:],
    ],
)
def test_a_malformed_parent_is_none(bad: str) -> None:
    """A new trace begins instead."""
    assert parse_traceparent(bad) is None


@given(st.text(max_size=80))
def test_no_text_breaks_the_reader(text: str) -> None:
    """Any header value is a parent or none."""
    parse_traceparent(text)


@pytest.mark.parametrize(
    ("error", "attributes"),
    [
        (Refused(-32602, "m"), {"rpc.response.status_code": "-32602"}),
        (Refused(-32603, "m"), {"rpc.response.status_code": "-32603", "error.type": "-32603"}),
        (NotFound("m"), {"error.type": "not_found"}),
        (KeyError("m"), {"error.type": "KeyError"}),
        (asyncio.CancelledError(), {"error.type": "cancelled"}),
    ],
)
def test_a_span_marks_what_ended_it(error: BaseException, attributes: dict[str, str]) -> None:
    """The caller's fault has a code and is no error."""
    ended: list[Span] = []
    recorder = Recorder(clock=FakeClock(), ended=(ended.append,))
    with (
        pytest.raises(type(error)),
        Span("tools/call x", SpanKind.SERVER, None, {}, recorder),
    ):
        raise error
    assert ended[0].attributes == attributes


def test_the_sdks_form_says_the_same() -> None:
    """Names, ids, times, attributes and status survive the export."""
    clock = FakeClock(1000.0)
    span = Span("tools/call x", SpanKind.CLIENT, (7, 9), dict(ATTRIBUTES), Recorder(clock=clock))
    span.links = ((5, 6),)
    with span:
        clock.advance(2)
        span.mark_code(-32602)
    exported = Exported(span, Resource.get_empty())
    assert exported.name == "tools/call x"
    assert exported.context is not None
    assert exported.parent is not None
    assert (exported.context.trace_id, exported.parent.span_id) == (7, 9)
    assert (exported.start_time, exported.end_time) == (1000 * 10**9, 1002 * 10**9)
    assert exported.status.status_code is StatusCode.ERROR
    assert [(link.context.trace_id, link.context.span_id) for link in exported.links] == [(5, 6)]
    assert dict(exported.attributes or {}) == {
        "mcp.method.name": "tools/call",
        "network.protocol.name": "http",
        "network.transport": "tcp",
        "rpc.response.status_code": "-32602",
        "error.type": "-32602",
    }
