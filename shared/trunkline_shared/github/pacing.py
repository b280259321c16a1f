"""How fast one credential may write: one at a time, apart, and within GitHub's content limits.

https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
"""

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from trunkline_shared.clock import Clock
from trunkline_shared.deadline import remaining
from trunkline_shared.errors import Overloaded, RateLimited, TrunklineError
from trunkline_shared.store.lines import Line
from trunkline_shared.store.port import Rhythm, TooLate, Turn, Wish
from trunkline_shared.store.store import Store

PATIENCE_S = 30.0
LIMITS = ((80, 60.0), (500, 3600.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class WritePace:
    """Gives writes their turns; `interval_s` 0 gives every turn at once.

    Writes of one credential keep one pace wherever the store reaches; within this process they
    also wait for each other's end. `limits` are (writes, seconds) pairs.
    """

    store: Store
    clock: Clock
    interval_s: float = 1.0
    limits: tuple[tuple[int, float], ...] = LIMITS

    @asynccontextmanager
    async def turn(self, credential: str) -> AsyncIterator[None]:
        """Hold the credential's one turn to write for the block.

        Raises Overloaded or RateLimited, at once, when the turn would come after the deadline.
        """
        if not self.interval_s:
            yield
            return
        key = f"github:writes:{credential}"
        line = self.store.lines.at(key, remembered_s=self.interval_s)
        await self._stand_in(line)
        try:
            async with self._paced(await self._reserved(key, line), line):
                yield
        finally:
            line.lock.release()

    async def _stand_in(self, line: Line) -> None:
        """Wait for the writes of this process that came before."""
        if line.waiting * self.interval_s >= remaining(PATIENCE_S):
            raise self._crowded(line.waiting * self.interval_s)
        line.waiting += 1
        try:
            async with asyncio.timeout(remaining(PATIENCE_S)):
                await line.lock.acquire()
        except TimeoutError:
            raise self._crowded(line.waiting * self.interval_s) from None
        finally:
            line.waiting -= 1

    async def _reserved(self, key: str, line: Line) -> Turn:
        wish = Wish(
            key=key,
            rhythm=Rhythm(interval_s=self.interval_s, limits=self.limits),
            after_s=max(line.ended + self.interval_s - self.clock.monotonic(), 0.0),
            latest_s=remaining(PATIENCE_S),
        )
        answer = await self.store.turns.reserve(wish)
        if isinstance(answer, TooLate):
            raise self._spent(answer.wait_s) if answer.spent else self._crowded(answer.wait_s)
        return answer

    @asynccontextmanager
    async def _paced(self, turn: Turn, line: Line) -> AsyncIterator[None]:
        """Wait for the turn, and give it back when nothing was sent in it."""
        used = False
        try:
            if turn.wait_s:
                await self.clock.sleep(turn.wait_s)
            used = True
            yield
        except TrunklineError as error:
            used = error.details.get("phase") != "held"
            raise
        finally:
            if used:
                line.ended = self.clock.monotonic()
            else:
                self.store.turns.give_back(turn)

    def _crowded(self, wait: float) -> Overloaded:
        seconds = max(1, math.ceil(wait))
        ahead = max(1, round(wait / self.interval_s))
        return Overloaded(
            f"{ahead} writes to GitHub wait for their turn; this one's would come too late.",
            hint=f"Nothing was sent. Try again in {seconds} s.",
            retry_after=seconds,
            details={"reason": "write_pace", "phase": "held"},
        )

    def _spent(self, wait: float) -> RateLimited:
        seconds = min(max(1, math.ceil(wait)), 3600)
        return RateLimited(
            "This mesh has made as many changes as GitHub allows in a while (80 a minute, 500 an "
            "hour).",
            hint=f"Nothing was sent. Try again in {seconds} s.",
            retry_after=seconds,
            details={"reason": "write_pace", "phase": "held"},
        )
