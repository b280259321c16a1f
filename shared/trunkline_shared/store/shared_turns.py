"""The mesh's turns while its store answers, and this process's own while it does not."""

import asyncio
from dataclasses import dataclass, field, replace

from trunkline_shared.store.memory import MemoryTurns
from trunkline_shared.store.obeying import obeying
from trunkline_shared.store.outage import Outage
from trunkline_shared.store.port import TooLate, Turn, Wish
from trunkline_shared.store.redis_failures import FAILURES
from trunkline_shared.store.redis_turns import RedisTurns

TIMEOUT_S = 1.0
_MOST_UNUSED = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTurns:
    """Turns through Redis that outlive it.

    The process remembers its own turns, wherever it got them: it goes on with that while Redis is
    away, and sends it along with each wish, so that a Redis that was flushed or comes back empty
    learns of them again. Turns that were not used are told with the next wish, too.
    """

    redis: RedisTurns
    memory: MemoryTurns
    outage: Outage
    unused: dict[str, set[str]] = field(default_factory=dict)

    async def reserve(self, wish: Wish) -> Turn | TooLate:
        """Reserve over the whole mesh, or in this process when that cannot be had in a second."""
        asked_at = self.memory.clock.monotonic()
        if self.outage.worth_asking():
            try:
                async with asyncio.timeout(TIMEOUT_S):
                    answer = await self._through_redis(wish)
            except asyncio.CancelledError:
                # Redis may have it already; this process has not, and nobody else will say so.
                self._note_unused(wish.key, wish.id)
                raise
            except FAILURES as error:
                self.outage.failed(error)
            else:
                self.outage.passed()
                return answer
        spent_s = self.memory.clock.monotonic() - asked_at
        return await self.memory.reserve(replace(wish, latest_s=wish.latest_s - spent_s))

    def give_back(self, turn: Turn) -> None:
        """Forget a turn that was not used, and tell Redis with the next wish."""
        self.memory.give_back(turn)
        self._note_unused(turn.key, turn.id)

    async def _through_redis(self, wish: Wish) -> Turn | TooLate:
        unused = frozenset(self.unused.get(wish.key, ()))
        known = self.memory.ages(wish.key)
        with obeying():
            answer = await self.redis.reserve(wish, known=known, unused=unused)
        self._told(wish.key, unused)
        if isinstance(answer, Turn):
            self.memory.remember(answer, wish.rhythm)
        return answer

    def _note_unused(self, key: str, name: str) -> None:
        names = self.unused.setdefault(key, set())
        if len(names) < _MOST_UNUSED:
            names.add(name)

    def _told(self, key: str, names: frozenset[str]) -> None:
        left = self.unused.pop(key, set()) - names
        if left:
            self.unused[key] = left
