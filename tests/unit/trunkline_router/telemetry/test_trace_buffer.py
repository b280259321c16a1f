"""The newest traces are kept whole, whatever comes first, and never more than there is room for."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.trace import SpanKind

from tests.unit.trunkline_router.telemetry.spanning import NOW, call, own, received
from trunkline_router.span import Attribute, Span
from trunkline_router.telemetry.received_spans import Received
from trunkline_router.telemetry.trace_buffer import (
    MOST_EARLY,
    MOST_REFUSED,
    MOST_SPANS,
    MOST_STRANGERS,
    TraceBuffer,
)
from trunkline_router.telemetry.trace_rows import Wanted

ANYTHING = Wanted()


def buffer(most: int = 5) -> TraceBuffer:
    """Return a buffer of few traces."""
    return TraceBuffer(lambda: most)


def ids(traces: TraceBuffer, wanted: Wanted = ANYTHING) -> list[int]:
    """Return the traces that are listed, newest first."""
    return [int(row.trace_id, 16) for row in traces.rows(wanted)]


@pytest.mark.requirement("seeing.traces-bounded")
def test_the_newest_traces_are_kept() -> None:
    """Newest first; the oldest go."""
    traces = buffer(3)
    for number in range(1, 6):
        traces([call(number)])
    assert (ids(traces), len(traces), traces.get(2)) == ([5, 4, 3], 3, None)


@pytest.mark.requirement("seeing.traces-bounded")
def test_a_buffer_for_no_traces_keeps_none() -> None:
    """Neither its own nor what servers send."""
    traces = buffer(0)
    traces([call(1)])
    traces.receive([received(1, 2)])
    assert (ids(traces), traces.get(1)) == ([], None)


def test_a_trace_with_a_further_call_is_the_newest_again() -> None:
    """A client may make all its calls under one trace."""
    traces = buffer()
    traces([call(1), call(2)])
    traces([call(1, at=NOW + 5)])
    assert ids(traces) == [1, 2]


@pytest.mark.requirement("seeing.traces-whole")
@pytest.mark.parametrize("first", ["router", "server"])
def test_spans_of_servers_come_before_or_after_the_routers_own(first: str) -> None:
    """A long call's steps are sent while the router still waits for its end."""
    traces = buffer()
    mine = call(1)
    theirs = received(1, 2, mine.span_id)
    if first == "server":
        traces.receive([theirs])
        assert (len(traces), ids(traces), traces.get(1)) == (0, [], None)
    traces([mine])
    if first == "router":
        traces.receive([theirs])
    kept = traces.get(1)
    assert kept is not None
    assert {one.service for one in kept.seen()} == {"router", "ci-status"}


def test_a_trace_whose_call_is_underway_is_not_listed() -> None:
    """There is no line about it yet; it can be looked at by its id."""
    traces = buffer()
    traces([own(1, SpanKind.CLIENT)])
    assert (ids(traces), traces.get(1) is not None) == ([], True)


def test_the_topmost_request_stands_for_the_trace_and_one_that_is_wanted_for_itself() -> None:
    """What a server called back for ends earlier, and began later."""
    traces = buffer()
    inner = call(1, at=NOW + 1, seconds=1, server="twig")
    outer = call(1, seconds=5, server="bridge")
    traces([inner, outer])
    servers = [next(traces.rows(Wanted(server=name))).server for name in ("", "twig", "bridge")]
    assert servers == ["bridge", "twig", "bridge"]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Wanted(agent="bob"), [2]),
        (Wanted(tool="write"), [3]),
        (Wanted(source="cache"), [4]),
        (Wanted(error="any"), [5]),
        (Wanted(error="timeout"), [5]),
        (Wanted(error="none"), [4, 3, 2, 1]),
        (Wanted(error="none", server="github", agent="ann"), [4, 3, 1]),
        (Wanted(server="nowhere"), []),
    ],
)
def test_traces_are_found_by_what_their_calls_are(wanted: Wanted, found: list[int]) -> None:
    """Each filter alone, and together."""
    traces = buffer()
    traces([
        call(1),
        call(2, agent="bob"),
        call(3, tool="write"),
        call(4, source="cache"),
        call(5, error="timeout"),
    ])
    assert ids(traces, wanted) == found


@pytest.mark.requirement("seeing.traces-bounded")
def test_of_a_trace_the_newest_spans_are_kept_and_the_rest_is_counted() -> None:
    """What ends last holds it together."""
    traces = buffer()
    traces.receive(received(1, number) for number in range(1, MOST_SPANS + 10))
    traces([call(1)])
    kept = traces.get(1)
    assert kept is not None
    assert (kept.spans, kept.dropped, ids(traces)) == (MOST_SPANS, 10, [1])


