"""One server's breaker: a state machine that is told the time and does nothing by itself.

closed ▸ open after so many failures in a row ▸ half-open when its cool-down is over, for one call
that finds out ▸ closed or open again.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from trunkline_router.configuration.entries import BreakerTerms

JITTER = 0.1


class State(Enum):
    """What a breaker does with calls: lets all through, none, or one."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half-open"


class Cause(Enum):
    """What a failure tells of its server: that it was not reached, or that it did badly."""

    CONNECTION = "connection"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Permit:
    """Leave to call; an outcome counts only while the breaker is as it was when it gave it."""

    epoch: int
    probes: bool = False


def _jittered(seconds: float) -> float:
    # So that routers which have opened together do not come back together.
    return seconds * random.SystemRandom().uniform(1 - JITTER, 1 + JITTER)


@dataclass(slots=True, kw_only=True)
class Breaker:
    """Counts failures in a row and keeps calls away; `now` is always monotonic seconds.

    `reopens` and `probe_ends` are monotonic too; `probe_ends` is when a probe that nobody has
    heard of any more is given up. `permit` is what every call gets while it is closed. `probes`
    counts those that were let through since it has opened.
    """

    cooldown: Callable[[float], float] = _jittered
    state: State = State.CLOSED
    failures: int = 0
    cause: Cause = Cause.ANSWER
    probes: int = 0
    reopens: float = 0.0
    probe_ends: float = 0.0
    permit: Permit = field(default_factory=lambda: Permit(0))

    def may_probe(self, now: float) -> bool:
        """Say whether a call may be the one that finds out."""
        if self.state is State.OPEN:
            return now >= self.reopens
        return self.state is State.HALF_OPEN and now >= self.probe_ends

    def begin_probe(self, until: float) -> Permit:
        """Become half-open for one call, which is given up at `until`."""
        self._enter(State.HALF_OPEN)
        self.probe_ends = until
        return Permit(self.permit.epoch, probes=True)

    def passed(self, permit: Permit) -> bool:
        """Note that the server did its part; says whether anything has changed."""
        if not self._counts(permit):
            return False
        if self.state is State.HALF_OPEN:
            self.close()
            return True
        changed, self.failures = self.failures > 0, 0
        return changed

    def failed(self, permit: Permit, terms: BreakerTerms, cause: Cause, now: float) -> bool:
        """Note a failure of the server; says whether it counts."""
        if not self._counts(permit):
            return False
        self.failures += 1
        self.cause = cause
        if self.state is State.HALF_OPEN or self.failures >= terms.failures:
            self.open(now + self.cooldown(terms.cooldown_s))
        return True

    def abandoned(self, permit: Permit) -> None:
        """Note that a call has ended without telling anything: the next one may find out."""
        if permit.probes and self._counts(permit):
            self._enter(State.OPEN)

    def open(self, until: float) -> None:
        """Keep every call away until then."""
        if self.state is State.CLOSED:
            self.probes = 0
        self._enter(State.OPEN)
        self.reopens = until

    def close(self) -> None:
        """Let every call through, with nothing held against the server."""
        self._enter(State.CLOSED)
        self.failures = 0

    def left_s(self, now: float) -> float:
        """Return the seconds until a call may find out; 0 when one may now, or all may."""
        if self.state is State.CLOSED:
            return 0.0
        ends = self.reopens if self.state is State.OPEN else self.probe_ends
        return max(ends - now, 0.0)

    def _counts(self, permit: Permit) -> bool:
        if permit.epoch != self.permit.epoch or self.state is State.OPEN:
            return False
        return permit.probes or self.state is State.CLOSED

    def _enter(self, state: State) -> None:
        self.state = state
        self.permit = Permit(self.permit.epoch + 1)
