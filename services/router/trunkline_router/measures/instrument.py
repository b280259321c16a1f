"""What an instrument is, and what is read off it; the names are those of OpenTelemetry."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class Kind(Enum):
    """How values of an instrument are to be understood.

    A `SUMMARY` is a histogram without buckets: a count and a sum. `INFO` is always 1.
    """

    COUNTER = "counter"
    UP_DOWN_COUNTER = "up-down counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"
    SUMMARY = "summary"
    INFO = "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrument:
    """One instrument; `unit` is UCUM, as OpenTelemetry wants it.

    `bounds` are the upper ends of a histogram's buckets. `habit` is the name that Prometheus'
    users know it by, where the rule gives another.
    """

    name: str
    kind: Kind
    description: str
    unit: str = ""
    labels: tuple[str, ...] = ()
    bounds: tuple[float, ...] = ()
    habit: str = ""


Seen = tuple[float, float, int, int]
"""An exemplar as every call leaves one behind: its parts, in their order."""


class Exemplar(NamedTuple):
    """One request that fell into a bucket; `at` is seconds since the epoch."""

    value: float
    at: float
    trace_id: int
    span_id: int


class Number(NamedTuple):
    """The value of one label set; an empty label does not apply."""

    labels: tuple[str, ...]
    value: float


class Distribution(NamedTuple):
    """What has fallen into each bucket of one label set, the one beyond the last bound included.

    There are as many exemplars as buckets, None in those that have none.
    """

    labels: tuple[str, ...]
    counts: tuple[int, ...]
    total: float
    exemplars: tuple[Seen | None, ...]

    @property
    def observed(self) -> int:
        """How many there were."""
        return sum(self.counts)


class Reading(NamedTuple):
    """All values of one instrument at one moment."""

    instrument: Instrument
    points: Sequence[Number | Distribution]
