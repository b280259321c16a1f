"""Jira's rate limits: how long to wait, and what its headers tell about them.

https://developer.atlassian.com/cloud/jira/platform/rate-limiting/ and
https://confluence.atlassian.com/adminjiraserver/adjusting-your-code-for-rate-limiting-987143384.html
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from trunkline_jira.site.refusal import Refusal, clean
from trunkline_shared.errors import RateLimited
from trunkline_shared.exchange import Response
from trunkline_shared.quota import Left, left_in
from trunkline_shared.vendor.retry_after import announced_wait, clamped

UNANNOUNCED_S = 5
REQUESTS = "requests"
_ONE_ISSUE = "jira-per-issue-on-write"
_TOLD = {
    "limit": "x-ratelimit-limit",
    "remaining": "x-ratelimit-remaining",
    "reset": "x-ratelimit-reset",
    "near_limit": "x-ratelimit-nearlimit",
    "interval_s": "x-ratelimit-interval-seconds",
    "fill_rate": "x-ratelimit-fillrate",
    "reason": "ratelimit-reason",
}


def rate_limited(refusal: Refusal) -> RateLimited:
    """Return the failure of a 429, with the seconds to wait at least.

    The limit of writes to one issue closes nothing else.
    """
    response = refusal.response
    announced = _announced(response)
    wait = announced or UNANNOUNCED_S
    told = limits(response)
    resource = "issue_writes" if told.get("reason") == _ONE_ISSUE else REQUESTS
    return RateLimited(
        refusal.sentence,
        hint=f"Wait {wait} s.",
        retry_after=wait,
        details=refusal.details("rate_limit")
        | {"rate_limit": told}
        | {"throttle": {"resource": resource, "announced": announced is not None}},
    )


def limits(response: Response) -> dict[str, str]:
    """Return what the answer's headers tell about the limits."""
    return {
        name: clean(response.headers[header])
        for name, header in _TOLD.items()
        if header in response.headers
    }


def left_of(response: Response) -> Mapping[str, Left]:
    """Return what an answer tells of the quota of requests.

    Only Jira Cloud says when it is renewed; what a bucket fills up again at once is no quota.
    """
    told = limits(response)
    reset = _moment(told.get("reset", ""))
    if reset is None:
        return {}
    resets_in_s = reset - response.received_at
    left = left_in(told.get("remaining", ""), told.get("limit", ""), resets_in_s)
    return {} if left is None else {REQUESTS: left}


def _announced(response: Response) -> int | None:
    """Return the seconds that Retry-After says, else those until the reset, else the interval."""
    wait = announced_wait(response)
    if wait is not None:
        return wait
    reset = _moment(response.headers.get("x-ratelimit-reset", ""))
    if reset is not None:
        return clamped(reset - response.received_at)
    interval = response.headers.get("x-ratelimit-interval-seconds", "")
    return clamped(float(interval)) if interval.isascii() and interval.isdigit() else None


def _moment(text: str) -> float | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()
