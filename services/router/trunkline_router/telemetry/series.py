"""Calls over time: how many, how they went and how long they took, in steps of 10 s for an hour."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from opentelemetry.trace import SpanKind

from trunkline_router.attributes import (
    AGENT,
    METHOD,
    OTHER,
    SERVER,
    SOURCE,
    TOKENS_IN,
    TOKENS_OUT,
    TOOL,
    WAITS,
)
from trunkline_router.model import Json
from trunkline_router.span import CANCELLED, Span
from trunkline_router.telemetry.calls import CALLS, SPARED, failure_of
from trunkline_router.telemetry.latencies import Latencies
from trunkline_router.telemetry.trace_rows import milliseconds
from trunkline_shared.clock import Clock

STEP_S = 10
MINUTES = 60
_STEPS = MINUTES * 60 // STEP_S
_MOST_CELLS = 100
_MOST_POINTS = 8
_QUANTILES = {"p50_ms": 0.5, "p95_ms": 0.95, "p99_ms": 0.99}


class Whose(NamedTuple):
    """Whose calls are counted together; as a filter, what is empty stands for all."""

    server: str = ""
    tool: str = ""
    agent: str = ""

    def covers(self, other: "Whose") -> bool:
        """Say whether this filter lets others through."""
        return all(mine in {"", theirs} for mine, theirs in zip(self, other, strict=True))


EVERYBODY = Whose()
_OTHERS = Whose(OTHER, OTHER, OTHER)


class Cell:
    """What was counted of somebody's calls in one step.

    What its client has given up is no error, and what waits by design says nothing of latency.
    """

    __slots__ = ("calls", "errors", "hits", "latencies", "tokens_in", "tokens_out", "upstream")

    def __init__(self) -> None:
        self.calls = self.errors = self.hits = self.upstream = 0
        self.tokens_in = self.tokens_out = 0
        self.latencies = Latencies()

    def add(self, span: Span) -> None:
        """Count the call of a span."""
        told = span.attributes
        source = told.get(SOURCE)
        self.calls += 1
        if failure_of(span) not in {None, CANCELLED}:
            self.errors += 1
        if source == "upstream":
            self.upstream += 1
        elif source in SPARED:
            self.hits += 1
        self.tokens_in += int(told.get(TOKENS_IN, 0))
        self.tokens_out += int(told.get(TOKENS_OUT, 0))
        if WAITS not in told:
            self.latencies.add(span.ended - span.started)


_SUMS = ("calls", "errors", "hits", "upstream", "tokens_in", "tokens_out")


class _Step:
    """What was counted in one step; points that have been asked for stand until the next call."""

    __slots__ = ("cells", "points")

    def __init__(self) -> None:
        self.cells: dict[Whose, Cell] = {}
        self.points: dict[Whose, Json] = {}

    def point(self, number: int, whose: Whose) -> Json:
        """Return the point of those whose calls are wanted."""
        made = self.points.get(whose)
        if made is None:
            cells = [cell for theirs, cell in self.cells.items() if whose.covers(theirs)]
            made = _point(number, cells)
            if len(self.points) < _MOST_POINTS:
                self.points[whose] = made
        return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Whose calls somebody wants to see, and of how many minutes."""

    whose: Whose = EVERYBODY
    minutes: int = MINUTES


class Series:
    """Counts calls by step, server, tool and agent; of a step's hundredth on, all as one."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = self._now()
        self._steps: dict[int, _Step] = defaultdict(_Step)

    def __call__(self, spans: Sequence[Span]) -> None:
        """Count the calls among spans."""
        for span in spans:
            if span.kind is SpanKind.SERVER and span.attributes.get(METHOD) in CALLS:
                self._count(span)

    def _count(self, span: Span) -> None:
        number = int(span.ended // STEP_S)
        step = self._steps.get(number)
        if step is None:
            step = self._opened(number)
        if step.points:
            step.points.clear()
        told = span.attributes
        given = told.get(SERVER), told.get(TOOL), told.get(AGENT)
        cell = step.cells.get(given)  # type: ignore[call-overload]  # a tuple is equal to its named one
        (cell or _cell(step.cells, *given)).add(span)

    def _opened(self, number: int) -> _Step:
        now = self._now()
        for old in [one for one in self._steps if not now - _STEPS < one <= now]:
            del self._steps[old]
        return self._steps[number]

    def latest(self) -> Json:
        """Return the point of the step that is underway."""
        return self._point(self._now(), EVERYBODY)

    def known(self) -> Json:
        """Return what `/api/series` says besides the points: who has called what."""
        known = {whose for step in self._steps.values() for whose in step.cells}
        names = {
            f"{name}s": sorted({getattr(whose, name) for whose in known} - {""})
            for name in Whose._fields
        }
        return {"step_s": STEP_S, **names}

    def points(self, asked: Asked) -> Iterator[Json]:
        """Return a point for each step since this router began."""
        now = self._now()
        first = max(min(self._began, now), now + 1 - asked.minutes * 60 // STEP_S)
        for number in range(first, now + 1):
            yield self._point(number, asked.whose)

    def _point(self, number: int, whose: Whose) -> Json:
        step = self._steps.get(number)
        return _point(number, []) if step is None else step.point(number, whose)

    def _now(self) -> int:
        return int(self._clock.now() // STEP_S)


def _cell(cells: dict[Whose, Cell], server: object, tool: object, agent: object) -> Cell:
    """Return the cell of a call that may be the first of its kind in a step."""
    # What was refused before its server was known may have any name.
    whose = Whose(str(server or ""), str(tool or "") if server else OTHER, str(agent or ""))
    if whose not in cells and len(cells) >= _MOST_CELLS:
        whose = _OTHERS
    return cells.setdefault(whose, Cell())


def _point(number: int, cells: list[Cell]) -> Json:
    spent = Latencies.of(cell.latencies for cell in cells).quantiles(*_QUANTILES.values())
    return {
        "at": number * STEP_S,
        **{name: sum(getattr(cell, name) for cell in cells) for name in _SUMS},
        **{
            name: None if seconds is None else milliseconds(seconds)
            for name, seconds in zip(_QUANTILES, spent, strict=True)
        },
    }
