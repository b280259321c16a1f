"""An event stream on a connection of the router's own, in chunks."""

import asyncio
from collections.abc import Callable

from aiohttp import web

from trunkline_router.edges.http1.writing import Writing
from trunkline_router.wire.channel import STREAM_HEADERS, EventStream
from trunkline_router.wire.http_head import chunk, head_of

_HEADERS = (*STREAM_HEADERS.items(), ("Transfer-Encoding", "chunked"))


class PlainStream(EventStream):
    """Ends whoever writes to it as its parent does; `is_last` says whether anything may follow."""

    def __init__(self, writing: Writing, is_last: Callable[[], bool], *, stall_s: float) -> None:
        self._writing = writing
        self._is_last = is_last
        self._stall_s = stall_s
        self.response: web.StreamResponse | None = None

    async def write(self, frame: bytes) -> None:
        writing = self._writing
        if writing.transport.is_closing():
            raise asyncio.CancelledError
        if self.response is None:
            # It says to whoever waits for the answer that there is a stream.
            self.response = web.StreamResponse(headers=STREAM_HEADERS)
            writing.transport.write(head_of(200, _HEADERS, last=self._is_last()))
        if frame:
            writing.transport.write(chunk(frame))
        if writing.paused:
            await self._taken()

    async def _taken(self) -> None:
        try:
            async with asyncio.timeout(self._stall_s):
                await self._writing.taken()
        except TimeoutError:
            self._writing.transport.abort()
            raise asyncio.CancelledError from None
