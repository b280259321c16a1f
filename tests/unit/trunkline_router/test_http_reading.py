"""Answers as bytes: however they are cut, and whatever else they are, they read the same."""

import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.adapters.http1.answer import Answer
from trunkline_router.adapters.http1.failing import Cut
from trunkline_router.adapters.http1.reading import Reading

BODY = b"hello world"
ANSWERS = {
    "length": b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\nX-Id: a b\r\n\r\nhello world",
    "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nX-ID:a b\r\n\r\n"
    b"5;x=y\r\nhello\r\n6 \r\n world\r\n0\r\nTrailer: x\r\n\r\n",
    "line feeds": b"HTTP/1.1 200 OK\nContent-Length: 11\nx-id: a b\n\nhello world",
    "beforehand": b"HTTP/1.1 102 Processing\r\nX-Id: no\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\nX-Id: a b\r\nX-Id: c\r\n\r\nhello world",
}


class Nowhere:
    """Carries nothing."""

    def hold(self) -> None:
        """Nothing comes."""

    def go_on(self) -> None:
        """Nothing comes."""

    def abort(self) -> None:
        """Nothing is open."""


def fed(reading: Reading, raw: bytes, cuts: list[int]) -> Answer:
    answer = Answer(Nowhere())
    reading.expect(answer)
    for begin, end in pairwise([0, *sorted(cuts), len(raw)]):
        if begin < end:
            reading.feed(raw[begin:end])
    return answer


async def body_of(answer: Answer) -> tuple[int, str, bytes]:
    return answer.status, answer.header("x-id"), await answer.read(100)


@pytest.mark.anyio
@pytest.mark.parametrize("raw", ANSWERS.values(), ids=ANSWERS)
async def test_an_answer_cut_anywhere_is_the_same_answer(raw: bytes) -> None:
    """At each byte, one answer after another over the same connection."""
    reading = Reading()
    for cut in range(len(raw)):
        answer = fed(reading, raw, [cut])
        assert answer.complete
        assert not reading.is_over
        assert await body_of(answer) == (200, "a b", BODY)


@given(raw=st.sampled_from(list(ANSWERS.values())), cuts=st.lists(st.integers(0, 60)))
def test_an_answer_in_many_pieces_is_complete(raw: bytes, cuts: list[int]) -> None:
    """And only with the last of them."""
    answer = fed(Reading(), raw[:-1], cuts)
    assert not answer.complete
    assert fed(Reading(), raw, cuts).complete


@pytest.mark.parametrize("chunk", [b"2\r\nab\r\n", b"2\r\nab\r\n258\r\n" + 600 * b"x" + b"\r\n"])
def test_an_answer_in_crumbs_takes_the_room_of_its_bytes(chunk: bytes) -> None:
    """A server chooses the size of its chunks, and not what they take beside what is in them."""
    begin = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    raw = begin + chunk * (10**6 // len(chunk))
    tracemalloc.start()
    try:
        fed(Reading(), raw, list(range(0, len(raw), 4096)))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 1.5 * len(raw)


@given(raw=st.binary(max_size=200), rest=st.sampled_from(list(ANSWERS.values())))
def test_whatever_comes_is_an_answer_or_is_none(raw: bytes, rest: bytes) -> None:
    """Nothing else happens, and after what was none there is none."""
    reading = Reading()
    try:
        fed(reading, raw + rest, [len(raw)])
    except Cut:
        assert reading.is_over


@given(
    rest=st.binary(min_size=1, max_size=50).filter(lambda raw: raw.strip(b"\r\n") != b""),
    raw=st.sampled_from([ANSWERS["length"], ANSWERS["chunks"]]),
)
def test_what_comes_behind_an_answer_ends_it(rest: bytes, raw: bytes) -> None:
    """No byte of it can belong to the next."""
    reading = Reading()
    assert fed(reading, raw + rest, []).complete
    assert reading.is_over
