"""The tools that tell how the servers stand."""

from dataclasses import dataclass
from typing import Annotated

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel, ConfigDict, Field, RootModel

from trunkline_shared.contracts import READ, Policy
from trunkline_shared.mesh.caller import entrance
from trunkline_shared.mesh.context_text import block, lines_of
from trunkline_shared.mesh.states import BreakerState, MeshStates
from trunkline_shared.tool import tool

LEAST_CHARS = 100
MOST_CHARS = 20_000


class Availability(BaseModel):
    """Whether a call would be let through now; `retry_after` is seconds, where it would not.

    An open breaker whose pause is over lets one call through: it is told as half-open.
    """

    model_config = ConfigDict(frozen=True)

    available: bool
    state: str
    retry_after: float | None = None
    known: bool = True


class BreakerStates(RootModel[dict[str, BreakerState]]):
    """The breaker of each server, by the server's name."""


class ContextText(BaseModel):
    """A block for a prompt; descriptions in it are from the servers, sanitised."""

    model_config = ConfigDict(frozen=True)

    text: str
    servers: int
    left_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthTools:
    """Answers from what the router tells the caller of its servers; `way` is how they are used."""

    states: MeshStates
    way: str

    @tool("Is a server available", READ, Policy(), open_world=False)
    async def is_server_available(
        self,
        serverName: Annotated[str, Field(min_length=1, max_length=100)],  # noqa: N803 - on the wire
    ) -> Availability:
        """Whether calls to a server of the mesh are let through now (circuit breaker not open).

        An unknown server counts as available, with known=false.
        """
        states = await self.states.read(entrance("is_server_available"))
        found = states.get(serverName)
        if found is None:
            return Availability(available=True, state="closed", known=False)
        probes_next = found.admits and found.breaker.state == "open"
        return Availability(
            available=found.admits,
            state="half-open" if probes_next else found.breaker.state,
            retry_after=None if found.admits else found.breaker.resets_in_s,
        )

    @tool("Circuit breaker states", READ, Policy(), open_world=False)
    async def get_circuit_breaker_states(self) -> BreakerStates:
        """Circuit breaker of every server: map of name to state, failures, times in epoch ms."""
        return await self.breakers("get_circuit_breaker_states")

    @tool("Capabilities for a prompt", READ, Policy(), open_world=False)
    async def format_for_context(
        self, max_chars: Annotated[int, Field(ge=LEAST_CHARS, le=MOST_CHARS)] = 4000
    ) -> Annotated[CallToolResult, ContextText]:
        """Text block for a prompt: which servers there are, what for, and which are disabled."""
        lines = lines_of(await self.states.read(entrance("format_for_context")))
        text, left_out = block(self.way, lines, max_chars)
        told = ContextText(text=text, servers=len(lines), left_out=left_out)
        return CallToolResult(
            content=[TextContent(type="text", text=text)], structured_content=told.model_dump()
        )

    async def breakers(self, wanted: str) -> BreakerStates:
        """Return the breakers of the caller's servers, for what is `wanted`."""
        states = await self.states.read(entrance(wanted))
        return BreakerStates({server: state.breaker for server, state in states.items()})
