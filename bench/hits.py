"""What a read costs that is answered by what was kept, by the size of the answer."""

from contextlib import ExitStack

from bench import limits
from bench.answers import KEPT
from bench.findings import Findings, Limit
from bench.processes import running
from bench.rounds import Case, interleave, table

LARGE_SHARE = 10
"""A round of large answers has so many times fewer requests."""


def findings(quick: bool) -> Findings:  # noqa: FBT001 - a part's form
    """Measure the bare handler and the router, with small answers and with large ones."""
    with ExitStack() as stack:
        bare = stack.enter_context(running("bare"))
        router = stack.enter_context(running("keyed", f"http://127.0.0.1:{bare.port}/mcp", *KEPT))
        small = (
            Case(label="bare aiohttp handler", subject=bare, operation="keyed"),
            Case(label="router, hit", subject=router, operation="hit"),
        )
        large = tuple(
            Case(
                label=f"{one.label}, 1 MB",
                subject=one.subject,
                operation=f"{one.operation}-large",
                share=LARGE_SHARE,
            )
            for one in small
        )
        for operation in ("keyed", "keyed-large"):
            router.round(8, operation)
        interleave([*small, *large], *((1, 240) if quick else (7, 2400)))
    pairs = ((small[0], small[0]), (small[1], small[0]), (large[0], large[0]), (large[1], large[0]))
    return Findings(
        title="A hit, small and large",
        about=(
            "The whole way: a key is shown, the call is traced, its generations are read. Each"
            " answer beside a bare aiohttp handler that answers the same."
        ),
        tables=[table(pairs, "in bare handlers")],
        limits=[
            Limit(
                what="router, hit, in bare aiohttp handler",
                value=small[1].ratio(small[0]),
                most=limits.HIT,
                unit="x",
            )
        ],
    )
