"""The stages before the relay that keep calls away from a server that is not well."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import orjson
from opentelemetry.trace import SpanKind

from trunkline_router.attributes import BREAKER, QUEUED_MS, SERVER
from trunkline_router.fleet import Fleet, Member
from trunkline_router.model import Call, Json, Outcome
from trunkline_router.pipeline import Next
from trunkline_router.protection.breaker import State
from trunkline_router.protection.breakers import Breakers
from trunkline_router.protection.bulkhead import Bulkhead
from trunkline_router.protection.capping import capped
from trunkline_router.protection.verdict import Verdict, of_failure, of_outcome, own_failure
from trunkline_router.protection.windows import Windows
from trunkline_router.tracing import note, step
from trunkline_router.wire.result import readable, text_bytes
from trunkline_shared.clock import Clock
from trunkline_shared.errors import Overloaded, RateLimited, TrunklineError
from trunkline_shared.trimming import TrimNote

_LONGEST_HINT_S = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrottleStage:
    """Answers in the server's place while a quota is exhausted that the call would need."""

    windows: Windows

    async def __call__(self, call: Call, onward: Next) -> Outcome:
        if self.windows.any:
            self.windows.check(call)
        try:
            outcome = await onward(call)
        except RateLimited as limited:
            self.windows.learn(call, limited)
            raise
        if outcome.result.get("isError") is True:
            told = own_failure(outcome, owned=self.windows.trusted(call.server))
            if isinstance(told, RateLimited):
                self.windows.learn(call, told)
        return outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakerStage:
    """Asks the breaker before a call, and tells it how the call went.

    `owned` says which servers are believed when they blame somebody else.
    """

    breakers: Breakers
    owned: Callable[[str], bool]

    async def __call__(self, call: Call, onward: Next) -> Outcome:
        server = call.server
        breaker = self.breakers.of(server).breaker
        permit = breaker.permit
        if breaker.state is not State.CLOSED:
            note(BREAKER, breaker.state.value)
            permit = await self.breakers.admit(call)
        try:
            outcome = await onward(call)
        except TrunklineError as error:
            self.breakers.note(server, permit, of_failure(call, error))
            raise
        except BaseException:
            self.breakers.abandon(server, permit)
            raise
        verdict = of_outcome(call, outcome, owned=self.owned(server))
        if verdict is not Verdict.PASSED or breaker.failures or permit.probes:
            self.breakers.note(server, permit, verdict)
        return outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkheadStage:
    """Lets so many calls of a server run at once; more wait in turn, too many are refused.

    What only waits holds no slot: it would keep others out for as long as it takes.
    """

    fleet: Fleet
    breakers: Breakers
    clock: Clock
    margin_s: float
    _bulkheads: dict[str, Bulkhead] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.breakers.on_open.append(self._refuse_waiting)

    def queued(self, server: str) -> int:
        """Return how many calls wait for a slot of a server."""
        return self._of(server).queued

    def forget(self, server: str) -> None:
        """Begin anew with a server that is another one now, whose slots are all free."""
        self._bulkheads.pop(server, None)

    async def __call__(self, call: Call, onward: Next) -> Outcome:
        member = self.fleet.members.get(call.server)
        if member is None or (call.tool is not None and call.tool.policy.waits):
            return await onward(call)
        bulkhead = self._of(call.server)
        if not bulkhead.try_enter(member.entry.concurrency):
            await self._wait(call, member, bulkhead)
        try:
            return await onward(call)
        finally:
            bulkhead.leave(self._slots(call.server))

    async def _wait(self, call: Call, member: Member, bulkhead: Bulkhead) -> None:
        if bulkhead.queued >= member.entry.queue:
            raise _overloaded(member, bulkhead, "too many calls wait already")
        began = self.clock.monotonic()
        left_s = call.deadline - self.margin_s - began
        try:
            with step("queue", SpanKind.INTERNAL, {SERVER: call.server}):
                await bulkhead.wait(lambda: self._slots(call.server), left_s)
            note(QUEUED_MS, round((self.clock.monotonic() - began) * 1000, 1))
        except TimeoutError:
            raise _overloaded(member, bulkhead, "no slot came free in time") from None
        try:
            self.breakers.check(call.server)
        except TrunklineError:
            bulkhead.leave(self._slots(call.server))
            raise

    def _slots(self, server: str) -> int:
        member = self.fleet.members.get(server)
        return 1 if member is None else member.entry.concurrency

    def _of(self, server: str) -> Bulkhead:
        bulkhead = self._bulkheads.get(server)
        if bulkhead is None:
            bulkhead = self._bulkheads[server] = Bulkhead()
        return bulkhead

    def _refuse_waiting(self, server: str) -> None:
        self._of(server).refuse_all(lambda: self.breakers.refusal(server))


def _overloaded(member: Member, bulkhead: Bulkhead, problem: str) -> Overloaded:
    slots = member.entry.concurrency
    expected_s = member.vitals.typical_s * (bulkhead.queued + 1) / slots
    wait = min(max(math.ceil(expected_s), 1), _LONGEST_HINT_S)
    return Overloaded(
        f"Server {member.id!r} is busy: {slots} calls run and {problem}; nothing was sent.",
        hint=f"Call again in {wait} s, or ask for less at once.",
        retry_after=wait,
        details={"server": member.id, "running": bulkhead.in_use, "queued": bulkhead.queued},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CapStage:
    """Lets no result through that is larger than a model can use; `most` is bytes."""

    most: Callable[[], int]

    async def __call__(self, call: Call, onward: Next) -> Outcome:
        outcome = await onward(call)
        most = self.most()
        if 0 < outcome.size <= most or outcome.error is not None:
            return outcome
        try:
            size = outcome.size or len(orjson.dumps(outcome.result))
            if size <= most:
                return outcome
            result = capped(call, outcome.result, most)
            left_out = _left_out(outcome.result, result)
            return replace(outcome, result=result, size=most, left_out=left_out)
        except TypeError:
            # What is nested too deeply to be written is refused where it is written.
            return outcome


def _left_out(whole: Json, cut: Json) -> TrimNote | None:
    """Return how much text an agent need not read; none where it is given an error instead."""
    less = text_bytes(readable(whole)) - text_bytes(readable(cut))
    if cut.get("isError") is True or less <= 0:
        return None
    return TrimNote(truncation=less)
