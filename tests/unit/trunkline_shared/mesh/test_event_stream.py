"""Streams of events, wherever they are cut."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from trunkline_shared.mesh.event_stream import EventStream

STREAM = (
    b": ping\n\n"
    b"event: message\r\ndata: one\r\n\r\n"
    b"data: two,\ndata:three\n\n"
    b"id: 4\n\n"
    b'data: {"text": "gr\xc3\xbcn"}\n\n'
    b"data: unfinished"
)
EVENTS = [b"one", b"two,\nthree", b'{"text": "gr\xc3\xbcn"}']


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_events_do_not_depend_on_where_a_stream_is_cut(cuts: list[int]) -> None:
    """Between the two bytes of a line's end as well, and inside of a character."""
    stream, found = EventStream(), []
    places = [0, *sorted(cuts), len(STREAM)]
    for start, end in pairwise(places):
        found += stream.feed(STREAM[start:end])
    assert found == EVENTS
    assert stream.end() == [b"unfinished"]


def test_what_holds_no_data_is_no_event() -> None:
    """Comments keep a connection alive; JSON is no stream."""
    stream = EventStream()
    assert stream.feed(b": ping\n\n\n\n") == []
    assert stream.feed(b'{"jsonrpc": "2.0"}\n\n') == []
    assert stream.end() == []
