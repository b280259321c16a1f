"""Ids and times of a stand-in: both grow, so that lists have an order."""

import itertools
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from trunkline_shared.clock import Clock

FIRST_ID = 1_069_478_900


def _ids() -> "itertools.count[int]":
    return itertools.count(FIRST_ID)


@dataclass(slots=True, kw_only=True)
class Times:
    """`tick` is a second later than any before, however fast a test seeds."""

    clock: Clock
    _ids: "itertools.count[int]" = field(default_factory=_ids)
    _ticks: int = 0

    def next_id(self) -> int:
        return next(self._ids)

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.clock.now(), UTC)

    def tick(self) -> datetime:
        self._ticks += 1
        return self.now() + timedelta(seconds=self._ticks)
