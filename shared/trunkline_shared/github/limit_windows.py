"""The rate limits that are known to be exhausted, and until when nothing need be sent."""

import math
from dataclasses import dataclass, field

from trunkline_shared.clock import Clock
from trunkline_shared.errors import RateLimited
from trunkline_shared.exchange import Request

EVERYTHING = "*"


def quota_resource(request: Request) -> str:
    """Return GitHub's name for the quota that a request counts against."""
    if request.path.startswith("/search/code"):
        return "code_search"
    if request.path.startswith("/search/"):
        return "search"
    return "graphql" if request.path == "/graphql" else "core"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitWindows:
    """Which (credential, resource) may not ask until when.

    A secondary limit speaks of the credential as a whole, so it closes every resource.
    """

    clock: Clock
    closed: dict[tuple[str, str], float] = field(default_factory=dict)

    def check(self, credential: str, resource: str) -> None:
        """Raise RateLimited, with the seconds that remain, while the window is closed."""
        now = self.clock.monotonic()
        until = max(self.closed.get((credential, r), now) for r in (resource, EVERYTHING))
        if until > now:
            wait = math.ceil(until - now)
            raise RateLimited(
                f"GitHub's rate limit ({resource}) is exhausted; nothing was sent.",
                hint=f"Wait {wait} s.",
                retry_after=wait,
                details={
                    "reason": "throttled",
                    "phase": "held",
                    "throttle": {"credential": credential, "resource": resource},
                },
            )

    def noted(self, credential: str, limited: RateLimited) -> RateLimited:
        """Close the window that the failure speaks of, and name the credential in it."""
        told = limited.details.get("throttle")
        throttle: dict[str, object] = {**(told if isinstance(told, dict) else {})}
        secondary = throttle.get("kind") == "secondary"
        resource = EVERYTHING if secondary else str(throttle.get("resource", EVERYTHING))
        until = self.clock.monotonic() + (limited.retry_after or 0)
        self._forget_past()
        self.closed[credential, resource] = until
        limited.details = {
            **limited.details,
            "throttle": {**throttle, "credential": credential, "resource": resource},
        }
        return limited

    def _forget_past(self) -> None:
        now = self.clock.monotonic()
        for window in [w for w, until in self.closed.items() if until <= now]:
            del self.closed[window]
