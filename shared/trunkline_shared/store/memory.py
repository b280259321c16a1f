"""Turns that one process remembers."""

import secrets
from bisect import insort
from dataclasses import dataclass, field

from trunkline_shared.clock import Clock
from trunkline_shared.store.earliest import earliest
from trunkline_shared.store.port import Rhythm, TooLate, Turn


def new_id() -> str:
    """Return a name for a turn that no other turn of the mesh has."""
    return secrets.token_hex(8)


@dataclass(slots=True)
class _Past:
    """The turns of one key: when each begins, and its id, in order."""

    memory_s: float
    turns: list[tuple[float, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTurns:
    """Turns for everything in this process; nothing here waits, so nothing can come between."""

    clock: Clock
    keys: dict[str, _Past] = field(default_factory=dict)

    async def reserve(
        self, key: str, rhythm: Rhythm, *, after_s: float, latest_s: float
    ) -> Turn | TooLate:
        """Reserve as the port says, by this process's own clock."""
        now = self.clock.monotonic()
        self._forget(now)
        past = self.keys.get(key)
        begun = [at for at, _ in past.turns] if past else []
        free, limited = earliest(begun, rhythm)
        wait_s = max(free - now, after_s, 0.0)
        if wait_s >= latest_s:
            return TooLate(wait_s=wait_s, spent=limited and free - now >= latest_s)
        turn = Turn(key=key, id=new_id(), wait_s=wait_s)
        self.remember(turn, rhythm)
        return turn

    def give_back(self, turn: Turn) -> None:
        """Forget a turn that was not used."""
        past = self.keys.get(turn.key)
        if past is not None:
            past.turns = [kept for kept in past.turns if kept[1] != turn.id]

    def remember(self, turn: Turn, rhythm: Rhythm) -> None:
        """Count a turn that begins `turn.wait_s` seconds from now."""
        past = self.keys.setdefault(turn.key, _Past(memory_s=rhythm.memory_s))
        past.memory_s = max(past.memory_s, rhythm.memory_s)
        insort(past.turns, (self.clock.monotonic() + turn.wait_s, turn.id))

    def ages(self, key: str) -> dict[str, float]:
        """Return how many seconds ago each remembered turn began, by id; less than 0 is ahead."""
        now = self.clock.monotonic()
        self._forget(now)
        past = self.keys.get(key)
        return {id_: now - at for at, id_ in past.turns} if past else {}

    def _forget(self, now: float) -> None:
        for key, past in tuple(self.keys.items()):
            past.turns = [kept for kept in past.turns if kept[0] > now - past.memory_s]
            if not past.turns:
                del self.keys[key]
