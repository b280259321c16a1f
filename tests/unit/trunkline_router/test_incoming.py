"""Server-sent events out of chunks, and answers read without trust."""

import itertools

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.adapters.incoming import EventStream, NotMcp, parse, read_reply

TEXTS = st.lists(st.text(max_size=20), max_size=6)


def fed(raw: bytes, cuts: list[int], cap: int = 10_000) -> list[bytes | None]:
    stream = EventStream(cap)
    found: list[bytes | None] = []
    edges = sorted({0, len(raw), *(cut % (len(raw) + 1) for cut in cuts)})
    for start, end in itertools.pairwise(edges):
        found.extend(stream.feed(raw[start:end]))
    return found


@given(TEXTS, st.lists(st.integers(0, 1000), max_size=12), st.sampled_from(["\n", "\r\n"]))
def test_events_do_not_depend_on_where_chunks_end(
    texts: list[str], cuts: list[int], newline: str
) -> None:
    """The same events come out however the bytes are cut, with either line end."""
    events = [orjson.dumps({"t": text}).decode() for text in texts]
    raw = "".join(
        f"event: message{newline}id: 1{newline}data: {e}{newline}{newline}" for e in events
    ).encode()
    assert fed(raw, cuts) == [event.encode() for event in events]


def test_comments_are_told_and_other_fields_are_not() -> None:
    """A comment keeps the connection alive; an event without data is nothing."""
    assert fed(b": ping\n\nevent: x\n\nretry: 5\n\ndata: 1\ndata:2\n\n", []) == [None, b"1\n2"]


def test_an_event_over_the_cap_is_refused() -> None:
    """A stream that never ends its event cannot fill the memory."""
    with pytest.raises(NotMcp):
        fed(b"data: " + b"x" * 200, list(range(0, 200, 10)), cap=100)


@given(st.binary(max_size=60))
def test_any_bytes_are_an_object_or_not_mcp(raw: bytes) -> None:
    """Nothing but NotMcp leaves the parser."""
    try:
        assert isinstance(parse(raw), dict)
    except NotMcp:
        return


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"id": 7},
        {"id": 8, "result": {}},
        {"result": {}},
        {"id": 7, "result": []},
        {"id": 7, "error": "broken"},
        {"id": 7, "error": {"code": "x", "message": "m"}},
        {"id": 7, "error": {"code": 1}},
        {"id": 8, "error": {"code": 1, "message": "m"}},
        {"id": [], "error": {"code": 1, "message": "m"}},
    ],
)
def test_what_is_no_answer_to_the_request_is_refused(message: dict[str, object]) -> None:
    """An answer to another request is never given to this one."""
    with pytest.raises(NotMcp):
        read_reply(message, 7, 200)


def test_an_error_without_an_id_is_taken() -> None:
    """A server that could not read the request answers with a null id."""
    reply = read_reply({"id": None, "error": {"code": -32700, "message": "m"}}, 7, 400)
    assert reply.error is not None
    assert (reply.error.code, reply.error.status) == (-32700, 400)
