"""GitHub's primary and secondary rate limits: whether an answer is one, and how long to wait.

https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""

import math
from datetime import UTC
from email.utils import parsedate_to_datetime

from trunkline_shared.errors import RateLimited
from trunkline_shared.exchange import Response
from trunkline_shared.github.refusal import Refusal, facts

SHORTEST_S, LONGEST_S = 1, 3600
SECONDARY_S = 60
_TOO_MANY = 429
_SECONDARY_WORDS = ("secondary rate limit", "abuse detection")


def rate_limited(refusal: Refusal) -> RateLimited | None:
    """Return the failure when a 403 or 429 is a rate limit, else None."""
    headers = refusal.response.headers
    is_limit = (
        refusal.response.status == _TOO_MANY
        or _is_exhausted(refusal.response)
        or _is_secondary(refusal)
        or "retry-after" in headers
    )
    return limit(refusal) if is_limit else None


def limit(refusal: Refusal) -> RateLimited:
    """Return the failure of an answer that is known to be a rate limit."""
    response = refusal.response
    wait = retry_after(response)
    primary = _is_exhausted(response) and not _is_secondary(refusal)
    kind = "primary" if primary else "secondary"
    throttle = {
        "resource": response.headers.get("x-ratelimit-resource", "core"),
        "kind": kind,
        "announced": primary or announced_wait(response) is not None,
    }
    return RateLimited(
        refusal.sentence,
        hint=f"Wait {wait} s; calling earlier prolongs GitHub's {kind} limit.",
        retry_after=wait,
        details=facts(response) | {"reason": f"{kind}_rate_limit", "throttle": throttle},
    )


def _is_exhausted(response: Response) -> bool:
    return response.headers.get("x-ratelimit-remaining") == "0"


def _is_secondary(refusal: Refusal) -> bool:
    return any(words in refusal.message.lower() for words in _SECONDARY_WORDS)


def retry_after(response: Response) -> int:
    """Return the seconds to wait: the header, else until the reset, else a minute.

    Rounded up, between 1 and 3600. The reset counts only when nothing remains: under a
    secondary limit it belongs to another quota.
    """
    announced = announced_wait(response)
    if announced is not None:
        return announced
    reset = response.headers.get("x-ratelimit-reset", "")
    if _is_exhausted(response) and reset.isascii() and reset.isdigit():
        return _clamped(int(reset) - response.received_at)
    return SECONDARY_S


def announced_wait(response: Response) -> int | None:
    """Return what a Retry-After header says (seconds or a date), or None without a usable one."""
    value = response.headers.get("retry-after", "").strip()
    try:
        return _clamped(float(value))
    except ValueError:
        pass
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return _clamped(date.replace(tzinfo=date.tzinfo or UTC).timestamp() - response.received_at)


def _clamped(seconds: float) -> int:
    if not math.isfinite(seconds):
        return SECONDARY_S
    return min(max(math.ceil(seconds), SHORTEST_S), LONGEST_S)
