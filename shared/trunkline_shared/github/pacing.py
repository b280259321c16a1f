"""How fast one credential may write: one at a time, apart, and within GitHub's content limits.

https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from trunkline_shared.clock import Clock
from trunkline_shared.deadline import remaining
from trunkline_shared.errors import Overloaded, RateLimited

PATIENCE_S = 30.0
LIMITS = ((80, 60.0), (500, 3600.0))


@dataclass(slots=True, kw_only=True)
class WritePace:
    """Gives writes their turns; `interval_s` 0 gives every turn at once.

    `limits` are (writes, seconds) pairs.
    """

    clock: Clock
    interval_s: float = 1.0
    limits: tuple[tuple[int, float], ...] = LIMITS
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _waiting: int = 0
    _ended: float = float("-inf")
    _begun: deque[float] = field(default_factory=deque)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Hold the credential's one turn to write for the block.

        Raises Overloaded or RateLimited, at once, when the turn would come after the deadline.
        """
        if not self.interval_s:
            yield
            return
        self._refuse_crowd()
        self._waiting += 1
        try:
            async with asyncio.timeout(remaining(PATIENCE_S)):
                await self._lock.acquire()
        except TimeoutError:
            raise self._crowded(self._waiting) from None
        finally:
            self._waiting -= 1
        try:
            await self._pause()
            yield
        finally:
            self._ended = self.clock.monotonic()
            self._lock.release()

    async def _pause(self) -> None:
        now = self.clock.monotonic()
        until_quota = self._until_quota(now)
        wait = max(self._ended + self.interval_s - now, until_quota, 0.0)
        if wait >= remaining(PATIENCE_S):
            raise self._spent(wait) if until_quota else self._crowded(1)
        if wait:
            await self.clock.sleep(wait)
        self._begun.append(self.clock.monotonic())

    def _until_quota(self, now: float) -> float:
        """Return the seconds until every window has room for one more write."""
        longest = max(seconds for _, seconds in self.limits)
        while self._begun and self._begun[0] <= now - longest:
            self._begun.popleft()
        waits = [
            self._begun[-count] + seconds - now
            for count, seconds in self.limits
            if len(self._begun) >= count
        ]
        return max([0.0, *waits])

    def _refuse_crowd(self) -> None:
        if self._waiting * self.interval_s >= remaining(PATIENCE_S):
            raise self._crowded(self._waiting)

    def _crowded(self, waiting: int) -> Overloaded:
        wait = max(1, round(waiting * self.interval_s))
        return Overloaded(
            f"{waiting} writes to GitHub wait for their turn; this one's would come too late.",
            hint=f"Nothing was sent. Try again in {wait} s.",
            retry_after=wait,
            details={"reason": "write_pace", "phase": "held"},
        )

    def _spent(self, wait: float) -> RateLimited:
        seconds = min(max(1, -int(-wait // 1)), 3600)
        return RateLimited(
            "This mesh has made as many changes as GitHub allows in a while (80 a minute, 500 an "
            "hour).",
            hint=f"Nothing was sent. Try again in {seconds} s.",
            retry_after=seconds,
            details={"reason": "write_pace", "phase": "held"},
        )
