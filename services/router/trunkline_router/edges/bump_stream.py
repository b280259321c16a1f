"""Bumps as server-sent events: `bump` for each, `gap` where some may have been missed."""

import asyncio
from collections import deque
from typing import Final

from trunkline_router.cache.bump_feed import BumpFeed, BumpNews
from trunkline_router.edges.watching import news
from trunkline_router.wire.channel import EventStream
from trunkline_router.wire.event import KEEP_ALIVE, named_event

BACKLOG: Final = 1000


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
            self._put(named_event(b"bump", body))

        with feed.heard_by(heard, self._gap):
            await self._stream.write(KEEP_ALIVE)
            while True:
                await self._write_all()
                await self._stream.write(await news(self._filled))

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
        self._waiting.append(named_event(b"gap", {}))
        self._filled.set()
