"""The rate limits that are known to be exhausted, and until when nothing need be sent."""

import math
from dataclasses import dataclass, field

from trunkline_shared.clock import Clock
from trunkline_shared.errors import RateLimited
from trunkline_shared.http.retry import THROTTLED
from trunkline_shared.vendor.retry_after import LONGEST_S

EVERYTHING = "*"


@dataclass(frozen=True, slots=True)
class _Strike:
    """A secondary limit that told no wait: when it came, and how long ours was."""

    at: float
    wait: float

    @property
    def forgotten_at(self) -> float:
        return self.at + 3 * self.wait


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitWindows:
    """Which (credential, resource) may not ask until when.

    A secondary limit speaks of the credential as a whole, so it closes every resource.
    """

    vendor: str
    clock: Clock
    closed: dict[tuple[str, str], float] = field(default_factory=dict)
    strikes: dict[str, _Strike] = field(default_factory=dict)

    def check(self, credential: str, resource: str) -> None:
        """Raise RateLimited, with the seconds that remain, while the window is closed."""
        now = self.clock.monotonic()
        until = max(self.closed.get((credential, r), now) for r in (resource, EVERYTHING))
        if until > now:
            wait = math.ceil(until - now)
            raise RateLimited(
                f"{self.vendor}'s rate limit ({resource}) is exhausted; nothing was sent.",
                hint=f"Wait {wait} s.",
                retry_after=wait,
                details={
                    "reason": THROTTLED,
                    "phase": "held",
                    "throttle": {"credential": credential, "resource": resource},
                },
            )

    def noted(self, credential: str, limited: RateLimited) -> RateLimited:
        """Close the window that the failure speaks of; return it with credential and wait."""
        told = limited.details.get("throttle")
        throttle: dict[str, object] = {**(told if isinstance(told, dict) else {})}
        wait = limited.retry_after or 0.0
        if throttle.pop("announced", True) is False:
            wait = self._longer(credential, wait)
        resource = str(throttle.get("resource", EVERYTHING))
        throttle |= {
            "credential": credential,
            "resource": EVERYTHING if throttle.get("kind") == "secondary" else resource,
        }
        self._forget_past()
        self.closed[credential, str(throttle["resource"])] = self.clock.monotonic() + wait
        return RateLimited(
            limited.message,
            hint=limited.hint if wait == limited.retry_after else f"Wait {wait:.0f} s.",
            retry_after=wait,
            details={**limited.details, "throttle": throttle},
        )

    def _longer(self, credential: str, wait: float) -> float:
        """Double the wait of the strike before, as GitHub asks of those whom it told none.

        Refusals of requests that were in flight together are one strike.
        """
        now = self.clock.monotonic()
        last = self.strikes.get(credential)
        if last is not None and now < last.at + last.wait:
            return last.wait
        if last is not None and now < last.forgotten_at:
            wait = min(last.wait * 2, LONGEST_S)
        self.strikes[credential] = _Strike(at=now, wait=wait)
        return wait

    def _forget_past(self) -> None:
        now = self.clock.monotonic()
        for window in [w for w, until in self.closed.items() if until <= now]:
            del self.closed[window]
        for credential in [c for c, s in self.strikes.items() if s.forgotten_at <= now]:
            del self.strikes[credential]
