"""Processes under measurement, and what their rounds cost."""

import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType

CONNECTIONS = 8


@dataclass(slots=True, kw_only=True)
class Subject:
    """A running process and what its rounds cost, in microseconds of CPU per request."""

    name: str
    process: "subprocess.Popen[str]"
    port: int
    costs: list[float] = field(default_factory=list)

    def cpu(self) -> float:
        """Seconds of user and system time so far."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def round(self, requests: int, operation: str = "call") -> None:
        before = self.cpu()
        numbers = map(str, (self.port, requests, CONNECTIONS))
        subprocess.run(
            [sys.executable, "-m", "bench.load", *numbers, operation],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        self.costs.append((self.cpu() - before) / requests * 1e6)


@contextmanager
def running(
    name: str, *arguments: str, variables: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Subject]:
    """Run a subject of `bench.subjects` for the length of the block."""
    given = [f"{name}={value}" for name, value in variables.items()]
    process = subprocess.Popen(
        ["/usr/bin/env", *given, sys.executable, "-m", "bench.subjects", name, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield Subject(name=name, process=process, port=int(process.stdout.readline()))
    finally:
        process.terminate()
        process.communicate()


def ratio_of(costs: Sequence[float], floor: Sequence[float]) -> float:
    """Return the median of the ratios, round by round: both met the same machine in each."""
    return statistics.median(ours / bare for ours, bare in zip(costs, floor, strict=True))
