"""When a failed exchange is repeated, how long is waited, and what a cut write means."""

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from trunkline_shared.clock import Clock
from trunkline_shared.deadline import remaining
from trunkline_shared.errors import (
    NetworkError,
    RateLimited,
    TrunklineError,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.exchange import Endpoint

T = TypeVar("T")

ATTEMPTS = 3
SHORTEST_S, LONGEST_S = 0.5, 8.0
PATIENCE_S = 30.0
THROTTLED = "throttled"
"""The reason of a failure that was not sent because the rate limit is known to be exhausted."""

_REDIRECTED, _SERVER_FAILED = 300, 500
_REPEATED = (NetworkError, RateLimited, UpstreamTimeout, UpstreamUnavailable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """Repeats what may be repeated, within the call's deadline.

    An endpoint that is not `repeatable` is sent again only when nothing of it was written, or
    when the vendor refused it for its rate, as it is when it was not asked because it would have.
    What a vendor announces is the least that is waited: up to `jitter_s` seconds come on top, so
    that those who were refused together part.
    """

    clock: Clock
    jitter_s: float = 0.0
    uniform: Callable[[float, float], float] = field(default=random.SystemRandom().uniform)

    async def run(self, endpoint: Endpoint[object], attempt: Callable[[int], Awaitable[T]]) -> T:
        """Call `attempt` with the number of earlier attempts until it succeeds.

        Raises the last failure; that of a write which may have happened says so in
        `details.may_have_happened`.
        """
        may_have_happened = False
        earlier = 0
        while True:
            try:
                return await attempt(earlier)
            except TrunklineError as error:
                may_have_happened |= endpoint.request.writes and may_have_arrived(error)
                failed = _indeterminate(error, endpoint) if may_have_happened else error
                wait = self._wait(error, earlier) if _repeats(error, endpoint) else None
                if wait is None:
                    raise failed from None
            await self.clock.sleep(wait)
            earlier += 1

    def _wait(self, error: TrunklineError, earlier: int) -> float | None:
        """Return the seconds until the next attempt, or None when there is no time for one."""
        if earlier + 1 >= ATTEMPTS:
            return None
        longest = min(LONGEST_S, SHORTEST_S * 4 ** (earlier + 1))
        announced = error.retry_after and error.retry_after + self.uniform(0, self.jitter_s)
        wait = announced or self.uniform(SHORTEST_S, longest)
        try:
            return wait if wait < remaining(PATIENCE_S) else None
        except UpstreamTimeout:
            return None


def may_have_arrived(error: TrunklineError) -> bool:
    """Whether the vendor may have acted on the request that failed so."""
    phase = error.details.get("phase")
    if phase is not None:
        return phase == "exchange"
    status = error.details.get("http_status")
    return isinstance(status, int) and not _REDIRECTED <= status < _SERVER_FAILED


def _repeats(error: TrunklineError, endpoint: Endpoint[object]) -> bool:
    phase = error.details.get("phase")
    if not isinstance(error, _REPEATED) or not error.retryable:
        return False
    if phase == "held":
        # of requests at once, those behind the one that was refused wait as long as that one
        return error.details.get("reason") == THROTTLED
    return endpoint.repeatable or phase == "connect" or isinstance(error, RateLimited)


def _indeterminate(error: TrunklineError, endpoint: Endpoint[object]) -> TrunklineError:
    if not isinstance(error, _REPEATED):
        return error
    kind = UpstreamTimeout if isinstance(error, NetworkError) else type(error)
    details: Mapping[str, object] = {**error.details, "may_have_happened": True}
    return kind(
        error.message,
        hint="The write may have happened: read the present state before repeating it.",
        retryable=error.retryable and endpoint.repeatable,
        retry_after=error.retry_after,
        details=details,
    )
