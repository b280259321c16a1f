"""What sick servers cost their healthy neighbour's clients: with and without, round by round."""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import product

from bench.findings import Cell, Findings, Limit, Table
from bench.processes import Subject, prepared, ratio_of, running
from bench.rounds import say

MEASURED = ("call", "list", "discover", "initialize")
CONNECTIONS = 4
MOST = 1.2
"""What a request may cost beside sick servers, in the same without them."""
LONGEST_MS = 1000.0
"""How long any answer may take: who waits for one of the sick servers takes longer."""
READY_S = 6.0


@dataclass(slots=True, kw_only=True)
class Series:
    """One operation at one router; microseconds of CPU and milliseconds, one value a round."""

    cpu: list[float] = field(default_factory=list)
    median: list[float] = field(default_factory=list)
    longest: list[float] = field(default_factory=list)

    def add(self, subject: Subject, operation: str, requests: int) -> None:
        with prepared(subject.port, requests, operation, CONNECTIONS) as load:
            before = subject.cpu()
            median, longest = load.put_on()
            self.cpu.append((subject.cpu() - before) / requests * 1e6)
        self.median.append(median)
        self.longest.append(longest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One operation with and without sick servers beside."""

    healthy: Series = field(default_factory=Series)
    beside: Series = field(default_factory=Series)

    @property
    def cpu_ratio(self) -> float:
        return ratio_of(self.beside.cpu, self.healthy.cpu)

    @property
    def time_ratio(self) -> float:
        return ratio_of(self.beside.median, self.healthy.median)

    def row(self, operation: str) -> Sequence[Cell]:
        return (
            operation,
            round(statistics.median(self.healthy.cpu)),
            round(statistics.median(self.beside.cpu)),
            round(self.cpu_ratio, 2),
            round(statistics.median(self.healthy.median), 2),
            round(statistics.median(self.beside.median), 2),
            round(self.time_ratio, 2),
            round(max(self.beside.longest), 1),
        )

    def limits(self, operation: str) -> Iterator[Limit]:
        yield Limit(what=f"{operation}, CPU", value=self.cpu_ratio, most=MOST, unit="x")
        yield Limit(what=f"{operation}, time", value=self.time_ratio, most=MOST, unit="x")
        longest = max(self.beside.longest)
        yield Limit(what=f"{operation}, longest", value=longest, most=LONGEST_MS, unit="ms")


@contextmanager
def sick() -> Iterator[Sequence[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.sick"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()
    finally:
        process.terminate()
        process.communicate()


def measure(rounds: int, requests: int) -> tuple[float, Mapping[str, Pair]]:
    """Return the seconds until the router beside the sick was ready, and what was measured."""
    pairs = {operation: Pair() for operation in MEASURED}
    with ExitStack() as stack:
        urls = stack.enter_context(sick())
        bare = stack.enter_context(running("bare"))
        upstream = f"http://127.0.0.1:{bare.port}/mcp"
        healthy = stack.enter_context(running("router", upstream))
        began = time.monotonic()
        beside = stack.enter_context(running("router", upstream, *urls))
        ready_s = time.monotonic() - began
        for subject in (healthy, beside):
            subject.round(requests)
        for number, (operation, pair) in product(range(rounds), pairs.items()):
            say(f"round {number + 1} of {rounds}, {operation}")
            turns = [(pair.healthy, healthy), (pair.beside, beside)]
            # Who comes second finds a warmer machine: they take turns at that, too.
            for series, subject in turns if number % 2 else reversed(turns):
                series.add(subject, operation, requests)
    return ready_s, pairs


def findings(quick: bool) -> Findings:  # noqa: FBT001 - a part's form
    """Measure a router with sick servers behind it, beside one without."""
    ready_s, pairs = measure(*((1, 40) if quick else (12, 600)))
    limits = [limit for name, pair in pairs.items() for limit in pair.limits(name)]
    ready = Limit(what="ready beside sick servers", value=ready_s, most=READY_S, unit="s")
    return Findings(
        title="Beside sick servers",
        about=(
            "Behind one router a healthy server alone, behind the other one the same and several"
            " that are ill: one refuses, one never answers, one answers slowly or nonsense."
        ),
        tables=[
            Table(
                title="Microseconds of CPU and milliseconds per request, without and beside",
                columns=(
                    *("", "CPU", "CPU beside", "ratio"),
                    *("time", "time beside", "ratio", "longest"),
                ),
                rows=[pair.row(name) for name, pair in pairs.items()],
                note=f"The router beside them was ready after {ready_s:.1f} s.",
            )
        ],
        limits=[*limits, ready],
    )
