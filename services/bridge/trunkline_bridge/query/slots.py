"""How many runs are underway: for all callers, for each, and how many wait for their turn."""

import asyncio
import math
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from trunkline_shared.clock import Clock
from trunkline_shared.errors import Overloaded

_LONGEST_RETRY_S = 120
_WEIGHT = 0.2


@dataclass(slots=True, kw_only=True)
class _Turn:
    """One who waits; `given` is set together with the slot."""

    caller: str
    given: "asyncio.Future[None]"


@dataclass(slots=True, kw_only=True)
class Slots:
    """Slots for `total` runs, `per_caller` of them for one caller, and a queue behind them.

    First come, first served, past those whose caller has all that it may have. One caller gets
    half of the queue at most. `typical_s` is how long a run takes, learned from those that ended.
    """

    total: int
    per_caller: int
    queue: int
    clock: Clock
    typical_s: float = 20.0
    _running: "Counter[str]" = field(default_factory=Counter)
    _waiting: "deque[_Turn]" = field(default_factory=deque)

    @property
    def running(self) -> int:
        """How many runs are underway."""
        return self._running.total()

    @property
    def queued(self) -> int:
        """How many wait for a slot."""
        return len(self._waiting)

    @asynccontextmanager
    async def taken(self, caller: str, seconds: float) -> AsyncIterator[None]:
        """Hold a slot for the block, after waiting `seconds` for it at most; 0 is not to wait.

        Raises Overloaded when the queue is full, and when the time is up.
        """
        if not self._is_free_for(caller):
            await self._wait(caller, seconds)
        else:
            self._running[caller] += 1
        began = self.clock.monotonic()
        try:
            yield
        finally:
            took = self.clock.monotonic() - began
            self.typical_s += _WEIGHT * (took - self.typical_s)
            self._leave(caller)

    def _is_free_for(self, caller: str) -> bool:
        """Say whether a slot may be taken now: nobody who could have it waits, or it had it."""
        return self.running < self.total and self._running[caller] < self.per_caller

    async def _wait(self, caller: str, seconds: float) -> None:
        own = sum(turn.caller == caller for turn in self._waiting)
        if seconds <= 0 or self.queued >= self.queue or own >= math.ceil(self.queue / 2):
            raise self._overloaded(caller, "nothing was run")
        turn = _Turn(caller=caller, given=asyncio.get_running_loop().create_future())
        self._waiting.append(turn)
        try:
            async with asyncio.timeout(seconds):
                await turn.given
        except TimeoutError:
            self._withdraw(turn)
            told = f"none became free within {seconds:.3g} s, and nothing was run"
            raise self._overloaded(caller, told) from None
        except BaseException:
            self._withdraw(turn)
            raise

    def _withdraw(self, turn: _Turn) -> None:
        """Leave the queue; a slot that was given at the same moment goes to the next."""
        if turn in self._waiting:
            self._waiting.remove(turn)
        elif not turn.given.cancelled():
            self._leave(turn.caller)

    def _leave(self, caller: str) -> None:
        self._running[caller] -= 1
        if not self._running[caller]:
            del self._running[caller]
        for turn in list(self._waiting):
            # One that was cancelled a moment ago takes itself out.
            if not turn.given.done() and self._is_free_for(turn.caller):
                self._waiting.remove(turn)
                self._running[turn.caller] += 1
                turn.given.set_result(None)

    def _overloaded(self, caller: str, told: str) -> Overloaded:
        rounds = (self.queued + 1) / self.total
        retry_after = min(max(math.ceil(self.typical_s * rounds), 1), _LONGEST_RETRY_S)
        mine = self._running[caller]
        return Overloaded(
            f"{self.running} runs of query_mcp are underway, {mine} of them yours, and "
            f"{self.queued} wait for a slot: {told}.",
            hint=f"Ask again in {retry_after} s, or call the tools yourself.",
            retry_after=retry_after,
            details={
                "running": self.running,
                "running_yours": mine,
                "queued": self.queued,
                "total": self.total,
                "per_caller": self.per_caller,
            },
        )
