"""Bumps as server-sent events: `bump` for each, `gap` where some may have been missed."""

import asyncio
from collections import deque
from typing import Final

import orjson
from aiohttp import web

from trunkline_router.cache.bump_feed import BumpFeed, BumpNews
from trunkline_router.wire.channel import EventStream

BACKLOG: Final = 1000
_KEEP_ALIVE_S = 15.0
_KEEP_ALIVE = b": keep-alive\n\n"


class BumpStream:
    """One who watches; who reads slowly has a gap in place of what was too much."""

    def __init__(self, stream: EventStream) -> None:
        self._stream = stream
        self._waiting: deque[bytes] = deque()
        self._filled = asyncio.Event()

    async def tell(self, feed: BumpFeed) -> None:
        """Tell what is bumped after the stream has begun, until cancelled."""

        def heard(news: BumpNews) -> None:
            where = "here" if news.origin == feed.origin else "elsewhere"
            body = {"tags": news.tags, "cause": news.cause, "at": news.at, "router": where}
            self._put(_event(b"bump", body))

        with feed.heard_by(heard, self._gap):
            await self._stream.write(_KEEP_ALIVE)
            while True:
                await self._write_all()
                await self._stream.write(await self._news())

    @property
    def begun(self) -> bool:
        """Whether the client has an answer already."""
        return self._stream.response is not None

    async def refused(self, message: str) -> web.StreamResponse:
        """End the stream of one who may not watch any more, and say why."""
        await self._stream.write(_event(b"refused", {"error": message}))
        return await self.ended()

    async def ended(self) -> web.StreamResponse:
        """End the stream."""
        await self._stream.write(b"")
        assert self._stream.response is not None
        return self._stream.response

    async def _news(self) -> bytes:
        """Wait until something waits to be told; return what to write in case it takes long."""
        try:
            async with asyncio.timeout(_KEEP_ALIVE_S):
                await self._filled.wait()
        except TimeoutError:
            return _KEEP_ALIVE
        return b""

    async def _write_all(self) -> None:
        self._filled.clear()
        while self._waiting:
            frames = b"".join(self._waiting)
            self._waiting.clear()
            await self._stream.write(frames)

    def _put(self, frame: bytes) -> None:
        if len(self._waiting) >= BACKLOG:
            self._waiting.clear()
            self._gap()
        self._waiting.append(frame)
        self._filled.set()

    def _gap(self) -> None:
        self._waiting.append(_event(b"gap", {}))
        self._filled.set()


def _event(kind: bytes, body: object) -> bytes:
    return b"event: " + kind + b"\ndata: " + orjson.dumps(body) + b"\n\n"
