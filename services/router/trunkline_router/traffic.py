"""Requests in hand, counted, so that the router's end can wait for the last of them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from aiohttp import web

Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]
H = TypeVar("H", bound=Handler)


class Traffic(Generic[H]):
    """A handler of requests that knows how many it has in hand."""

    def __init__(self, handler: H) -> None:
        self.handler = handler
        self._in_hand = 0
        self._idle = asyncio.Event()

    async def __call__(self, http: web.BaseRequest) -> web.StreamResponse:
        self.taken()
        try:
            return await self.handler(http)
        finally:
            self.done()

    def taken(self) -> None:
        """Count one more, which is to be `done`."""
        self._in_hand += 1

    def done(self) -> None:
        """Count one less."""
        self._in_hand -= 1
        if not self._in_hand:
            self._idle.set()

    async def idle(self) -> None:
        """Wait until nothing is in hand."""
        while self._in_hand:
            self._idle.clear()
            await self._idle.wait()
