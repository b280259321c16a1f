"""CPU per request of the router beside a bare handler and a bare hop, in interleaved rounds."""

import argparse
import statistics
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from bench.processes import Subject, running

MOST = 1.8
"""What a relayed, traced call may cost, in bare hops."""


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
