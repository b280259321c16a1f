"""What tracing and metrics cost a read that is answered by what was kept, in bare handlers."""

import statistics
from collections.abc import Sequence
from contextlib import ExitStack

from bench.answers import KEPT
from bench.findings import Findings, Limit, Table
from bench.processes import running
from bench.rounds import Case, interleave, spread
from trunkline_shared.testing.loopback import address, free_socket

MOST = 0.5
"""What both may cost together, in bare handlers."""
OFF, ON, SENT, HUNG = "switched off", "on", "on, and sent", "on, and the collector hangs"


def findings(quick: bool) -> Findings:  # noqa: FBT001 - a part's form
    """Measure the bare handler, and the router under each of the conditions."""
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
        floor = Case(label="bare aiohttp handler", subject=bare, operation="keyed")
        routers = {
            name: Case(
                label=f"router, hit, tracing and metrics {name}",
                subject=stack.enter_context(running("keyed", upstream, *KEPT, variables=variables)),
                operation="hit",
            )
            for name, variables in conditions.items()
        }
        for router in routers.values():
            router.subject.round(8, "keyed")
        interleave([floor, *routers.values()], *((1, 240) if quick else (7, 2400)))
    off = routers[OFF].costs
    more = {name: added(one.costs, off, floor.costs) for name, one in routers.items()}
    return Findings(
        title="What it costs to be seen",
        about=(
            "The same read of the same router: with traces and metrics switched off"
            " (`OTEL_SDK_DISABLED`), as it runs by default, sending to a collector as well, and to"
            " one that hangs."
        ),
        tables=[
            Table(
                title="Microseconds of CPU per request",
                columns=("", "median", "least", "most", "added, in bare handlers"),
                rows=[
                    (floor.label, *spread(floor.costs), ""),
                    *(
                        (one.label, *spread(one.costs), round(more[name], 2))
                        for name, one in routers.items()
                    ),
                ],
            )
        ],
        limits=[
            Limit(
                what="added by tracing and metrics",
                value=more[ON],
                most=MOST,
                unit="bare handlers",
            )
        ],
    )


def added(costs: Sequence[float], off: Sequence[float], bare: Sequence[float]) -> float:
    """Return what a condition adds, in bare handlers: the median over the rounds."""
    return statistics.median((c - o) / b for c, o, b in zip(costs, off, bare, strict=True))
