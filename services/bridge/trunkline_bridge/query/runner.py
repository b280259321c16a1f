"""What every runner is: it takes a query, and comes back with an answer or with a question."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from mcp_types import ClientCapabilities, InputRequiredResult

from trunkline_bridge.query.models import ToolCall
from trunkline_bridge.query.patterns import ToolPattern
from trunkline_shared.mesh.entrance import Entrance

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A prompt with all that is known of how to run it; `schema` is valid JSON Schema.

    `timeout_s` is seconds from the start of the run. `wants_json` is true with every schema.
    """

    prompt: str
    tools: tuple[ToolPattern, ...]
    model: str
    max_turns: int
    timeout_s: float
    schema: Json | None = None
    wants_json: bool = False

    @property
    def servers(self) -> tuple[str, ...]:
        """The servers that the tools are of, in the order in which they are named."""
        return tuple(dict.fromkeys(pattern.server for pattern in self.tools))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who asked, as far as a runner needs it: what its client can do, and what it answered.

    `answers` and `state` are those of a call that comes again after an `InputRequiredResult`.
    """

    capabilities: ClientCapabilities
    answers: Mapping[str, Any] | None = None
    state: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model said in the end; `structured` is as it said it, not yet checked.

    `elapsed_ms` is of the whole run, where that took more than the present call.
    """

    text: str
    turns: int
    tool_calls: tuple[ToolCall, ...] = ()
    structured: Any = None
    elapsed_ms: int | None = None


Turn = Callable[[int, str], Awaitable[None]]
"""Hears of each turn as it begins: its number from 1, and what happens in it."""


class Runner(Protocol):
    """Has an agent work on a query, with `mesh` as its only way into the mesh.

    `mesh` opens the query's tools and nothing else, and ends with the call.
    """

    def can(self, asker: Asker) -> str | None:
        """Return None if this runner serves the caller, else what is lacking."""

    async def run(
        self, query: Query, mesh: Entrance, asker: Asker, on_turn: Turn
    ) -> Answer | InputRequiredResult:
        """Run to the end or to the next question to the caller.

        Cancelled at any moment, it leaves nothing behind. Raises TrunklineError: UpstreamTimeout
        for a run out of time, UpstreamUnavailable for a model that failed, Unsupported.
        """
