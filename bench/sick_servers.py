"""What sick servers cost their healthy neighbour's clients: with and without, round by round."""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import product

from bench.processes import Subject, running

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
        before = subject.cpu()
        done = subprocess.run(
            [
                *(sys.executable, "-m", "bench.load", str(subject.port), str(requests)),
                *(str(CONNECTIONS), operation),
            ],
            check=True,
            capture_output=True,
            text=True,
        )
        self.cpu.append((subject.cpu() - before) / requests * 1e6)
        median, longest = map(float, done.stdout.split())
        self.median.append(median)
        self.longest.append(longest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One operation with and without sick servers beside."""

    healthy: Series = field(default_factory=Series)
    beside: Series = field(default_factory=Series)

    @property
    def cpu_ratio(self) -> float:
        return _ratio(self.beside.cpu, self.healthy.cpu)

    @property
    def time_ratio(self) -> float:
        return _ratio(self.beside.median, self.healthy.median)

    @property
    def holds(self) -> bool:
        within = max(self.cpu_ratio, self.time_ratio) <= MOST
        return within and max(self.beside.longest) <= LONGEST_MS


def _ratio(these: Sequence[float], those: Sequence[float]) -> float:
    return statistics.median(a / b for a, b in zip(these, those, strict=True))


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
            turns = [(pair.healthy, healthy), (pair.beside, beside)]
            # Who comes second finds a warmer machine: they take turns at that, too.
            for series, subject in turns if number % 2 else reversed(turns):
                series.add(subject, operation, requests)
    return ready_s, pairs


def main() -> None:
    """Print the table; fail when the sick cost the healthy more than they may."""
    parser = argparse.ArgumentParser(prog="python -m bench.sick_servers", description=__doc__)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--requests", type=int, default=600)
    options = parser.parse_args()
    ready_s, pairs = measure(options.rounds, options.requests)
    print(f"{'':12}{'us of CPU':>12}{'beside':>10}{'ratio':>8}{'ms':>10}{'beside':>10}", end="")
    print(f"{'ratio':>8}{'longest ms':>12}")
    for operation, pair in pairs.items():
        print(
            f"{operation:12}{statistics.median(pair.healthy.cpu):12.0f}"
            f"{statistics.median(pair.beside.cpu):10.0f}{pair.cpu_ratio:8.2f}"
            f"{statistics.median(pair.healthy.median):10.2f}"
            f"{statistics.median(pair.beside.median):10.2f}{pair.time_ratio:8.2f}"
            f"{max(pair.beside.longest):12.1f}"
        )
    print(f"each ratio at most {MOST}, no answer longer than {LONGEST_MS:.0f} ms")
    print(f"ready after {ready_s:.1f} s (at most {READY_S:.0f})")
    if ready_s > READY_S or not all(pair.holds for pair in pairs.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
