"""The load of clients that do not wait for each other: requests at times that are fixed before.

A program: it prints the percentiles of how long answers took, in microseconds, as JSON. Each
counts from the moment when its request was due, not from when it could be sent: so one slow answer
counts for all that had to wait for it (coordinated omission).
"""

import socket
import statistics
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from select import select

import orjson

from bench.load import header_of
from bench.operations import OPERATIONS

CONNECTIONS = 64
_ANSWER_S = 30.0
_WARM_SHARE = 10


@dataclass(frozen=True, slots=True)
class Latency:
    """What answers took, in microseconds: the percentiles from 1 to 99, and the longest time."""

    percentiles: Sequence[float]
    longest: float

    def at(self, percentile: int) -> float:
        return self.percentiles[percentile - 1]


def latency(port: int, operation: str, per_s: float, seconds: float) -> Latency:
    """Put that load on, from a process of its own. Raises CalledProcessError when it fails."""
    numbers = (str(port), str(per_s), str(seconds))
    command = [sys.executable, "-m", "bench.open_load", *numbers, operation]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return Latency(**orjson.loads(done.stdout))


@dataclass(slots=True, eq=False)
class _Wire:
    """A connection, and since when its request was due; perf_counter's seconds."""

    way: socket.socket
    due: float = 0.0
    told: bytearray = field(default_factory=bytearray)

    def fileno(self) -> int:
        return self.way.fileno()

    def answered(self, expected: bytes) -> bool:
        """Read what is there, and say whether that is the whole answer."""
        self.told += self.way.recv(2**20)
        head, end, body = self.told.partition(b"\r\n\r\n")
        if not end or len(body) < int(header_of(bytes(head), "content-length")):
            return False
        if expected not in body:
            raise RuntimeError(f"unexpected answer: {bytes(self.told[:1000])!r}")
        self.told.clear()
        return True


def put_on(port: int, operation: str, per_s: float, seconds: float) -> list[float]:
    """Return what each answer took, in seconds, but those of the first tenth."""
    asked = OPERATIONS[operation]
    request, expected = asked.to_bytes(port), asked.expected.encode()
    free = deque(_Wire(_connected(port)) for _ in range(CONNECTIONS))
    busy: set[_Wire] = set()
    began = time.perf_counter()
    times = iter([began + number / per_s for number in range(int(per_s * seconds))])
    due, took = next(times, None), list[float]()
    while due is not None or busy:
        now = time.perf_counter()
        while due is not None and due <= now and free:
            wire = free.popleft()
            wire.due = due
            wire.way.sendall(request)
            busy.add(wire)
            due = next(times, None)
        for wire in _readable(busy, None if due is None or not free else due):
            if wire.answered(expected):
                took.append(time.perf_counter() - wire.due)
                busy.discard(wire)
                free.append(wire)
    return took[len(took) // _WARM_SHARE :]


def _readable(busy: set[_Wire], until: float | None) -> list[_Wire]:
    # select's own resolution are microseconds; epoll's, which event loops use, milliseconds.
    wait_s = _ANSWER_S if until is None else max(until - time.perf_counter(), 0.0)
    readable, _, _ = select(busy, (), (), wait_s)
    if not readable and until is None:
        raise TimeoutError(f"no answer within {_ANSWER_S:.0f} s")
    return readable


def _connected(port: int) -> socket.socket:
    way = socket.create_connection(("127.0.0.1", port))
    way.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return way


def main() -> None:
    """Run what the arguments say: port, requests per second, seconds, the operation's name."""
    port, per_s, seconds, operation = sys.argv[1:]
    took = put_on(int(port), operation, float(per_s), float(seconds))
    microseconds = [one * 1e6 for one in took]
    percentiles = statistics.quantiles(microseconds, n=100, method="inclusive")
    told = Latency(percentiles=percentiles, longest=max(microseconds))
    sys.stdout.buffer.write(orjson.dumps(told))


if __name__ == "__main__":
    main()
