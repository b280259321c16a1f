"""Whoever sends readings elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from trunkline_router.measures.instrument import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Readings of one moment; seconds since the epoch. `since` is when counting has begun."""

    at: float
    since: float
    readings: Sequence[Reading]


class Sender(Protocol):
    """Sends what has been read; `every_s` is how often it wants to."""

    @property
    def every_s(self) -> float: ...

    def put(self, snapshot: Snapshot) -> None:
        """Take what is to be sent; never waits."""
