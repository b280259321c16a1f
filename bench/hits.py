"""CPU of a read that is answered by what was kept, beside a bare handler, in interleaved rounds.

The whole way: a key is shown, the call is traced, its generations are read. With a Redis in
`TRUNKLINE_REDIS_URL` they are read from there at each call, as several routers do that share it.
"""

import argparse
import statistics
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from bench.processes import Subject, running
from trunkline_shared.store.settings import StoreSettings

MOST, MOST_THROUGH_REDIS = 2.5, 6.0
"""What a hit may cost, in bare handlers."""
LARGE_SHARE = 10
"""A round of large answers has so many times fewer requests."""


def measure(rounds: int, requests: int) -> tuple[Sequence[Subject], Sequence[Subject]]:
    """Return the bare handler and the router, with small answers and with large ones."""
    with ExitStack() as stack:
        bare = stack.enter_context(running("bare"))
        router = stack.enter_context(running("keyed", f"http://127.0.0.1:{bare.port}/mcp"))
        large = tuple(
            Subject(name=one.name, process=one.process, port=one.port) for one in (bare, router)
        )
        plan = [
            (bare, "keyed", requests),
            (router, "hit", requests),
            (large[0], "keyed-large", requests // LARGE_SHARE),
            (large[1], "hit-large", requests // LARGE_SHARE),
        ]
        for operation in ("keyed", "keyed-large"):
            router.round(8, operation)
        for subject, operation, count in plan:
            subject.round(count, operation)
            subject.costs.clear()
        for _ in range(rounds):
            for subject, operation, count in plan:
                subject.round(count, operation)
    return (bare, router), large


def ratio_of(bare: Subject, router: Subject) -> float:
    return statistics.median(r / b for r, b in zip(router.costs, bare.costs, strict=True))


def main() -> None:
    """Print the table; fail when a hit costs more than it may."""
    parser = argparse.ArgumentParser(prog="python -m bench.hits", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--requests", type=int, default=4000)
    options = parser.parse_args()
    most = MOST_THROUGH_REDIS if StoreSettings().redis_url else MOST
    small, large = measure(options.rounds, options.requests)
    print(f"{'':30}{'us of CPU':>16}{'min':>8}{'max':>8}")
    for subjects, size in ((small, ""), (large, ", 1 MB")):
        for subject, label in zip(subjects, ("bare aiohttp handler", "router, hit"), strict=True):
            cost = statistics.median(subject.costs)
            print(
                f"{label + size:30}{cost:16.0f}{min(subject.costs):8.0f}{max(subject.costs):8.0f}"
            )
    ratio = ratio_of(*small)
    print(f"hit / bare, median of the rounds: {ratio:.2f} (at most {most})")
    print(f"hit / bare, 1 MB, median of the rounds: {ratio_of(*large):.2f}")
    if ratio > most:
        sys.exit(1)


if __name__ == "__main__":
    main()
