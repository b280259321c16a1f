"""How long to wait before starting something again: 1, 2, 4, 8, 10, 10 … seconds."""

from dataclasses import dataclass, field

from trunkline_shared.clock import Clock, SystemClock

FIRST_S = 1.0
LONGEST_S = 10.0
HEALTHY_S = 60.0


@dataclass(slots=True, kw_only=True)
class Backoff:
    """Counts failures in a row; one that follows HEALTHY_S of service is a first one again."""

    clock: Clock = field(default_factory=SystemClock)
    _failures: int = 0
    _began: float = 0.0

    def begin(self) -> None:
        """Note that an attempt begins now."""
        self._began = self.clock.monotonic()

    def pause(self) -> float:
        """Note that the attempt has failed; returns the seconds to wait before the next."""
        if self.clock.monotonic() - self._began >= HEALTHY_S:
            self._failures = 0
        self._failures += 1
        return min(FIRST_S * 2.0 ** (self._failures - 1), LONGEST_S)
