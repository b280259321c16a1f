"""One server's slots: so many calls at once, and behind them a queue, first come first served."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from trunkline_shared.errors import TrunklineError


@dataclass(slots=True, kw_only=True)
class Bulkhead:
    """Slots that are taken and given back; how many there are is said each time."""

    in_use: int = 0
    _waiting: "deque[asyncio.Future[None]]" = field(default_factory=deque)

    @property
    def queued(self) -> int:
        """How many wait for a slot."""
        return len(self._waiting)

    def try_enter(self, slots: int) -> bool:
        """Take a slot if one is free and nobody waits for it."""
        if self.in_use >= slots or self._waiting:
            return False
        self.in_use += 1
        return True

    async def wait(self, slots: Callable[[], int], seconds: float) -> None:
        """Wait for a slot in turn. Raises TimeoutError, and what `refuse_all` is given."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            async with asyncio.timeout(seconds):
                await turn
        except BaseException:
            self._withdraw(turn, slots)
            raise

    def leave(self, slots: int) -> None:
        """Give a slot back, to whoever has waited longest."""
        self.in_use -= 1
        while self._waiting and self.in_use < slots:
            turn = self._waiting.popleft()
            if not turn.done():
                self.in_use += 1
                turn.set_result(None)

    def refuse_all(self, refusal: Callable[[], TrunklineError]) -> None:
        """Let everyone who waits fail at once."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_exception(refusal())

    def _withdraw(self, turn: "asyncio.Future[None]", slots: Callable[[], int]) -> None:
        """Leave the queue; a slot that was given at the same moment goes to the next."""
        if turn in self._waiting:
            self._waiting.remove(turn)
        elif not turn.cancelled() and turn.exception() is None:
            self.leave(slots())
