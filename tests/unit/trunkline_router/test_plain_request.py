"""A plain request in hand, which may be for as long as a stream stands."""

import asyncio
import gc

import pytest

from trunkline_router.edges.http1.plain_request import PlainRequest
from trunkline_router.edges.http1.writing import Writing
from trunkline_router.model import Limits
from trunkline_router.wire.plain_head import plain_head

pytestmark = pytest.mark.anyio

HEAD = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\n"


@pytest.mark.parametrize("early", [b"abcdef", b"abc"])
async def test_whoever_reads_the_body_has_it_alone(early: bytes) -> None:
    """It comes whole or in parts; megabytes are not kept until the answer has ended."""
    read = plain_head(HEAD)
    assert read is not None
    writing = Writing(asyncio.Transport())
    request = PlainRequest(read[0], 6, early, writing, lambda: False)
    assert request.more(b"abcdef"[len(early) :] + b"next") == b"next"
    assert await request.body(Limits()) == b"abcdef"
    kept = [one for one in gc.get_referents(request) if isinstance(one, bytes | bytearray) and one]
    assert kept == []
