"""What a state of CI comes to: a bucket for each signal, a verdict for all of them.

| conclusion | bucket | verdict |
|---|---|---|
| failure, timed_out, startup_failure, error (a status) | failed | failing |
| cancelled | cancelled | failing (superseded ones are left out before) |
| action_required | action_required | failing |
| success | passed | passing |
| neutral, skipped | neutral, skipped | passing |
| none yet: queued, in_progress, waiting, requested, pending, expected | pending | pending |
| stale, and whatever else GitHub says | other | unknown |

The worst one decides: failing, pending, unknown, passing; of nothing at all, `none`.
"""

from collections.abc import Iterable
from typing import Literal

Bucket = Literal[
    "failed", "passed", "pending", "skipped", "cancelled", "neutral", "action_required", "other"
]
Verdict = Literal["failing", "pending", "unknown", "passing", "none"]

BUCKETS: tuple[Bucket, ...] = (
    "failed",
    "passed",
    "pending",
    "skipped",
    "cancelled",
    "neutral",
    "action_required",
    "other",
)
_BUCKET_OF: dict[str, Bucket] = {
    "failure": "failed",
    "timed_out": "failed",
    "startup_failure": "failed",
    "error": "failed",
    "success": "passed",
    "neutral": "neutral",
    "skipped": "skipped",
    "cancelled": "cancelled",
    "action_required": "action_required",
    "queued": "pending",
    "in_progress": "pending",
    "waiting": "pending",
    "requested": "pending",
    "pending": "pending",
    "expected": "pending",
}
_VERDICT_OF: dict[Bucket, Verdict] = {
    "failed": "failing",
    "cancelled": "failing",
    "action_required": "failing",
    "pending": "pending",
    "other": "unknown",
    "passed": "passing",
    "neutral": "passing",
    "skipped": "passing",
}
_WORST_FIRST: tuple[Verdict, ...] = ("failing", "pending", "unknown", "passing")


def bucket(status: str | None, conclusion: str | None) -> Bucket:
    """Return the bucket of a signal; what GitHub has not documented goes to `other`.

    The conclusion counts once there is one: a status without it is a state on the way.
    """
    return _BUCKET_OF.get(conclusion or status or "", "other")


def verdict(buckets: Iterable[Bucket]) -> Verdict:
    """Return what signals in these buckets come to."""
    found = {_VERDICT_OF[one] for one in buckets}
    return next((one for one in _WORST_FIRST if one in found), "none")
