"""GitHub's primary and secondary rate limits: whether an answer is one, and how long to wait.

https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""

import re
from collections.abc import Mapping

from trunkline_shared.errors import RateLimited
from trunkline_shared.exchange import Request, Response
from trunkline_shared.github.refusal import Refusal, facts
from trunkline_shared.quota import Left, left_in
from trunkline_shared.vendor.retry_after import announced_wait, clamped

SECONDARY_S = 60
_TOO_MANY = 429
_MOMENT = re.compile("[0-9]{1,15}")
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
        return clamped(int(reset) - response.received_at)
    return SECONDARY_S


def left_of(response: Response) -> Mapping[str, Left]:
    """Return what an answer tells of the quota that it counted against."""
    headers = response.headers
    reset = headers.get("x-ratelimit-reset", "")
    if not _MOMENT.fullmatch(reset):
        return {}
    left = left_in(
        headers.get("x-ratelimit-remaining", ""),
        headers.get("x-ratelimit-limit", ""),
        int(reset) - response.received_at,
    )
    return {} if left is None else {headers.get("x-ratelimit-resource", "core"): left}


def quota_resource(request: Request) -> str:
    """Return GitHub's name for the quota that a request counts against."""
    if request.path.startswith("/search/code"):
        return "code_search"
    if request.path.startswith("/search/"):
        return "search"
    return "graphql" if request.path == "/graphql" else "core"
