"""Readings as workers tell them to each other, and as they are kept for the next in one's place."""

from collections.abc import Mapping, Sequence
from typing import Final

import orjson

from trunkline_router.measures.instrument import (
    Distribution,
    Instrument,
    Kind,
    Number,
    Reading,
    Seen,
)
from trunkline_router.model import Json

_CUMULATIVE: Final = frozenset({Kind.COUNTER, Kind.HISTOGRAM, Kind.SUMMARY})


def written(readings: Sequence[Reading]) -> bytes:
    """Return readings as JSON."""
    return orjson.dumps({
        reading.instrument.name: [_written(point) for point in reading.points]
        for reading in readings
    })


def read(text: bytes, instruments: Mapping[str, Instrument]) -> Sequence[Reading]:
    """Return what was written, of the instruments that are known. Raises ValueError."""
    found: Json = orjson.loads(text)
    return [
        Reading(instruments[name], [_read(point) for point in points])
        for name, points in found.items()
        if name in instruments and isinstance(points, list)
    ]


def counted(readings: Sequence[Reading]) -> Sequence[Reading]:
    """Return what only grows: that is still true of a process that is gone."""
    return [one for one in readings if one.instrument.kind in _CUMULATIVE]


def _written(point: Number | Distribution) -> list[object]:
    if isinstance(point, Number):
        return [point.labels, point.value]
    exemplars = [None if one is None else _shown(one) for one in point.exemplars]
    return [point.labels, point.counts, point.total, exemplars]


def _shown(seen: Seen) -> list[object]:
    # A trace's id has more bits than a number of JSON.
    return [*seen[:2], f"{seen[2]:x}", f"{seen[3]:x}"]


def _read(point: list[object]) -> Number | Distribution:
    match point:
        case [list(labels), int() | float() as value]:
            return Number(tuple(labels), value)
        case [list(labels), list(counts), int() | float() as total, list(exemplars)]:
            seen = tuple(None if one is None else _seen(*one) for one in exemplars)
            return Distribution(tuple(labels), tuple(counts), total, seen)
        case _:
            raise ValueError("no point of a reading")


def _seen(value: float, at: float, trace_id: str, span_id: str) -> Seen:
    return value, at, int(trace_id, 16), int(span_id, 16)
