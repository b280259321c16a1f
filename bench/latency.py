"""What the router adds to an answer's time, at half of what it can do at most."""

import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.answers import KEPT
from bench.findings import Cell, Chart, Findings, Limit, Table
from bench.open_load import Latency, latency
from bench.priority import apart, undisturbed
from bench.processes import Subject, prepared, running
from bench.rounds import say

MOST_OF_P50 = 5.0
_CONNECTIONS = (8, 16, 32)
_HALF = 0.5
_SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
_ABOUT = (
    "How much later an answer comes because of the router. Requests are due at fixed times, and"
    " count from when they were due, not from when they could be sent (no coordinated omission)."
    " The most that the router can do is found first: requests over 8, 16 and 32 connections, each"
    " sent when the last one is answered. Then half of that is asked of the router and, in turn,"
    " of the server behind it; the differences of the medians, and of the 99th percentiles, are"
    " what the router adds. A hit asks nobody behind it, so that all of its time is the router's."
    " The router has a processor to itself, and the others share what is left."
)
_DISTURBED = (
    "What other programs take of the processors is in these times: going before them is allowed to"
    " root on Linux alone."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """One kind of call; `direct` asks the server behind, if one is; `most` is per second."""

    label: str
    operation: str
    direct: str | None
    most: float
    behind: list[Latency] = field(default_factory=list)
    through: list[Latency] = field(default_factory=list)

    def round(self, server: Subject, router: Subject, seconds: float) -> None:
        rate = self.most * _HALF
        if self.direct is not None:
            self.behind.append(latency(server.port, self.direct, rate, seconds))
        self.through.append(latency(router.port, self.operation, rate, seconds))

    def added(self, percentile: int) -> float:
        """Return the median of what the rounds' percentiles differ by; microseconds."""
        if self.direct is None:
            return _median(self.through, percentile)
        pairs = zip(self.through, self.behind, strict=True)
        return statistics.median(
            through.at(percentile) - behind.at(percentile) for through, behind in pairs
        )

    @property
    def ratio(self) -> float:
        return self.added(99) / self.added(50)


def findings(quick: bool) -> Findings:  # noqa: FBT001 - a part's form
    """Measure relayed calls and hits."""
    rounds, seconds, requests = (1, 0.7, 800) if quick else (9, 3.0, 8000)
    with undisturbed() as alone, _arranged() as (server, router):
        cases = _cases(router, requests)
        for number in range(rounds):
            for case in cases:
                case.round(server, router, seconds)
            say(f"round {number + 1} of {rounds}")
        curves = _curves(router, cases, seconds)
    return Findings(
        title="How long an answer takes",
        about=_ABOUT,
        tables=[_table(cases)],
        charts=[_chart(curves)],
        limits=[_limit(case) for case in cases],
        left_out=() if alone else (_DISTURBED,),
    )


@contextmanager
def _arranged() -> Iterator[tuple[Subject, Subject]]:
    """Run a server, and the router in front of it on a processor of its own."""
    with apart() as own, running("bare") as server:
        upstream = f"http://127.0.0.1:{server.port}/mcp"
        with running("keyed", upstream, *KEPT) as router:
            own(router.process.pid)
            yield server, router


def _cases(router: Subject, requests: int) -> Sequence[_Case]:
    router.round(requests, "keyed")
    kinds = (("relay", "relay", "said"), ("hit", "hit", None))
    return [
        _Case(
            label=label,
            operation=operation,
            direct=direct,
            most=_saturation(router, requests, operation),
        )
        for label, operation, direct in kinds
    ]


def _saturation(router: Subject, requests: int, operation: str) -> float:
    """Return the most requests per second that are answered, over any number of connections."""
    return max(_rate(router.port, requests, operation, number) for number in _CONNECTIONS)


def _rate(port: int, requests: int, operation: str, connections: int) -> float:
    with prepared(port, requests, operation, connections) as load:
        began = time.perf_counter()
        load.put_on()
        return requests / (time.perf_counter() - began)


def _curves(
    router: Subject, cases: Sequence[_Case], seconds: float
) -> Mapping[str, Sequence[tuple[float, float]]]:
    curves: dict[str, list[tuple[float, float]]] = {}
    for case in cases:
        for share in _SHARES:
            found = latency(router.port, case.operation, case.most * share, seconds)
            curves.setdefault(f"{case.label}, median", []).append((share * 100, found.at(50)))
            curves.setdefault(f"{case.label}, 99 %", []).append((share * 100, found.at(99)))
    return curves


def _chart(curves: Mapping[str, Sequence[tuple[float, float]]]) -> Chart:
    return Chart(
        name="latency",
        title="Time of an answer as the router is loaded",
        x="% of the most that it can do",
        y="microseconds",
        curves=curves,
        log_y=True,
    )


def _table(cases: Sequence[_Case]) -> Table:
    columns = ("", "most, requests/s", "asked, requests/s", "server", "router", "added")
    return Table(
        title="Microseconds from when a request was due, at half of the most",
        columns=columns,
        rows=[row for case in cases for row in _rows(case)],
    )


def _rows(case: _Case) -> Sequence[Sequence[Cell]]:
    return [
        (
            f"{case.label}, {told}",
            round(case.most),
            round(case.most * _HALF),
            round(_median(case.behind, percentile)) if case.behind else "",
            round(_median(case.through, percentile)),
            round(case.added(percentile)),
        )
        for percentile, told in ((50, "median"), (90, "90 %"), (99, "99 %"))
    ]


def _median(found: Sequence[Latency], percentile: int) -> float:
    return statistics.median(one.at(percentile) for one in found)


def _limit(case: _Case) -> Limit:
    what = f"{case.label}: added to the 99th percentile, in what is added to the median"
    return Limit(what=what, value=case.ratio, most=MOST_OF_P50, unit="x")
