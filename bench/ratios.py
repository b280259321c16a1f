"""CPU per request of everything that a call may meet, in one run, interleaved round by round."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench import limits
from bench.answers import KEPT
from bench.findings import Bars, Cell, Findings, Limit, Table
from bench.peers import envoy
from bench.processes import Subject, running
from bench.programs import installed, nginx, redis
from bench.rounds import Case, interleave, spread
from bench.worker_routers import has_workers, workers

ROUNDS, REQUESTS = 7, 2400
WORKERS_CONNECTIONS = 32
"""For one worker and for two: of eight connections, two workers would have four each, and what
comes at once, a loop does at once.
"""
ABOUT = (
    "Each process's user and system time per request, its children included; the load runs in"
    " a process of its own, over eight kept connections, and checks every answer. Rounds of all"
    " cases are interleaved: each ratio is the median of the ratios within a round. A hop is a"
    " proxy of a dozen lines on aiohttp's client and server; both floors know nothing of MCP. The"
    " router has all of its features on: callers show a key, calls are traced and counted, rights"
    " and limits are looked at, what comes back is read."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limited:
    """A case, and what it may cost in another; `floor` alone is for comparison."""

    case: Case
    floor: str
    most: float | None = None


@dataclass(slots=True, kw_only=True)
class Plan:
    """The cases in their order, by key; `left_out` says what cannot be measured here."""

    cases: dict[str, Limited] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    def add(
        self, key: str, label: str, subject: Subject, operation: str, floor: str = "bare"
    ) -> None:
        case = Case(label=label, subject=subject, operation=operation)
        self.cases[key] = Limited(case=case, floor=floor, most=MOST.get(key))

    def ratio(self, key: str) -> float:
        one = self.cases[key]
        return one.case.ratio(self.cases[one.floor].case)


MOST: Mapping[str, float] = {
    "hit": limits.HIT,
    "hit-untraced": limits.HIT_UNTRACED,
    "hit-redis": limits.HIT_THROUGH_REDIS,
    "list": limits.LIST_OF_200,
    "relay": limits.RELAY,
    "legacy-relay": limits.LEGACY_RELAY,
    "two-hit": limits.TWO_WORKERS,
    "two-relay": limits.TWO_WORKERS,
}


def findings(quick: bool, *, folder: Path) -> Findings:  # noqa: FBT001 - a part's form
    """Measure all of it, and Envoy where it is installed in `folder`."""
    with ExitStack() as stack:
        plan = _plan(stack, folder)
        _warm(plan)
        cases = [one.case for one in plan.cases.values()]
        interleave(cases, *((3, 640) if quick else (ROUNDS, REQUESTS)))
    return Findings(
        title="What a call costs",
        about=ABOUT,
        tables=[_table(plan)],
        charts=[_bars(plan)],
        limits=list(_limits(plan)),
        left_out=plan.left_out,
    )


def _plan(stack: ExitStack, folder: Path) -> Plan:
    plan = Plan()
    bare = stack.enter_context(running("bare"))
    upstream = _mcp(bare)
    plan.add("bare", "bare aiohttp handler", bare, "keyed")
    plan.add("hop", "bare aiohttp hop", stack.enter_context(running("hop", upstream)), "said")
    _of_nginx(plan, stack, bare)
    _of_envoy(plan, stack, bare, folder)
    router = stack.enter_context(running("keyed", upstream, *KEPT))
    plan.add("hit", "router, hit", router, "hit")
    untraced = running("keyed", upstream, *KEPT, variables={"OTEL_SDK_DISABLED": "true"})
    plan.add("hit-untraced", "router, hit, untraced", stack.enter_context(untraced), "hit")
    plan.add("legacy-hit", "router, hit in a session", router, "legacy-hit")
    plan.add("relay", "router, relay", router, "relay", "hop")
    plan.add("legacy-relay", "router, relay in a session", router, "legacy-relay", "hop")
    sdk = stack.enter_context(running("keyed", _mcp(stack.enter_context(running("sdk")))))
    plan.add("relay-sdk", "router, relay to an SDK server", sdk, "relay", "hop")
    _of_lists(plan, stack)
    _of_streams(plan, stack)
    _of_redis(plan, stack, upstream)
    return plan


def _of_nginx(plan: Plan, stack: ExitStack, bare: Subject) -> None:
    program = installed("nginx")
    if program is None:
        plan.left_out.append("nginx: it is not installed")
        return
    running_nginx = stack.enter_context(nginx(program, bare.port))
    plan.add("nginx", "nginx, constant bytes", running_nginx, "constant")
    plan.add("nginx-hop", "nginx, proxy", running_nginx, "said", "hop")


def _of_envoy(plan: Plan, stack: ExitStack, bare: Subject, folder: Path) -> None:
    programs = folder / "envoy" / "bin"
    if not programs.is_dir():
        plan.left_out.append("Envoy: it is not installed (`python -m bench.peers.install`)")
        return
    for peer in envoy.opened(programs, bare.port, stack):
        plan.add("envoy", peer.label, peer.subject, "call", "hop")


def _of_lists(plan: Plan, stack: ExitStack) -> None:
    library = stack.enter_context(running("bare", "200"))
    router = stack.enter_context(running("keyed", _mcp(library)))
    plan.add("bare-list", "bare aiohttp handler, 200 tools", library, "list-200")
    plan.add("list", "router, 200 tools", router, "list-200")
    label = "router, 200 tools in a session"
    plan.add("legacy-list", label, router, "legacy-list-200", "bare-list")


def _of_streams(plan: Plan, stack: ExitStack) -> None:
    streaming = _mcp(stack.enter_context(running("streaming")))
    hop = stack.enter_context(running("streaming-hop", streaming))
    router = stack.enter_context(running("keyed", streaming))
    plan.add("stream-hop", "bare aiohttp hop, three events and the result", hop, "stream", "hop")
    label = "router, three events and the result"
    plan.add("stream", label, router, "stream", "stream-hop")
    plan.add("legacy-stream", f"{label} in a session", router, "legacy-stream", "stream-hop")


def _of_redis(plan: Plan, stack: ExitStack, upstream: str) -> None:
    program = installed("redis-server")
    if program is None:
        plan.left_out.append("hits through Redis, and several workers: Redis is not installed")
        return
    url = stack.enter_context(redis(program))
    shared = running("keyed", upstream, *KEPT, variables={"TRUNKLINE_REDIS_URL": url})
    plan.add("hit-redis", "router, hit through Redis", stack.enter_context(shared), "hit")
    if not has_workers():
        plan.left_out.append("several workers: this router has no TRUNKLINE_WORKERS")
        return
    for number, name in ((1, "one"), (2, "two")):
        router = stack.enter_context(workers(number, upstream, url))
        label = f"router, {name} worker{'s' * (number > 1)}"
        for operation in ("hit", "relay"):
            case = Case(
                label=f"{label}, {operation}",
                subject=router,
                operation=operation,
                connections=WORKERS_CONNECTIONS,
            )
            key = f"{name}-{operation}"
            floor = f"one-{operation}"
            plan.cases[key] = Limited(case=case, floor=floor, most=MOST.get(key))


def _mcp(subject: Subject) -> str:
    return f"http://127.0.0.1:{subject.port}/mcp"


def _warm(plan: Plan) -> None:
    """Have kept what hits are answered by."""
    for one in plan.cases.values():
        if one.case.operation in {"hit", "legacy-hit"}:
            one.case.subject.round(8, "keyed")


def _table(plan: Plan) -> Table:
    return Table(
        title="Microseconds of CPU per request",
        columns=("", "median", "least", "most", "in bare handlers", "in bare hops"),
        rows=[_row(plan, one) for one in plan.cases.values()],
        note=(
            "`Through Redis` is the same hit with a Redis that several routers share, whose own"
            " time is not in it; workers have it as well, and 32 connections, one worker like two."
        ),
    )


def _bars(plan: Plan) -> Bars:
    lengths = {one.case.label: one.case.cost for one in plan.cases.values()}
    ours = [label for label in lengths if label.startswith("router")]
    title = "CPU per request"
    return Bars(name="ratios", title=title, x="microseconds", lengths=lengths, ours=ours)


def _row(plan: Plan, one: Limited) -> Sequence[Cell]:
    case = one.case
    inside = [case.ratio(plan.cases[floor].case) for floor in ("bare", "hop")]
    return (case.label, *spread(case.costs), *(round(ratio, 2) for ratio in inside))


def _limits(plan: Plan) -> Iterator[Limit]:
    for key, one in plan.cases.items():
        if one.most is not None:
            floor = plan.cases[one.floor].case.label
            what = f"{one.case.label}, in {floor}"
            yield Limit(what=what, value=plan.ratio(key), most=one.most, unit="x")