@pytest.mark.requirement("seeing.traces-bounded")
def test_what_servers_send_without_a_call_makes_room_for_what_comes() -> None:
    """It is lost and counted, and takes no trace's place."""
    traces = buffer()
    traces([call(1)])
    traces.receive(received(number, 7) for number in range(2, 2 + MOST_EARLY + 30))
    assert (ids(traces), traces.lost_spans) == ([1], 30)


@pytest.mark.requirement("seeing.traces-bounded")
def test_bytes_are_bounded_and_traces_outlive_what_belongs_to_none() -> None:
    """However much servers send, and however many steps the router's own traces have."""
    traces = buffer(100_000)
    for number in range(1, 61):
        traces([call(number)] * MOST_SPANS)
    kept = len(traces)
    assert 30 < kept < 60
    large = [received(10**6, number, name="y" * 16_000) for number in range(1, 10)]
    for number in range(MOST_EARLY):
        traces.receive(one._replace(trace_id=10**6 + number) for one in large)
    assert len(traces) == kept
    assert traces.lost_spans > 0


@pytest.mark.requirement("seeing.traces-bounded")
def test_whoever_is_not_let_in_pushes_nothing_out() -> None:
    """Of those whom the door refused few are kept, the newest."""
    traces = buffer(200)
    traces([call(number) for number in range(1, 51)])
    refused: dict[str, Attribute] = {"http.response.status_code": 401, "error.type": "401"}
    for number in range(1000, 3000):
        traces([own(number, given=refused)])
    assert len(traces) == 50 + MOST_STRANGERS
    assert ids(traces)[0] == 2999
    assert ids(traces, Wanted(agent="ann"))[-1] == 1
    traces([call(2999)])
    for number in range(5000, 5200):
        traces([own(number, given=refused)])
    assert 2999 in ids(traces)


@pytest.mark.requirement("seeing.traces-bounded")
def test_whatever_a_server_sends_the_call_that_it_answered_is_listed() -> None:
    """Its spans come last, and it may have made more requests than a trace has room for."""
    traces = buffer()
    traces([call(1)])
    traces.receive([received(1, number) for number in range(1, 2 * MOST_SPANS)])
    trace = traces.get(1)
    assert trace is not None
    assert (ids(traces), trace.spans, trace.dropped) == ([1], MOST_SPANS, MOST_SPANS)


@pytest.mark.requirement("seeing.traces-bounded")
def test_whoever_is_not_let_in_pushes_nothing_out_by_coming_again() -> None:
    """Under the ids of traces that he has named before, and under those of others."""
    traces = buffer(200)
    traces([call(number) for number in range(1, 51)])
    refused: dict[str, Attribute] = {"http.response.status_code": 401, "error.type": "401"}
    for number in range(1000, 1500):
        traces([own(number, given=refused)] * 3)
    assert len(traces) == 50 + MOST_STRANGERS
    assert ids(traces, Wanted(agent="ann"))[-1] == 1
    for number in (1, 1499):
        traces([own(number, given=refused)] * MOST_SPANS)
        trace = traces.get(number)
        assert trace is not None
        assert trace.spans == MOST_REFUSED
        assert trace.dropped > 0
    assert 1 in ids(traces, Wanted(agent="ann"))


Step = tuple[bool, int, int]
STEPS = st.lists(st.tuples(st.booleans(), st.integers(1, 9), st.integers(1, 30)), max_size=80)


@given(STEPS, st.integers(0, 6))
def test_whatever_the_order_nothing_is_kept_twice_or_beyond_the_bound(
    steps: list[Step], most: int
) -> None:
    """Own and received spans of few traces, in any order."""
    traces = buffer(most)
    for is_own, trace_id, span_id in steps:
        if is_own:
            traces([call(trace_id)])
        else:
            traces.receive([received(trace_id, span_id)])
        assert len(traces) <= most
    for trace_id in ids(traces):
        kept = traces.get(trace_id)
        assert kept is not None
        seen = [one.span_id for one in kept.seen()]
        assert len(seen) == len(set(seen))
        assert {one.trace_id for one in kept.seen()} == {trace_id}


@given(st.permutations(range(8)))
def test_a_trace_is_the_same_in_whatever_order_its_spans_come(order: list[int]) -> None:
    """As long as there is room for it."""
    mine: list[Span | Received] = [call(1), *(own(1, SpanKind.CLIENT) for _ in range(3))]
    every = [*mine, *(received(1, number) for number in range(1, 5))]
    traces = buffer()
    for index in order:
        span = every[index]
        if isinstance(span, Span):
            traces([span])
        else:
            traces.receive([span])
    kept = traces.get(1)
    assert kept is not None
    assert len(kept.seen()) == 8


@pytest.mark.anyio
async def test_who_waits_for_servers_wakes_when_they_have_sent() -> None:
    """And not before."""
    traces = buffer()
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(traces.more())
        await asyncio.sleep(0)
        assert not waiting.done()
        traces.receive([received(1, 2)])
