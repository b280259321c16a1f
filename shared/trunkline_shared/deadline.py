"""The moment by which the current call must have answered.

The router sends what is left in `_meta["dev.trunkline/deadline_ms"]`; `serve` sets it here for
the length of the call, and everything that waits (HTTP, git) asks `remaining`.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from trunkline_shared.errors import UpstreamTimeout

_deadline: ContextVar[float | None] = ContextVar("trunkline_deadline", default=None)


@contextmanager
def deadline_in(seconds: float) -> Iterator[None]:
    """Bound the block by `seconds` from now, or by an outer deadline that comes first."""
    outer = _deadline.get()
    mine = time.monotonic() + seconds
    token = _deadline.set(mine if outer is None else min(outer, mine))
    try:
        yield
    finally:
        _deadline.reset(token)


def remaining(at_most: float) -> float:
    """Return the seconds left, never more than `at_most`.

    Raises UpstreamTimeout when nothing is left.
    """
    deadline = _deadline.get()
    if deadline is None:
        return at_most
    left = deadline - time.monotonic()
    if left <= 0:
        raise UpstreamTimeout("the call's deadline passed before this step could begin")
    return min(left, at_most)
