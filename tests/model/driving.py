"""Drives the cache itself through a history, and looks at each answer as the model does."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.model.gates import ACTOR, GatedEntries, GatedGenerations, Gates
from tests.model.reads import RETURNED, SENT, SETTLED, Step
from tests.model.rules import Scenario
from trunkline_router.cache.bumps import Bumps
from trunkline_router.cache.counters import Counters
from trunkline_router.cache.flights import Flights
from trunkline_router.cache.kept import Kept
from trunkline_router.cache.known_footings import KnownFootings
from trunkline_router.cache.lifetimes import Lifetimes
from trunkline_router.cache.process_tier import ProcessTier
from trunkline_router.cache.questions import Question, Questions
from trunkline_router.cache.reading import Reading
from trunkline_router.cache.told import Told
from trunkline_router.cache.writing import Writing
from trunkline_router.model import Call, Caller, Era, Outcome, Request, ToolSpec, Unheard
from trunkline_shared import meta
from trunkline_shared.clock import Clock
from trunkline_shared.contracts import Policy, Reads, Writes
from trunkline_shared.errors import Conflict, UpstreamTimeout, UpstreamUnavailable
from trunkline_shared.store.entry_port import Entries
from trunkline_shared.store.generation_port import Generations

TAG, ELSEWHERE = "t:w:x", "t:w:y"
_EVER = 1e12
_WRITE = "the write"


@dataclass(frozen=True, slots=True)
class _Nothing:
    """Neither hooks nor quotas."""

    def raised_s(self, tags: tuple[str, ...]) -> float:
        return 0.0

    def spares(self, question: Question) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class _Fetch:
    """What the vendor served: to whom, which version, and after how many writes."""

    by: str
    version: int
    asked: int
    served: int


@dataclass(slots=True)
class _Seen:
    """What the onlooker of the model counts, and what the vendor has."""

    version: int = 0
    accepted: int = 0
    sent: int = 0
    ended: int = 0
    returned: int = 0
    calm: bool = False
    fetches: list[_Fetch] = field(default_factory=list)
    begun: dict[str, tuple[int, int, int, int]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replica:
    """One router's reads and writes."""

    reading: Reading
    writing: Writing


