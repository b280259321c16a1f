"""The way of a query from its caller to an agent and back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from mcp_types import InputRequiredResult

from trunkline_bridge.query.answers import structured_of, text_of
from trunkline_bridge.query.breakers import check_closed, check_known
from trunkline_bridge.query.choosing import Choosing
from trunkline_bridge.query.models import QueryResult
from trunkline_bridge.query.narrowing import Narrowing
from trunkline_bridge.query.offer import Offer
from trunkline_bridge.query.run import Run
from trunkline_bridge.query.runner import Answer, Asker, Query, Runner
from trunkline_bridge.query.slots import Slots
from trunkline_shared.clock import Clock
from trunkline_shared.deadline import remaining
from trunkline_shared.delegation import Delegated, delegated
from trunkline_shared.errors import Unsupported
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.mesh.entrance import Entrance
from trunkline_shared.mesh.states import MeshStates

_TO_ANSWER_S: Final = 1.0
"""What is left of a call's time when its run must have ended: it is cleared away, and told of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Queries:
    """Runs queries, so many at a time; what may be refused is refused before a slot is taken."""

    asking: Asking
    runners: Sequence[Runner]
    slots: Slots
    clock: Clock

    async def answered(self, query: Query, asker: Asker) -> QueryResult | InputRequiredResult:
        """Return what came of a query, or what its runner wants to know first.

        Raises InvalidInput, Unsupported, CircuitOpen, Overloaded, what `Narrowing` and a runner
        do, UpstreamTimeout, and UpstreamUnavailable for an answer that does not fit the schema.
        """
        began = self.clock.monotonic()
        by = _delegated()
        to = Entrance(url=by.url, token=by.token)
        states = MeshStates(asking=self.asking)
        known = await states.read(to)
        check_known(query.tools, known)
        may_write = await Offer(asking=self.asking).may_write(to, query)
        runner = Choosing(runners=self.runners).chosen(asker)
        check_closed(query.servers, known)
        ends = began + _time_for(query)
        # What a run asks for inside of itself must not wait for a slot that this run holds.
        patience = (ends - self.clock.monotonic()) / 2 if by.depth == 1 else 0
        async with self.slots.taken(by.caller, patience):
            check_closed(query.servers, await states.read(to))
            timed = replace(query, timeout_s=max(ends - self.clock.monotonic(), 0))
            mesh = await Narrowing(asking=self.asking).narrowed(to, timed)
            run = Run(query=timed, may_write=may_write)
            answer = await run.ended(runner, mesh, asker)
            if isinstance(answer, InputRequiredResult):
                return answer
            return run.told(lambda: self._result(query, answer, began))

    def _result(self, query: Query, answer: Answer, began: float) -> QueryResult:
        structured = structured_of(query, answer)
        present = round((self.clock.monotonic() - began) * 1000)
        return QueryResult(
            text=text_of(answer),
            structured=structured,
            turns=answer.turns,
            tool_calls=list(answer.tool_calls),
            servers=list(query.servers),
            elapsed_ms=present if answer.elapsed_ms is None else answer.elapsed_ms,
        )


def _time_for(query: Query) -> float:
    """Return the seconds that waiting and running may take together."""
    left = remaining(query.timeout_s + _TO_ANSWER_S)
    return max(left - _TO_ANSWER_S, left / 2)


def _delegated() -> Delegated:
    by = delegated()
    if by is None:
        raise Unsupported(
            "query_mcp has no way into the mesh: this call came without a delegation, because "
            "agents have asked agents as deep as they may (3), or because it did not come "
            "through the router.",
            hint="Inside of a run, call the tools yourself; elsewhere, call through the router.",
            details={"reason": "not_delegated"},
        )
    return by
