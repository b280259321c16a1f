"""What a relayed call costs beside a bare hop, by the size of the answer."""

from contextlib import ExitStack

from bench import limits
from bench.findings import Findings, Limit
from bench.processes import running
from bench.rounds import Case, interleave, table

LARGE_SHARE = 10
"""A round of large answers has so many times fewer requests."""


def findings(quick: bool) -> Findings:  # noqa: FBT001 - a part's form
    """Measure the bare handler, the hop before it and the router before it."""
    with ExitStack() as stack:
        bare = stack.enter_context(running("bare"))
        upstream = f"http://127.0.0.1:{bare.port}/mcp"
        hop = stack.enter_context(running("hop", upstream))
        router = stack.enter_context(running("keyed", upstream))
        floor = Case(label="bare aiohttp handler", subject=bare, operation="said")
        small = (
            Case(label="bare aiohttp hop", subject=hop, operation="said"),
            Case(label="router, relayed and traced", subject=router, operation="relay"),
        )
        large = tuple(
            Case(
                label=f"{one.label}, 1 MB",
                subject=one.subject,
                operation="relay-large",
                share=LARGE_SHARE,
            )
            for one in small
        )
        interleave([floor, *small, *large], *((1, 240) if quick else (7, 2400)))
    pairs = (
        (floor, small[0]),
        *((one, small[0]) for one in small),
        *((one, large[0]) for one in large),
    )
    return Findings(
        title="A relayed call, small and large",
        about="A read that nothing is kept of, by a caller's key; a hop is a bare aiohttp proxy.",
        tables=[table(pairs, "in bare hops")],
        limits=[
            Limit(
                what="router, relayed and traced, in bare aiohttp hop",
                value=small[1].ratio(small[0]),
                most=limits.RELAY,
                unit="x",
            )
        ],
    )
