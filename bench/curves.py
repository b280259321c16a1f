"""Curves: what requests cost and how many are answered, as there is more of something."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import orjson

from bench.findings import Chart, Table
from bench.operations import Operation
from bench.processes import Subject, prepared


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One kind of request at one process."""

    label: str
    subject: Subject
    operation: Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """Microseconds of CPU per request, and requests per second."""

    cost: float
    per_s: float


def measured(
    curves: Sequence[Curve], rounds: int, requests: int, connections: int
) -> Mapping[str, Point]:
    """Measure the curves in turn, after a round that warms them up."""
    found: dict[str, list[Point]] = {curve.label: [] for curve in curves}
    for _ in range(rounds + 1):
        for curve in curves:
            found[curve.label].append(_round(curve, requests, connections))
    return {label: _middle(points[1:]) for label, points in found.items()}


def _round(curve: Curve, requests: int, connections: int) -> Point:
    count = max(requests // connections, 1) * connections
    wanted = orjson.dumps(asdict(curve.operation)).decode()
    with prepared(curve.subject.port, count, wanted, connections) as load:
        cpu, began = curve.subject.cpu(), time.perf_counter()
        load.put_on()
        took = time.perf_counter() - began
        return Point(cost=(curve.subject.cpu() - cpu) / count * 1e6, per_s=count / took)


def _middle(points: Sequence[Point]) -> Point:
    return Point(
        cost=statistics.median(point.cost for point in points),
        per_s=statistics.median(point.per_s for point in points),
    )


def table(across: str, points: Mapping[float, Mapping[str, Point]]) -> Table:
    """Return all points, a row for each step of what there is more of."""
    labels = list(next(iter(points.values())))
    told = [head for label in labels for head in (label, "per second")]
    return Table(
        title=f"Microseconds of CPU per request, and requests per second, by {across}",
        columns=(across, *told),
        rows=[
            (round(at), *(v for label in labels for v in _both(found[label])))
            for at, found in points.items()
        ],
    )


def _both(point: Point) -> tuple[int, int]:
    return round(point.cost), round(point.per_s)


def charts(across: str, points: Mapping[float, Mapping[str, Point]]) -> Sequence[Chart]:
    """Return two pictures: the cost, and how many are answered in a second."""
    shown: Mapping[str, Callable[[Point], float]] = {
        "cost": lambda point: point.cost,
        "rate": lambda point: point.per_s,
    }
    units = {"cost": "microseconds of CPU per request", "rate": "requests per second"}
    return [
        Chart(
            name=f"scale-{across.partition(' ')[0].lower()}-{kind}",
            title=f"{units[kind][0].upper()}{units[kind][1:]}, by {across}",
            x=across,
            y=units[kind],
            curves={
                label: [(at, read(found[label])) for at, found in points.items()]
                for label in next(iter(points.values()))
            },
            log_x=across != "workers",
            log_y=across != "workers",
        )
        for kind, read in shown.items()
    ]
