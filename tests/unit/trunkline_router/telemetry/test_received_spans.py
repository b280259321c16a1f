"""Spans of servers: read as they were meant, bounded, and without what may tell a secret."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue, KeyValueList
from opentelemetry.proto.trace.v1.trace_pb2 import Span as Sent
from opentelemetry.proto.trace.v1.trace_pb2 import Status
from opentelemetry.trace import SpanKind

from tests.unit.trunkline_router.telemetry.spanning import NOW, message, received, sent, text
from trunkline_router.telemetry.received_spans import Received, Unreadable, arrival_of, opened

TRACE, SPAN = 0xABC, 0x12


def test_a_span_is_read_as_it_was_meant() -> None:
    """Ids, times in seconds, kind, service, attributes of each plain kind, links."""
    attributes = [
        text("a", "one"),
        KeyValue(key="b", value=AnyValue(int_value=-7)),
        KeyValue(key="c", value=AnyValue(double_value=0.5)),
        KeyValue(key="d", value=AnyValue(bool_value=True)),
        KeyValue(
            key="e",
            value=AnyValue(
                array_value=ArrayValue(
                    values=[AnyValue(string_value="x"), AnyValue(int_value=2), AnyValue()]
                )
            ),
        ),
        KeyValue(key="f", value=AnyValue(kvlist_value=KeyValueList(values=[text("g", "h")]))),
    ]
    link = Sent.Link(trace_id=(5).to_bytes(16), span_id=(6).to_bytes(8))
    span = opened(received(TRACE, SPAN, 3, attributes=attributes, links=[link]))
    assert (span.trace_id, span.span_id, span.parent_id) == (TRACE, SPAN, 3)
    assert (span.kind, span.service, span.error) == (SpanKind.SERVER, "ci-status", "")
    assert span.started == NOW
    assert span.ended == pytest.approx(NOW + 0.1)
    assert span.attributes == {"a": "one", "b": -7, "c": 0.5, "d": True, "e": "x, 2, …", "f": ""}
    assert span.links == ((5, 6),)


def test_an_error_is_told_by_its_type_or_else_as_an_error() -> None:
    """The status alone has no type."""
    failed = Status(code=Status.STATUS_CODE_ERROR, message="the argument was hunter2")
    assert opened(received(TRACE, SPAN, status=failed)).error == "error"
    typed = received(TRACE, SPAN, status=failed, attributes=[text("error.type", "not_found")])
    assert opened(typed).error == "not_found"


def test_events_are_not_kept() -> None:
    """An exception's text may say what an argument was."""
    event = Sent.Event(name="exception", attributes=[text("exception.message", "hunter2")])
    assert b"hunter2" not in received(TRACE, SPAN, events=[event]).packed


def test_what_is_large_is_cut_and_what_is_huge_is_refused() -> None:
    """64 attributes of 1,024 characters; no span beyond 16 KiB."""
    many = [text(f"k{number}", "v") for number in range(100)]
    assert len(opened(received(TRACE, SPAN, attributes=many)).attributes) == 64
    long = opened(received(TRACE, SPAN, attributes=[text("k", "v" * 9000)], name="n" * 5000))
    assert (len(str(long.attributes["k"])), len(long.name)) == (1024, 256)
    arrival = arrival_of(message(sent(TRACE, SPAN, name="n" * 20_000), sent(TRACE, SPAN + 1)))
    assert (len(arrival.spans), arrival.refused) == (1, 1)


@pytest.mark.parametrize(
    "ids",
    [
        {"trace_id": b""},
        {"trace_id": bytes(16)},
        {"trace_id": b"short"},
        {"span_id": b""},
        {"span_id": bytes(8)},
        {"span_id": b"much too long"},
    ],
)
def test_a_span_that_its_ids_do_not_name_is_refused(ids: dict[str, bytes]) -> None:
    """It belongs nowhere."""
    span = sent(TRACE, SPAN)
    for name, value in ids.items():
        setattr(span, name, value)
    assert arrival_of(message(span)) == ((), 1)


def test_a_service_without_a_name_is_called_unknown() -> None:
    """As the conventions for resources say."""
    (span,) = arrival_of(message(sent(TRACE, SPAN), service="")).spans
    assert span.service == "unknown_service"


def test_times_that_go_backwards_take_no_time() -> None:
    """A clock that was set back makes no negative durations."""
    span = opened(received(TRACE, SPAN, start_time_unix_nano=int(NOW * 1e9) + 10**12))
    assert span.ended == span.started


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    """Nothing else comes of what somebody sends."""
    try:
        spans = arrival_of(body).spans
    except Unreadable:
        return
    for span in spans:
        assert isinstance(span, Received)
        opened(span)