@dataclass(slots=True, kw_only=True)
class Drive:
    """Two routers, and the agents of one history; `broken` are the promises that it broke."""

    scenario: Scenario
    clock: Clock
    gates: Gates
    tasks: asyncio.TaskGroup
    pass_by: Callable[[float], None]
    world: Callable[[Step], Coroutine[object, object, None]]
    replicas: list[Replica] = field(default_factory=list)
    seen: _Seen = field(default_factory=_Seen)

    @property
    def broken(self) -> list[str]:
        return self.seen.broken

    def add(self, generations: Generations, entries: Entries, deaf: frozenset[str]) -> None:
        """Add a router over its ports."""
        gated = GatedGenerations(generations, self.gates, not self.scenario.holds, deaf)
        kept_by = GatedEntries(entries, self.gates)
        counters = Counters()
        kept = Kept(
            generations=gated,
            entries=kept_by,
            process=ProcessTier(clock=self.clock, most=lambda: 1_000_000),
            lifetimes=Lifetimes(hooks=_Nothing(), quotas=_Nothing()),
            counters=counters,
        )
        reading = Reading(
            kept=kept,
            told=Told(entries=kept_by),
            # Routers that share their generations remember none of what they stood on.
            footings=KnownFootings(generations=None),
            flights=Flights(tasks=lambda: self.tasks),
            counters=counters,
            clock=self.clock,
            owned=lambda _: True,
        )
        writing = Writing(
            bumps=Bumps(generations=gated, counters=counters),
            owned=lambda _: True,
            tasks=lambda: self.tasks,
        )
        self.replicas.append(Replica(reading=reading, writing=writing))

    async def follow(self, history: Sequence[Step]) -> None:
        """Let happen what a history tells, and then everything that is left."""
        if self.scenario.knows == "other":
            for replica in self.replicas:
                await replica.reading.told.learn(self._question(), (ELSEWHERE,))
        for step in history:
            await self._step(step)
        async with asyncio.timeout(20):
            while self.gates.at:
                await self.gates.release(next(iter(self.gates.at)), "is served")
        await self.gates.stand()

    async def _step(self, step: Step) -> None:
        if step.actor == "vendor":
            self.seen.version += "applies" in step.action
        elif step.actor == "time":
            self.pass_by(61 if "nothing" in step.action else 11)
            self.seen.calm = "nothing" in step.action
        elif step.actor == _WRITE:
            await self._writes(step)
        elif step.actor.startswith("reader"):
            await self._reads(step)
        else:
            await self.world(step)

    async def _writes(self, step: Step) -> None:
        if self.seen.accepted:
            await self.gates.release(_WRITE, step.action)
            while "returns" in step.action and _WRITE in self.gates.at:
                # The history lacks a bump that the cache makes.
                await self.gates.release(_WRITE, step.action)
            return
        self.seen.accepted, self.seen.calm = 1, False
        self._begin(_WRITE, self._write())
        await self.gates.stand()

    async def _reads(self, step: Step) -> None:
        if step.actor in self.seen.begun:
            await self.gates.release(step.actor, step.action)
            return
        seen = self.seen
        floor = seen.version if seen.calm else 0
        seen.begun[step.actor] = (seen.accepted, seen.sent, seen.returned, floor)
        self._begin(step.actor, self._read(step.actor, step.at or 0))
        await self.gates.stand()

    def _begin(self, actor: str, acts: Coroutine[object, object, None]) -> None:
        token = ACTOR.set(actor)
        _ = self.tasks.create_task(acts)
        ACTOR.reset(token)

    async def _write(self) -> None:
        tool = _tool("write", Policy(writes=Writes(tags=(TAG,))))
        with suppress(UpstreamTimeout, Conflict):
            await self.replicas[0].writing.perform(_call(tool), tool, self._written)
        self.seen.returned = self.seen.ended

    async def _written(self, call: Call) -> Outcome:
        self.seen.sent = self.seen.accepted
        word = await self.gates.reached()
        self.seen.ended = self.seen.sent
        if "given up" in word:
            raise UpstreamTimeout("The server took too long.", details={"may_have_happened": True})
        if "error" in word:
            raise Conflict("The server would not.")
        return Outcome(server=call.server, result={"content": []})

    async def _read(self, actor: str, at: int) -> None:
        try:
            outcome = await self.replicas[at].reading.answer(
                self._reads_call(), self._question(), self._fetched
            )
        except UpstreamUnavailable:
            return
        self._look(actor, self.seen.fetches[_number(outcome)])

    async def _fetched(self, call: Call) -> Outcome:
        word = await self.gates.reached()
        if "gets no answer" in word:
            raise UpstreamUnavailable("The server is away.")
        seen, actor = self.seen, ACTOR.get()
        version = seen.version - ("lags" in word)
        seen.fetches.append(_Fetch(actor, version, seen.begun[actor][0], seen.ended))
        number = len(seen.fetches) - 1
        await self.gates.reached()
        told = {} if self.scenario.knows == "own" else {meta.REUSE: {"tags": [TAG]}}
        result: dict[str, object] = {"structuredContent": {"fetch": number}, "_meta": told}
        return Outcome(server=call.server, result=result)

    def _look(self, actor: str, fetch: _Fetch) -> None:
        _, sent, returned, version = self.seen.begun[actor]
        if fetch.by == actor:
            return
        for is_broken, promise in (
            (fetch.served < returned, RETURNED),
            (fetch.asked < sent, SENT),
            (fetch.version < version, SETTLED),
        ):
            if is_broken:
                self.seen.broken.append(promise)

    def _reads_call(self) -> Call:
        tag = TAG if self.scenario.knows == "own" else "t:w:{issue_key}"
        settle_s = 10 if self.scenario.holds else 0
        return _call(
            _tool("read", Policy(reads=Reads(ttl_s=36_000, settle_s=settle_s, tags=(tag,))))
        )

    def _question(self) -> Question:
        question = Questions(apart=lambda _: "").of(self._reads_call())
        assert question is not None
        return question


@asynccontextmanager
async def driving(
    scenario: Scenario,
    clock: Clock,
    *,
    pass_by: Callable[[float], None] = lambda _: None,
    world: Callable[[Step], Coroutine[object, object, None]],
) -> AsyncIterator[Drive]:
    """Have the tasks of one history; they are ended with the block."""
    async with asyncio.timeout(50), asyncio.TaskGroup() as tasks:
        yield Drive(
            scenario=scenario,
            clock=clock,
            gates=Gates(),
            tasks=tasks,
            pass_by=pass_by,
            world=world,
        )


def _number(outcome: Outcome) -> int:
    content = (outcome.result or (outcome.packed.unpacked() if outcome.packed else {}))[
        "structuredContent"
    ]
    assert isinstance(content, dict)
    return int(content["fetch"])


def _tool(name: str, policy: Policy) -> ToolSpec:
    return ToolSpec(
        exposed=name,
        name=name,
        server="s",
        definition={},
        policy=policy,
        read_only=policy.writes is None,
        digest=name,
    )


def _call(tool: ToolSpec) -> Call:
    request = Request(
        id=1,
        method="tools/call",
        params={"name": tool.name, "arguments": {}},
        era=Era.MODERN,
        channel=Unheard(),
        received=0.0,
    )
    caller = Caller(subject="agent", scopes=frozenset())
    return Call(
        request=request, caller=caller, server="s", name=tool.name, deadline=_EVER, tool=tool
    )
