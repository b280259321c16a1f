"""Turns that one process remembers."""

from bisect import insort
from dataclasses import dataclass, field

from trunkline_shared.clock import Clock
from trunkline_shared.store.earliest import earliest
from trunkline_shared.store.port import Rhythm, TooLate, Turn, Wish


@dataclass(slots=True)
class _Past:
    """The turns of one key: when each begins, and its id, in order."""

    memory_s: float = 0.0
    turns: list[tuple[float, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTurns:
    """Turns for everything in this process; nothing here waits, so nothing can come between."""

    clock: Clock
    keys: dict[str, _Past] = field(default_factory=dict)

    async def reserve(self, wish: Wish) -> Turn | TooLate:
        """Reserve as the port says, by this process's own clock."""
        now = self.clock.monotonic()
        free, limited = earliest([at for at, _ in self._turns(wish.key)], wish.rhythm)
        wait_s = max(free - now, wish.after_s, 0.0)
        if wait_s >= wish.within_s:
            return TooLate(wait_s=wait_s, spent=limited and free - now >= wish.within_s)
        turn = Turn(key=wish.key, id=wish.id, wait_s=wait_s)
        self.remember(turn, wish.rhythm)
        return turn

    def give_back(self, turn: Turn) -> None:
        """Forget a turn that was not used."""
        turns = self._turns(turn.key)
        turns[:] = [kept for kept in turns if kept[1] != turn.id]

    def remember(self, turn: Turn, rhythm: Rhythm) -> None:
        """Count a turn that begins `turn.wait_s` seconds from now."""
        past = self.keys.setdefault(turn.key, _Past())
        past.memory_s = max(past.memory_s, rhythm.memory_s)
        insort(past.turns, (self.clock.monotonic() + turn.wait_s, turn.id))

    def ages(self, key: str) -> dict[str, float]:
        """Return how many seconds ago each remembered turn began, by id; less than 0 is ahead."""
        now = self.clock.monotonic()
        return {name: now - at for at, name in self._turns(key)}

    def _turns(self, key: str) -> list[tuple[float, str]]:
        """Return the turns of a key that still matter, in order."""
        now = self.clock.monotonic()
        for other, past in tuple(self.keys.items()):
            past.turns = [kept for kept in past.turns if kept[0] > now - past.memory_s]
            if not past.turns:
                del self.keys[other]
        return self.keys[key].turns if key in self.keys else []
