"""Has the model of the caller's client work on a query: a round for each of its turns."""

from dataclasses import dataclass

from mcp.server.validation import check_sampling_tools_capability
from mcp_types import InputRequiredResult

from trunkline_bridge.query.runner import Answer, Asker, Query, Turn
from trunkline_bridge.sampling.conversation import Conversation, too_large
from trunkline_bridge.sampling.offered_tools import offered_tools
from trunkline_bridge.sampling.questions import TURN, question
from trunkline_bridge.sampling.sayings import Saying, saying_of
from trunkline_bridge.sampling.structured_text import structured_of
from trunkline_bridge.sampling.tool_runs import Ran, ToolRuns
from trunkline_shared.clock import Clock
from trunkline_shared.deadline import deadline_in
from trunkline_shared.errors import CallerError, InvalidInput, UpstreamTimeout
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.mesh.entrance import Entrance

CAPABILITY = "sampling.tools"
_SMALLEST_RESULT = 256
"""Bytes below which a result tells a model nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingRunner:
    """The runner `sampling`: nothing of a run stays here between its rounds.

    The conversation travels with the client, sealed (spec 2026-07-28, "Multi Round-Trip
    Requests", "Sampling"), and the run's whole time with it.
    """

    asking: Asking
    clock: Clock

    def can(self, asker: Asker) -> str | None:
        if check_sampling_tools_capability(asker.capabilities):
            return None
        return f"the client's capability {CAPABILITY}, which it has not declared"

    async def run(
        self, query: Query, mesh: Entrance, asker: Asker, on_turn: Turn
    ) -> Answer | InputRequiredResult:
        """Take the run one turn further.

        Raises Cancelled for a client that says nothing, InvalidInput for what is no answer,
        TooLarge, UpstreamTimeout, and what `Asking.ask` does.
        """
        conversation = self._conversation(query, asker)
        try:
            return await self._further(query, mesh, _Round(asker, conversation), on_turn)
        except CallerError as error:
            # Whoever reads it sees which tools have been called before.
            error.details = {**_noted(conversation), **error.details}
            raise

    async def _further(
        self, query: Query, mesh: Entrance, at: "_Round", on_turn: Turn
    ) -> Answer | InputRequiredResult:
        conversation = at.conversation
        with deadline_in(self._left_s(query, conversation)):
            offered = await offered_tools(self.asking, mesh, query.tools)
            if not at.is_first:
                if at.answer is None:
                    # Asked again, as the specification wants it; the turn is counted already.
                    return question(query, offered, conversation)
                said = saying_of(at.answer)
                conversation = conversation.answered(said.message)
                if not said.uses:
                    return self._answer(query, conversation, said)
                _check_turns(query, conversation)
                runs = ToolRuns(asking=self.asking, clock=self.clock, mesh=mesh, offered=offered)
                conversation = await _with_tools(conversation, said, runs)
        self._left_s(query, conversation)
        conversation = conversation.asked()
        await on_turn(conversation.turns, "asking the client's model")
        return question(query, offered, conversation)

    def _conversation(self, query: Query, asker: Asker) -> Conversation:
        if asker.state is not None:
            return Conversation.of_state(asker.state)
        now = self.clock.now()
        return Conversation.begin(query.prompt, now=now, timeout_s=query.timeout_s)

    def _answer(self, query: Query, conversation: Conversation, said: Saying) -> Answer:
        return Answer(
            text=said.text,
            turns=conversation.turns,
            tool_calls=conversation.calls,
            structured=None if query.schema is None else structured_of(said.text),
            elapsed_ms=max(round((self.clock.now() - conversation.begun) * 1000), 0),
        )

    def _left_s(self, query: Query, conversation: Conversation) -> float:
        left = conversation.until - self.clock.now()
        if left > 0:
            return left
        raise UpstreamTimeout(
            f"The run did not come to an end within {query.timeout_s:.3g} s.",
            hint="Give it more time, or ask for less.",
            details=_noted(conversation),
        )


@dataclass(frozen=True, slots=True)
class _Round:
    """Where a run stands when its caller comes (again)."""

    asker: Asker
    conversation: Conversation

    @property
    def is_first(self) -> bool:
        return self.asker.state is None

    @property
    def answer(self) -> object:
        """What the client's model has said; None where the client left it out."""
        return (self.asker.answers or {}).get(TURN)


async def _with_tools(conversation: Conversation, said: Saying, runs: ToolRuns) -> Conversation:
    """Return the conversation after the tools that were asked for. Raises TooLarge."""
    # JSON in JSON: a text may take twice its bytes.
    most_bytes = conversation.room // (2 * len(said.uses))
    if most_bytes < _SMALLEST_RESULT:
        raise too_large()
    ran: list[Ran] = await runs.run(said.uses, most_bytes)
    calls = [one.call for one in ran if one.call is not None]
    return conversation.with_results([one.result for one in ran], calls)


def _check_turns(query: Query, conversation: Conversation) -> None:
    """Raise InvalidInput when a model wants tools in what was its last turn."""
    if conversation.turns < query.max_turns:
        return
    problem = {"field": "options.maxTurns", "problem": "was too few", "kind": "max_turns"}
    raise InvalidInput(
        f"The agent used up its {query.max_turns} turns before it had an answer.",
        hint="Give a higher options.maxTurns, or ask for less.",
        details={"reason": "max_turns", "field_errors": [problem]},
    )


def _noted(conversation: Conversation) -> dict[str, object]:
    calls = [call.model_dump(exclude_none=True) for call in conversation.calls]
    return {"turns": conversation.turns, "tool_calls": calls}
