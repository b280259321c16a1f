"""Event streams, whatever their chunks are cut into."""

from collections.abc import AsyncIterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_cli.frames import events, lines

pytestmark = pytest.mark.anyio

STREAM = b': alive\r\n\r\nevent: message\r\ndata: {"a":1}\r\n\r\ndata: one\ndata:two\n\ndata: cut'


async def chunks(data: bytes, *cuts: int) -> AsyncIterator[bytes]:
    """Yield `data` cut at the given places."""
    edges = [0, *sorted(cuts), len(data)]
    for start, end in pairwise(edges):
        yield data[start:end]


@given(st.lists(st.integers(0, len(STREAM)), max_size=8))
async def test_cuts_change_nothing(cuts: list[int]) -> None:
    """Comments and other fields are skipped, data lines joined, an unfinished event dropped."""
    assert [each async for each in events(chunks(STREAM, *cuts))] == [b'{"a":1}', b"one\ntwo"]


@given(
    st.lists(st.binary().filter(lambda line: b"\n" not in line), min_size=1),
    st.lists(st.floats(0, 1), max_size=5),
)
async def test_lines_are_what_was_between_the_line_feeds(
    written: list[bytes], places: list[float]
) -> None:
    """Lines come back as they were; only an empty last one cannot be seen."""
    text = b"\n".join(written)
    cuts = [int(place * len(text)) for place in places]
    expected = written if written[-1] else written[:-1]
    assert [each async for each in lines(chunks(text, *cuts))] == expected
