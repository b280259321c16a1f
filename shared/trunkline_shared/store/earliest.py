"""When the next turn may begin, from those that have begun or are reserved."""

from collections.abc import Sequence

from trunkline_shared.store.port import Rhythm


def earliest(begun: Sequence[float], rhythm: Rhythm) -> tuple[float, bool]:
    """Return the moment, and whether a limit (not the interval) decides it.

    `begun` is ordered; the moment is minus infinity when nothing stands in the way. Every turn
    comes after all that are reserved, so that nobody who waits is overtaken.
    """
    if not begun:
        return float("-inf"), False
    apart = begun[-1] + rhythm.interval_s
    room = [begun[-count] + span for count, span in rhythm.limits if len(begun) >= count]
    allowed = max(room, default=apart)
    return max(apart, allowed), allowed > apart
