"""The connections to one origin."""

import asyncio
from functools import partial

from trunkline_router.adapters.http1.answer import Answer
from trunkline_router.adapters.http1.connection import Connection
from trunkline_router.adapters.http1.failing import Cut
from trunkline_router.adapters.http1.opening import Opening
from trunkline_router.adapters.http1.origin import Origin
from trunkline_router.link import NeverSent

# The servers close idle connections after 5 s; letting go first never loses a request to that.
_IDLE_S = 4.0


class Pool:
    """Keeps connections between exchanges; the one that came back last goes first."""

    def __init__(self, origin: Origin, opening: Opening) -> None:
        self._origin = origin
        self._opening = opening
        self._kept: list[Connection] = []
        self._open: set[Connection] = set()
        self._closed = False
        self._sweep: asyncio.TimerHandle | None = None

    async def ask(self, message: bytes, *, again: bool = False) -> Answer:
        """Send a request and return its answer as soon as it has begun; whoever asks leaves it.

        What fails on a connection that was kept is sent `again` on another, if it may be.
        Raises NeverSent and Cut.
        """
        kept = self._last()
        if kept is not None:
            try:
                return await _asked(kept, message)
            except Cut:
                if not again:
                    raise
        return await _asked(await self._opened(), message)

    def back(self, connection: Connection) -> None:
        loop = asyncio.get_running_loop()
        connection.kept_at = loop.time()
        self._kept.append(connection)
        if self._sweep is None:
            self._sweep = loop.call_at(connection.kept_at + _IDLE_S, self._let_go)

    def gone(self, connection: Connection) -> None:
        self._open.discard(connection)

    def close(self) -> None:
        """Close all connections, whatever is under way on them."""
        self._closed = True
        if self._sweep is not None:
            self._sweep.cancel()
        for connection in tuple(self._open):
            connection.abort()

    def _last(self) -> Connection | None:
        while self._kept:
            connection = self._kept.pop()
            if connection.is_open:
                return connection
        return None

    async def _opened(self) -> Connection:
        if not self._closed:
            connection = await self._opening.connected(self._origin, partial(Connection, self))
            if connection.is_open and not self._closed:
                self._open.add(connection)
                return connection
            connection.abort()
        raise NeverSent

    def _let_go(self) -> None:
        """Close what has been idle for too long: those that came back first."""
        loop = asyncio.get_running_loop()
        stale = loop.time() - _IDLE_S
        young = [one for one in self._kept if one.kept_at > stale and one.is_open]
        for connection in self._kept:
            if connection.kept_at <= stale:
                connection.close()
        self._kept = young
        self._sweep = loop.call_at(young[0].kept_at + _IDLE_S, self._let_go) if young else None


async def _asked(connection: Connection, message: bytes) -> Answer:
    answer = connection.ask(message)
    try:
        await answer.begun()
    except BaseException:
        answer.leave()
        raise
    return answer
