"""How long a vendor asks to wait (RFC 9110, 10.2.3)."""

import math
from datetime import UTC
from email.utils import parsedate_to_datetime

from trunkline_shared.exchange import Response

SHORTEST_S, LONGEST_S = 1, 3600
UNREADABLE_S = 60


def announced_wait(response: Response) -> int | None:
    """Return what a Retry-After header says (seconds or a date), or None without a usable one.

    Rounded up, between 1 and 3600 seconds.
    """
    value = response.headers.get("retry-after", "").strip()
    try:
        return clamped(float(value))
    except ValueError:
        pass
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return clamped(date.replace(tzinfo=date.tzinfo or UTC).timestamp() - response.received_at)


def clamped(seconds: float) -> int:
    """Return a wait that is worth waiting, in whole seconds."""
    if not math.isfinite(seconds):
        return UNREADABLE_S
    return min(max(math.ceil(seconds), SHORTEST_S), LONGEST_S)
