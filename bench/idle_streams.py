"""What ten thousand clients cost that keep a legacy event stream open and ask for nothing."""

import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from bench.answers import KEPT
from bench.findings import Findings, Limit, Table
from bench.idle_clients import standing
from bench.open_files import raise_limit
from bench.open_load import Latency, latency
from bench.processes import Subject, running
from bench.pss import pss_of
from bench.rounds import say, spread

CLIENTS, FEW = 10_000, 1_000
MOST_BYTES = 20_000
MOST_OF_A_CALL = 1.1
_FILES_BESIDES = 500
_PER_S = 400.0
_SETTLE_S = 1.0
_KINDS = {
    "sse": "HTTP+SSE of 2024-11-05",
    "streamable": "Streamable HTTP with a stream by GET",
}
_ABOUT = (
    "Clients of older revisions that have opened a session and its event stream, and then ask for"
    " nothing, as an editor's window does overnight. Memory is what the router's proportional set"
    " size grows by, shared out among them. What calls of others cost, and how long they take, is"
    " measured over a whole round of signs of life, before the streams are there and beside them."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What others' relayed calls met: microseconds of CPU, by round, and of time."""

    costs: Sequence[float]
    took: Latency


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood:
    """What clients of one kind cost; bytes each, and the share of a processor for all of them."""

    kind: str
    each: float
    opening_us: float
    idle: float
    left: int
    without: Beside
    beside: Beside

    @property
    def ratio(self) -> float:
        return statistics.median(self.beside.costs) / statistics.median(self.without.costs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many clients, how many rounds of how many calls, and seconds of calls at their times."""

    clients: int
    rounds: int
    requests: int
    seconds: float


def findings(quick: bool) -> Findings:  # noqa: FBT001 - a part's form
    """Measure both kinds of streams."""
    wanted = FEW if quick else CLIENTS
    files = raise_limit()
    clients = min(wanted, files - _FILES_BESIDES)
    rounds, requests, seconds = (1, 160, 0.5) if quick else (7, 1600, 16.0)
    plan = Plan(clients=clients, rounds=rounds, requests=requests, seconds=seconds)
    stood = [_stood(kind, plan) for kind in _KINDS]
    fewer = f"{wanted} clients: a process may open {files} files here, so {clients} were measured"
    return Findings(
        title="Idle streams",
        about=_ABOUT,
        tables=[_table(stood, clients)],
        limits=[limit for one in stood for limit in _limits(one)],
        left_out=[fewer] if clients < wanted else [],
    )


def _stood(kind: str, plan: Plan) -> Stood:
    with _router() as router, standing(router.port, FEW // 10, kind):
        without = _others(router, plan)
        before, cpu = pss_of(router.process.pid), router.cpu()
        with standing(router.port, plan.clients, kind) as crowd:
            opening = (router.cpu() - cpu) / plan.clients
            time.sleep(_SETTLE_S)
            each = (pss_of(router.process.pid) - before) / plan.clients
            beside = _others(router, plan)
            idle = _idle(router, plan.seconds)
    say(f"{plan.clients} clients, {_KINDS[kind]}")
    return Stood(
        kind=kind,
        each=each,
        opening_us=opening * 1e6,
        idle=idle,
        left=crowd.left,
        without=without,
        beside=beside,
    )


@contextmanager
def _router() -> Iterator[Subject]:
    with running("bare") as server:
        upstream = f"http://127.0.0.1:{server.port}/mcp"
        with running("keyed", upstream, *KEPT) as router:
            yield router


def _others(router: Subject, plan: Plan) -> Beside:
    router.costs.clear()
    for _ in range(plan.rounds + 1):
        router.round(plan.requests, "relay")
    took = latency(router.port, "relay", _PER_S, plan.seconds)
    return Beside(costs=router.costs[1:], took=took)


def _idle(router: Subject, seconds: float) -> float:
    before = router.cpu()
    time.sleep(seconds)
    return (router.cpu() - before) / seconds


def _table(stood: Sequence[Stood], clients: int) -> Table:
    return Table(
        title=f"{clients} idle clients, and the calls of others beside them",
        columns=("", *(_KINDS[one.kind] for one in stood)),
        rows=[
            ("memory of each, kB", *(round(one.each / 1000, 1) for one in stood)),
            ("CPU of opening one, microseconds", *(round(one.opening_us) for one in stood)),
            ("share of a processor for all", *(f"{one.idle:.1%}" for one in stood)),
            ("streams that did not last", *(one.left for one in stood)),
            ("CPU of a call before, microseconds", *(_cost(one.without) for one in stood)),
            ("CPU of a call beside them", *(_cost(one.beside) for one in stood)),
            ("median time of a call before", *(round(one.without.took.at(50)) for one in stood)),
            ("median time beside them", *(round(one.beside.took.at(50)) for one in stood)),
            ("99 % before", *(round(one.without.took.at(99)) for one in stood)),
            ("99 % beside them", *(round(one.beside.took.at(99)) for one in stood)),
            ("longest before", *(round(one.without.took.longest) for one in stood)),
            ("longest beside them", *(round(one.beside.took.longest) for one in stood)),
        ],
    )


def _cost(calls: Beside) -> int:
    return spread(calls.costs)[0]


def _limits(stood: Stood) -> Sequence[Limit]:
    named = _KINDS[stood.kind]
    return (
        Limit(what=f"{named}: memory of one", value=stood.each, most=MOST_BYTES, unit="bytes"),
        Limit(
            what=f"{named}: CPU of others' calls, in what it is without them",
            value=stood.ratio,
            most=MOST_OF_A_CALL,
            unit="x",
        ),
    )
