"""When workers are started in the place of those that have died."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

_LONG_S = 60.0
_FIRST_S, _LONGEST_S = 0.5, 30.0


@dataclass(slots=True, kw_only=True)
class Starts:
    """At once after a life of a minute; else later each time, half a minute at the most."""

    now: Callable[[], float] = time.monotonic
    _due: dict[int, float] = field(default_factory=dict)
    _short_lives: dict[int, int] = field(default_factory=dict)

    def again(self, number: int, lived_s: float) -> float:
        """Plan a worker's start, and return in how many seconds that is."""
        short = 0 if lived_s >= _LONG_S else self._short_lives.get(number, -1) + 1
        self._short_lives[number] = short
        wait_s = 0.0 if short == 0 else min(_FIRST_S * 2 ** min(short - 1, 10), _LONGEST_S)
        self._due[number] = self.now() + wait_s
        return wait_s

    def patience(self) -> float | None:
        """Return for how long nothing is to be started; None for ever."""
        return max(0.0, min(self._due.values()) - self.now()) if self._due else None

    def due(self) -> Sequence[int]:
        """Return the workers to start now, each once."""
        now = self.now()
        due = [number for number, at in self._due.items() if at <= now]
        for number in due:
            del self._due[number]
        return due

    def end(self) -> None:
        """Start none any more."""
        self._due.clear()
