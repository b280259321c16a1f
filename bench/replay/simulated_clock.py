"""A clock for all parts of a mesh at once, which goes from one event to the next."""

import asyncio
import heapq
import itertools

BEGIN = 1_700_000_000.0


class SimulatedClock:
    """Whoever sleeps is woken when `go_on` has come to its time, in order."""

    def __init__(self) -> None:
        self._now = BEGIN
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self._now

    def monotonic(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + seconds, next(self._order), woken))
        await woken

    @property
    def next_at(self) -> float:
        """When the next one wakes; now, if nobody sleeps."""
        return self._sleepers[0][0] if self._sleepers else self._now

    async def go_on(self, until: float) -> None:
        """Let time pass; those who are woken on the way may begin what they woke for."""
        while self._sleepers and self._sleepers[0][0] <= until:
            at, _, woken = heapq.heappop(self._sleepers)
            self._now = max(self._now, at)
            if not woken.done():
                woken.set_result(None)
            await asyncio.sleep(0)
        self._now = max(self._now, until)
