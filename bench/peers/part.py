"""The router beside gateways that others have made, on one upstream and under one load."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench import limits
from bench.answers import KEPT
from bench.findings import Bars, Findings, Limit, Table
from bench.peers import contextforge, envoy, fastmcp, litellm
from bench.peers.peer import Peer
from bench.processes import Subject, running
from bench.rounds import Case, interleave, say, spread

Opening = Callable[[Path, int, ExitStack], Sequence[Peer]]
OPENINGS: Mapping[str, Opening] = {
    "envoy": envoy.opened,
    "fastmcp": fastmcp.opened,
    "contextforge": contextforge.opened,
    "litellm": litellm.opened,
}
ABOUT = (
    "One tool's call, the same upstream and the same load for all, interleaved round by round:"
    " CPU of the gateway's own process and its children per call. Ours is traced and asks who"
    " calls; each peer is as its documentation starts it, at its quietest. A peer that needs a"
    " session gets one, opened before the round. The peers are Envoy in C++, the others in"
    " Python."
)


@dataclass(slots=True, kw_only=True)
class _Field:
    """Who is measured: the floor, ours, and the peers that are there."""

    hop: Case
    relay: Case
    hit: Case
    peers: Sequence[tuple[Peer, Case]]
    left_out: list[str] = field(default_factory=list)

    @property
    def cases(self) -> Sequence[Case]:
        return [self.hop, self.relay, self.hit, *(case for _, case in self.peers)]


def findings(quick: bool, *, folder: Path) -> Findings:  # noqa: FBT001 - a part's form
    """Measure those that are installed in `folder`."""
    with ExitStack() as stack:
        measured = _field(stack, folder)
        interleave(measured.cases, *((2, 640) if quick else (5, 2400)))
    return Findings(
        title="Beside its peers",
        about=ABOUT,
        tables=[_table(measured)],
        charts=[
            Bars(
                name="peers",
                title="CPU per call",
                x="microseconds, each line ten times the one before",
                lengths={case.label: case.cost for case in measured.cases},
                ours=[measured.relay.label, measured.hit.label],
                log_x=True,
            )
        ],
        limits=list(_limits(measured)),
        left_out=measured.left_out,
    )


def _field(stack: ExitStack, folder: Path) -> _Field:
    bare = stack.enter_context(running("bare"))
    upstream = f"http://127.0.0.1:{bare.port}/mcp"
    hop = stack.enter_context(running("hop", upstream))
    router = stack.enter_context(running("keyed", upstream, *KEPT))
    router.round(8, "keyed")
    left_out: list[str] = []
    peers = list(_opened(stack, folder, bare, left_out))
    return _Field(
        hop=Case(label="bare aiohttp hop", subject=hop, operation="call"),
        relay=Case(label="Trunkline, relay, traced", subject=router, operation="relay"),
        hit=Case(label="Trunkline, hit, traced", subject=router, operation="hit"),
        peers=[(peer, peer.case()) for peer in peers],
        left_out=left_out,
    )


def _opened(stack: ExitStack, folder: Path, bare: Subject, left_out: list[str]) -> Iterator[Peer]:
    for name, opening in OPENINGS.items():
        programs = folder / name / "bin"
        if not programs.is_dir():
            left_out.append(f"{name}: it is not installed (`python -m bench.peers.install`)")
            continue
        say(f"starting {name}")
        try:
            yield from opening(programs, bare.port, stack)
        except (OSError, RuntimeError) as error:
            left_out.append(f"{name}: it does not start here ({error})")


def _table(measured: _Field) -> Table:
    return Table(
        title="Microseconds of CPU per call",
        columns=("", "median", "least", "most", "in our relays", "in our hits"),
        rows=[
            (
                case.label,
                *spread(case.costs),
                round(case.ratio(measured.relay), 2),
                round(case.ratio(measured.hit), 2),
            )
            for case in measured.cases
        ],
    )


def _limits(measured: _Field) -> Iterator[Limit]:
    for peer, case in measured.peers:
        if not peer.python:
            what = f"a traced hit, in calls of {peer.label}"
            yield Limit(what=what, value=measured.hit.ratio(case), most=limits.ENVOY, unit="x")
    relaying = [case for peer, case in measured.peers if peer.python and peer.relays]
    if relaying:
        best = min(relaying, key=lambda case: case.cost)
        what = f"a traced relay, in calls of {best.label}, the best in Python"
        yield Limit(what=what, value=measured.relay.ratio(best), most=limits.PYTHON, unit="x")
