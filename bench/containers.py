"""The programs of the containers, each on one processor as in a small container."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from http.client import OK, HTTPConnection
from os import sched_getaffinity

from bench.cpu import cpu_of
from bench.pss import pss_of
from bench.readiness import free_port

_READY_S = 60.0
_PAUSE_S = 0.01
_PROCESSOR = str(min(sched_getaffinity(0)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A running program and what its start took; seconds."""

    process: "subprocess.Popen[bytes]"
    port: int
    wall_s: float
    start_cpu_s: float

    def cpu_s(self) -> float:
        return cpu_of(self.process.pid)

    def memory_mb(self) -> float:
        """What it holds by itself: shared pages of files are nobody's in particular."""
        return pss_of(self.process.pid) / 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A container's program, and the variable that its port is told by."""

    container: str
    module: str
    variable: str


def often(stack: ExitStack, kind: Kind, variables: Mapping[str, str], starts: int) -> Program:
    """Start a container's program some times; the last one runs on, with the medians of all."""

    def start() -> AbstractContextManager[Program]:
        port = free_port()
        given = {**variables, kind.variable: str(port)}
        return started(kind.module, port=port, ready="/readyz", **given)

    measured = []
    for _ in range(starts - 1):
        with start() as program:
            measured.append(program)
    last = stack.enter_context(start())
    measured.append(last)
    return replace(
        last,
        wall_s=statistics.median(one.wall_s for one in measured),
        start_cpu_s=statistics.median(one.start_cpu_s for one in measured),
    )


@contextmanager
def started(*words: str, port: int, ready: str, **variables: str) -> Iterator[Program]:
    """Run `python -m WORDS...` for the length of the block, which begins when it is ready."""
    began = time.monotonic()
    process = subprocess.Popen(
        ["/usr/bin/env", "taskset", "-c", _PROCESSOR, sys.executable, "-m", *words],
        env={"PATH": "/usr/bin:/bin", "HOME": tempfile.gettempdir(), **variables},
        stderr=subprocess.DEVNULL,
    )
    try:
        while not _is_ready(port, ready):
            if time.monotonic() - began > _READY_S or process.poll() is not None:
                raise RuntimeError(f"{' '.join(words)} does not become ready")
            time.sleep(_PAUSE_S)
        took = time.monotonic() - began
        cpu_s = cpu_of(process.pid)
        yield Program(process=process, port=port, wall_s=took, start_cpu_s=cpu_s)
    finally:
        process.terminate()
        process.wait()


def _is_ready(port: int, path: str) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == OK
    except OSError:
        return False
    finally:
        connection.close()
