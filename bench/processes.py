"""Processes under measurement, and what their rounds cost."""

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType

from bench.cpu import cpu_of
from bench.readiness import until_listening

CONNECTIONS = 8
READY_S = 180.0
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(slots=True, kw_only=True)
class Subject:
    """A running process and what its rounds cost, in microseconds of CPU per request."""

    name: str
    process: "subprocess.Popen[str]"
    port: int
    costs: list[float] = field(default_factory=list)

    def cpu(self) -> float:
        """Seconds of user and system time so far, of the process and all that it has started."""
        return cpu_of(self.process.pid)

    def round(self, requests: int, operation: str = "call") -> None:
        with prepared(self.port, requests, operation) as load:
            before = self.cpu()
            load.put_on()
            self.costs.append((self.cpu() - before) / requests * 1e6)


@dataclass(frozen=True, slots=True)
class Load:
    """A load that has opened its connections, and waits to be put on."""

    process: "subprocess.Popen[str]"

    def put_on(self) -> tuple[float, float]:
        """Return the median and the longest time of an answer; milliseconds.

        Raises RuntimeError when an answer was not the right one: the load has said which.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        told = self.process.stdout.readline()
        if not told:
            raise RuntimeError("the load has failed")
        median, longest = map(float, told.split())
        return median, longest


@contextmanager
def prepared(
    port: int, requests: int, operation: str = "call", connections: int = CONNECTIONS
) -> Iterator[Load]:
    """Prepare a load in a process of its own, whose connections close with the block."""
    numbers = map(str, (port, requests, connections))
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.load", *numbers, operation],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise RuntimeError("the load could not begin")
        yield Load(process)
    finally:
        process.communicate()


@contextmanager
def running(
    name: str, *arguments: str, variables: Mapping[str, str] = _NOTHING
) -> Iterator[Subject]:
    """Run a subject of `bench.subjects` for the length of the block."""
    command = [sys.executable, "-m", "bench.subjects", name, *arguments]
    with _started(command, variables, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield Subject(name=name, process=process, port=int(process.stdout.readline()))


@contextmanager
def listening(
    name: str, command: Sequence[str], port: int, variables: Mapping[str, str] = _NOTHING
) -> Iterator[Subject]:
    """Run any program that listens on `port`, for the length of the block, in silence.

    Raises TimeoutError when nobody listens there within `READY_S`, RuntimeError when it ends.
    """
    quiet = subprocess.DEVNULL
    with _started(command, variables, stdout=quiet, stderr=quiet) as process:
        until_listening(port, READY_S, lambda: process.poll() is None)
        yield Subject(name=name, process=process, port=port)


@contextmanager
def _started(
    command: Sequence[str], variables: Mapping[str, str], *, stdout: int, stderr: int | None = None
) -> Iterator["subprocess.Popen[str]"]:
    with tempfile.TemporaryDirectory() as folder:
        # What one has learnt of its servers is nothing to the next.
        own = {"TRUNKLINE_STATE_DIR": folder, **variables}
        given = [f"{name}={value}" for name, value in own.items()]
        process = subprocess.Popen(
            ["/usr/bin/env", *given, *command],
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=stderr,
            text=True,
        )
        try:
            yield process
        finally:
            process.terminate()
            process.communicate()


def ratio_of(costs: Sequence[float], floor: Sequence[float]) -> float:
    """Return the median of the ratios, round by round: both met the same machine in each."""
    return statistics.median(ours / bare for ours, bare in zip(costs, floor, strict=True))
