"""CPU per request of the router beside a bare handler and a bare hop, in interleaved rounds."""

import argparse
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType

CONNECTIONS = 8
MOST = 1.8
"""What a relayed, traced call may cost, in bare hops."""


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


def measure(rounds: int, requests: int) -> Sequence[Subject]:
    """Run all subjects in turn, round by round, so that they meet the same machine."""
    with ExitStack() as stack:
        bare = stack.enter_context(running("bare"))
        upstream = f"http://127.0.0.1:{bare.port}/mcp"
        subjects = [bare, *(stack.enter_context(running(n, upstream)) for n in ("hop", "router"))]
        for subject in subjects:
            subject.round(requests)
            subject.costs.clear()
        for _ in range(rounds):
            for subject in subjects:
                subject.round(requests)
    return subjects


def main() -> None:
    """Print the table; fail when the router costs more than it may."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--requests", type=int, default=2400)
    options = parser.parse_args()
    bare, hop, router = measure(options.rounds, options.requests)
    hop_cost = statistics.median(hop.costs)
    print(f"{'':30}{'us of CPU':>16}{'min':>8}{'max':>8}{'hops':>8}")
    for subject, label in (
        (bare, "bare aiohttp handler"),
        (hop, "bare aiohttp hop"),
        (router, "router, relayed and traced"),
    ):
        cost = statistics.median(subject.costs)
        print(
            f"{label:30}{cost:16.0f}{min(subject.costs):8.0f}{max(subject.costs):8.0f}"
            f"{cost / hop_cost:8.2f}"
        )
    pairs = zip(router.costs, hop.costs, strict=True)
    ratio = statistics.median(r / h for r, h in pairs)
    print(f"router / hop, median of the rounds: {ratio:.2f} (at most {MOST})")
    if ratio > MOST:
        sys.exit(1)


if __name__ == "__main__":
    main()
