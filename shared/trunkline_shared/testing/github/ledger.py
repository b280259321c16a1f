"""The stand-in's own numbers and times: one sequence of ids, one clock."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from trunkline_shared.clock import Clock

FIRST_ID = 1001


def _ids() -> Iterator[int]:
    return itertools.count(FIRST_ID)


@dataclass(slots=True, kw_only=True, eq=False)
class Ledger:
    """Gives ids, which never repeat within a stand-in, and the time, cut to the second."""

    clock: Clock
    _sequence: Iterator[int] = field(default_factory=_ids)

    def next_id(self) -> int:
        return next(self._sequence)

    def now(self) -> datetime:
        return datetime.fromtimestamp(int(self.clock.now()), UTC)
