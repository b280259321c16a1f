"""Readings of several workers as those of one router."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from trunkline_router.measures import router as instruments
from trunkline_router.measures.instrument import (
    Distribution,
    Instrument,
    Kind,
    Number,
    Reading,
    Seen,
)
from trunkline_router.measures.process import INSTRUMENTS as OF_PROCESS
from trunkline_router.protection.breaker import State

_Labels = tuple[str, ...]
_Combine = Callable[[Sequence[float]], float]

_GAUGES: Final = instruments.CACHE_GAUGES
_SUMMED: Final = {_GAUGES[key].name for key in ("entries", "in_flight", "bytes", "limit_bytes")} | {
    one.name for one in OF_PROCESS if one.name == "process.unix.file_descriptor.limit"
}
_LEAST: Final = {
    _GAUGES["on"].name,
    instruments.AVAILABLE.name,
    instruments.QUOTA_REMAINING.name,
    "process.start_time",
}
"""What holds for the router only as far as it does for each worker."""
_WORST: Final = (State.OPEN, State.HALF_OPEN, State.CLOSED)


def together(workers: Sequence[Sequence[Reading]]) -> Sequence[Reading]:
    """Return the readings of all workers in the order of the first one's.

    What is counted, and what there is of it now, is added; of other gauges the greatest stands,
    or the least where that is the worse.
    """
    points: dict[Instrument, list[Number | Distribution]] = {}
    for readings in workers:
        for reading in readings:
            points.setdefault(reading.instrument, []).extend(reading.points)
    return [Reading(one, _combined(one, given)) for one, given in points.items()]


def _combined(
    instrument: Instrument, given: Sequence[Number | Distribution]
) -> Sequence[Number | Distribution]:
    spread: dict[_Labels, list[Distribution]] = {}
    numbers: dict[_Labels, list[float]] = {}
    for point in given:
        if isinstance(point, Distribution):
            spread.setdefault(point.labels, []).append(point)
        else:
            numbers.setdefault(point.labels, []).append(point.value)
    if instrument is instruments.BREAKER_STATE:
        return _states(numbers)
    combine = _rule(instrument)
    return [
        *(Number(labels, combine(values)) for labels, values in numbers.items()),
        *(_sum(points) for points in spread.values()),
    ]


def _rule(instrument: Instrument) -> _Combine:
    if instrument.kind in {Kind.COUNTER, Kind.UP_DOWN_COUNTER} or instrument.name in _SUMMED:
        return sum
    return min if instrument.name in _LEAST else max


def _states(numbers: Mapping[_Labels, Sequence[float]]) -> Sequence[Number]:
    """Return the worst state that any worker tells of each server's breaker."""
    said = {labels for labels, values in numbers.items() if any(values)}
    worst = {
        server: next((one.value for one in _WORST if (server, one.value) in said), "")
        for server, _ in numbers
    }
    return [Number(labels, float(worst[labels[0]] == labels[1])) for labels in numbers]


def _sum(points: Sequence[Distribution]) -> Distribution:
    counts = tuple(map(sum, zip(*(point.counts for point in points), strict=True)))
    exemplars = zip(*(point.exemplars for point in points), strict=True)
    return Distribution(
        points[0].labels,
        counts,
        sum(point.total for point in points),
        tuple(max(filter(None, of_bucket), key=_at, default=None) for of_bucket in exemplars),
    )


def _at(seen: Seen) -> float:
    return seen[1]
