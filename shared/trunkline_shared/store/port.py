"""What is asked of a store: turns, so far apart and so many in a while, over a whole mesh."""

import secrets
from dataclasses import dataclass, field
from typing import Protocol

AHEAD_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """How turns may follow: `interval_s` apart, and never more than each limit allows.

    `limits` are (turns, seconds) pairs: in any stretch of so many seconds, at most so many begin.
    """

    interval_s: float
    limits: tuple[tuple[int, float], ...] = ()

    @property
    def memory_s(self) -> float:
        """Return for how many seconds a turn matters to those after it."""
        return max([self.interval_s, *(seconds for _, seconds in self.limits)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A turn under `key` that begins at least `after_s` and less than `latest_s` from now.

    No turn is reserved further ahead than a minute. `id` names the turn wherever it is counted.
    """

    key: str
    rhythm: Rhythm
    latest_s: float
    after_s: float = 0.0
    id: str = field(default_factory=lambda: secrets.token_hex(8))

    @property
    def within_s(self) -> float:
        return min(self.latest_s, AHEAD_S)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn that was reserved: it begins `wait_s` seconds after the store answered."""

    key: str
    id: str
    wait_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TooLate:
    """Nothing was reserved: the next turn begins in `wait_s` seconds, later than wished.

    `spent` says that a limit is the reason, and not the turns that others wait for.
    """

    wait_s: float
    spent: bool


class Turns(Protocol):
    """Turns under a key, one after the other, for whoever shares the store.

    `reserve` takes the earliest turn after all that are reserved: nobody who waits is overtaken.
    It never raises and never waits longer than a second. A reservation needs no end: who dies
    with one costs the others that one turn. `give_back` says that a turn was not used; it does not
    wait, so that a cancelled caller can.
    """

    async def reserve(self, wish: Wish) -> Turn | TooLate: ...

    def give_back(self, turn: Turn) -> None: ...
