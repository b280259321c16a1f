"""What tracing and metrics cost a read that is answered by what was kept, in bare handlers.

The same read of the same router in interleaved rounds: with both switched off
(`OTEL_SDK_DISABLED`), as it runs by default, sending to a collector as well, and to one that hangs.
"""

import argparse
import statistics
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from bench.processes import Subject, running
from trunkline_shared.testing.loopback import address, free_socket

MOST = 0.5
"""What both may cost together, in bare handlers."""
OFF, ON, SENT, HUNG = "switched off", "on", "on, and sent", "on, and the collector hangs"


def measure(rounds: int, requests: int) -> tuple[Subject, Mapping[str, Subject]]:
    """Return the bare handler, and the router under each of the conditions."""
    with ExitStack() as stack:
        bare = stack.enter_context(running("bare"))
        hung = stack.enter_context(free_socket())
        upstream = f"http://127.0.0.1:{bare.port}/mcp"
        conditions = {
            OFF: {"OTEL_SDK_DISABLED": "true"},
            ON: {},
            SENT: {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{bare.port}"},
            HUNG: {"OTEL_EXPORTER_OTLP_ENDPOINT": address(hung)},
        }
        routers = {
            name: stack.enter_context(running("keyed", upstream, variables=variables))
            for name, variables in conditions.items()
        }
        for router in routers.values():
            router.round(8, "keyed")
        plan = [(bare, "keyed"), *((router, "hit") for router in routers.values())]
        for subject, operation in plan:
            subject.round(requests, operation)
            subject.costs.clear()
        for _ in range(rounds):
            for subject, operation in plan:
                subject.round(requests, operation)
    return bare, routers


def added(costs: Sequence[float], off: Sequence[float], bare: Sequence[float]) -> float:
    """Return what a condition adds, in bare handlers: the median over the rounds."""
    return statistics.median((c - o) / b for c, o, b in zip(costs, off, bare, strict=True))


def main() -> None:
    """Print the table; fail when seeing costs more than it may."""
    parser = argparse.ArgumentParser(prog="python -m bench.seeing", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--requests", type=int, default=4000)
    options = parser.parse_args()
    bare, routers = measure(options.rounds, options.requests)
    print(f"{'':45}{'us of CPU':>12}{'min':>8}{'max':>8}{'added, in bare':>16}")
    off, worst = routers[OFF].costs, 0.0
    for label, subject in (("bare aiohttp handler", bare), *routers.items()):
        name = label if subject is bare else f"router, hit, tracing and metrics {label}"
        cost = statistics.median(subject.costs)
        more = 0.0 if subject is bare else added(subject.costs, off, bare.costs)
        print(
            f"{name:45}{cost:12.0f}{min(subject.costs):8.0f}{max(subject.costs):8.0f}{more:16.2f}"
        )
        worst = more if label == ON else worst
    print(f"added by tracing and metrics: {worst:.2f} bare handlers (at most {MOST})")
    if worst > MOST:
        sys.exit(1)


if __name__ == "__main__":
    main()
