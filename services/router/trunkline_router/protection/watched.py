"""A server's breaker together with what people and other routers ask about it."""

import math
from dataclasses import dataclass, field

from trunkline_router.model import Json
from trunkline_router.protection.breaker import Breaker
from trunkline_router.protection.news import BreakerNews, Kind
from trunkline_shared.errors import CircuitOpen


@dataclass(slots=True, kw_only=True)
class Watched:
    """Times are seconds since the epoch; `changed` is when anything was last found out.

    `recalled` is what the store remembered, by origin and number: it is not to be heard again.
    """

    breaker: Breaker = field(default_factory=Breaker)
    last_failure: float = 0.0
    opened_at: float | None = None
    changed: float = 0.0
    recalled: tuple[str, int] = ("", 0)

    def knows(self, news: BreakerNews) -> bool:
        """Say whether news are part of what was recalled."""
        origin, number = self.recalled
        return news.origin == origin and news.number <= number

    def refusal(self, server: str, now: float) -> CircuitOpen:
        """Return what a call gets in place of an answer; `now` is monotonic seconds."""
        breaker = self.breaker
        left = max(math.ceil(breaker.left_s(now)), 1)
        return CircuitOpen(
            f"Server {server!r} failed {breaker.failures} times in a row and is left alone; "
            "nothing was sent.",
            hint=f"Call again in {left} s; tools of other servers work as ever.",
            retry_after=left,
            details={
                "server": server,
                "state": breaker.state.value,
                "consecutive_failures": breaker.failures,
            },
        )

    def to_json(self, server: str, now: float) -> Json:
        """Return how the breaker stands; `lastFailureTime` and `opened_at` in ms since the epoch.

        `lastFailureTime` is 0 for never, `opened_at` null.
        """
        opened = self.opened_at
        return {
            "name": server,
            "state": self.breaker.state.value,
            "consecutiveFailures": self.breaker.failures,
            "lastFailureTime": round(self.last_failure * 1000),
            "opened_at": None if opened is None else round(opened * 1000),
            "resets_in_s": round(self.breaker.left_s(now), 1),
            "probes": self.breaker.probes,
        }

    def news(self, server: str, kind: Kind, told: tuple[str, int], left_s: float) -> BreakerNews:
        """Return what other routers are told; `told` is by whom, and its number."""
        origin, number = told
        return BreakerNews(
            origin=origin,
            number=number,
            at=self.changed,
            server=server,
            kind=kind,
            failures=self.breaker.failures,
            cause=self.breaker.cause.value,
            left_s=left_s,
            last_failure=self.last_failure,
            opened_at=self.opened_at,
        )
