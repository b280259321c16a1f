"""Any trace can be shown, whatever servers say of themselves."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.trace.v1.trace_pb2 import Span as Sent
from opentelemetry.trace import SpanKind

from tests.unit.trunkline_router.telemetry.spanning import call, message, own, received, sent, text
from trunkline_router.span import Span
from trunkline_router.telemetry.received_spans import arrival_of
from trunkline_router.telemetry.trace_buffer import TraceBuffer
from trunkline_router.telemetry.whole_trace import WholeTrace

EVERY_TIME = st.integers(0, 2**64 - 1)
HOSTILE = st.builds(
    lambda id_, parent, began, ended, name, kind: sent(
        1,
        id_,
        parent,
        start_time_unix_nano=began,
        end_time_unix_nano=ended,
        name=name,
        kind=kind,
        attributes=[text(name, name)],
    ),
    id_=st.integers(1, 6),
    parent=st.integers(0, 8),
    began=EVERY_TIME,
    ended=EVERY_TIME,
    name=st.text(max_size=30),
    kind=st.sampled_from([
        Sent.SPAN_KIND_SERVER,
        Sent.SPAN_KIND_CLIENT,
        Sent.SPAN_KIND_UNSPECIFIED,
    ]),
)


def whole(traces: TraceBuffer) -> WholeTrace:
    """Return the trace 1."""
    trace = traces.get(1)
    assert trace is not None
    return WholeTrace.of(1, trace)


def sends(server: str) -> bool:
    """Say that one server sends its spans."""
    return server == "github"


@pytest.mark.requirement("seeing.traces-taken")
@given(st.lists(HOSTILE, max_size=12))
def test_whatever_servers_send_can_be_shown(spans: list[Sent]) -> None:
    """As JSON, each span once, none before the trace began, parents before children."""
    traces = TraceBuffer(lambda: 5)
    traces([call(1)])
    traces.receive(arrival_of(message(*spans)).spans)
    shown: Any = orjson.loads(orjson.dumps(whole(traces).to_json(lacks=False)))
    ids = [one["span_id"] for one in shown["spans"]]
    assert len(ids) == len(set(ids)) == 1 + len({span.span_id for span in spans})
    for place, one in enumerate(shown["spans"]):
        assert one["offset_ms"] >= 0
        assert one["duration_ms"] >= 0
        assert one["parent_id"] == "" or one["parent_id"] in ids[:place]


@pytest.mark.requirement("seeing.traces-taken")
def test_no_server_speaks_for_the_router() -> None:
    """A span under the id of one of the router's own takes nothing's place."""
    traces, mine = TraceBuffer(lambda: 5), call(1)
    traces([mine])
    traces.receive([received(1, mine.span_id, name="forged")])
    (span,) = whole(traces).spans
    assert (span.name, span.service) == ("own", "router")


def asked(server: str = "github", error: str = "") -> Span:
    """Return the router's own request to a server."""
    given = {"trunkline.server": server} | ({"error.type": error} if error else {})
    return own(1, SpanKind.CLIENT, given=given)


@pytest.mark.requirement("seeing.traces-whole")
def test_a_request_lacks_what_its_server_tells_of_it() -> None:
    """Until a span of the server's is beneath it."""
    traces, mine = TraceBuffer(lambda: 5), asked()
    traces([mine, call(1)])
    assert whole(traces).lacks(sends)
    traces.receive([received(1, 7, 99)])
    assert whole(traces).lacks(sends)
    traces.receive([received(1, 8, mine.span_id)])
    assert not whole(traces).lacks(sends)


@pytest.mark.requirement("seeing.traces-whole")
def test_nothing_lacks_of_what_nobody_tells() -> None:
    """Servers that send nothing, what never reached one, the store, and servers' own requests."""
    traces = TraceBuffer(lambda: 5)
    traces([
        asked(server="wiki"),
        asked(error="NeverSent"),
        own(1, SpanKind.CLIENT),
        call(1),
    ])
    vendor = received(1, 9, kind=Sent.SPAN_KIND_CLIENT, attributes=[text("trunkline.server", "x")])
    traces.receive([vendor])
    assert not whole(traces).lacks(sends)


def test_a_trace_that_lost_spans_is_not_complete() -> None:
    """Nor is one whose call has not ended."""
    traces = TraceBuffer(lambda: 5)
    traces([asked(server="wiki")])
    assert whole(traces).to_json(lacks=False)["complete"] is False
    traces([call(1)])
    assert whole(traces).to_json(lacks=False)["complete"] is True
    assert whole(traces).to_json(lacks=True)["complete"] is False
    traces.receive(received(1, number) for number in range(1, 1100))
    traces([call(1)])
    assert whole(traces).to_json(lacks=False)["complete"] is False
