"""What goes wrong with a record: somebody else holds it, the hold is lost, the store is away."""

import math
from pathlib import Path

from trunkline_shared.errors import Overloaded, UpstreamUnavailable

STATE_VARIABLE = "TRUNKLINE_STATE_DIR"


class HoldLost(UpstreamUnavailable):
    """The hold ended before the write, which was not made."""


def hold_lost() -> HoldLost:
    """Return the failure of a write after the end of its hold."""
    return HoldLost(
        "The store's record is no longer held by this process; nothing was written.",
        hint="Try again.",
        details={"reason": "hold_lost"},
    )


def held_elsewhere(waited_s: float) -> Overloaded:
    """Return the failure of a wait for another holder, in seconds."""
    return Overloaded(
        f"Another process holds the store's record; it was not free within {waited_s:.3g} s.",
        hint="Nothing was changed. Try again in a second.",
        retry_after=1,
        details={"reason": "record_held"},
    )


def store_away(where: str, pause_s: float) -> UpstreamUnavailable:
    """Return the failure of a Redis that does not answer; it is asked again after the pause."""
    seconds = max(1, math.ceil(pause_s))
    return UpstreamUnavailable(
        f"The store at {where} is away; what it keeps cannot be read or changed.",
        hint="Start the Redis that TRUNKLINE_REDIS_URL names, or correct the variable.",
        retry_after=seconds,
        details={"reason": "store_away"},
    )


def folder_unusable(folder: Path, error: Exception) -> UpstreamUnavailable:
    """Return the failure of a directory that cannot hold records."""
    why = getattr(error, "strerror", None) or type(error).__name__
    return UpstreamUnavailable(
        f"{STATE_VARIABLE}={folder}: renewed tokens cannot be kept there ({why}).",
        hint=f"Point {STATE_VARIABLE} at a directory that this user can write, or set "
        "TRUNKLINE_REDIS_URL to keep them in Redis.",
        retryable=False,
        details={"reason": "state_dir", "variable": STATE_VARIABLE, "path": str(folder)},
    )
