"""The tool with which an operator closes a breaker by hand."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

from pydantic import Field, ValidationError

from trunkline_bridge.capability.context_text import MESH_TOOLSET
from trunkline_bridge.capability.servers import known_server
from trunkline_shared.contracts import WRITE_IDEMPOTENT, Policy, Writes
from trunkline_shared.errors import PermissionDenied, UpstreamUnavailable
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.mesh.caller import entrance
from trunkline_shared.mesh.states import PAGE_S, BreakerState, MeshStates
from trunkline_shared.tool import tool

SCOPES = ("admin", "observe")
"""What the router's page of a breaker asks for."""
POLICY = Policy(toolset=MESH_TOOLSET, scopes=SCOPES, writes=Writes(tags=()))


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetTools:
    """Asks the router, whose breakers they are."""

    asking: Asking
    states: MeshStates

    @tool("Reset a circuit breaker", WRITE_IDEMPOTENT, POLICY, open_world=False)
    async def reset_breaker(
        self, server: Annotated[str, Field(min_length=1, max_length=100)]
    ) -> BreakerState:
        """Close a server's circuit breaker now (admin); returns how it stands then."""
        to = entrance("reset_breaker")
        known_server(await self.states.read(to), server)
        status, body = await self.asking.page(to, f"/api/servers/{server}/breaker", PAGE_S, {})
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            raise PermissionDenied(
                f"The breaker of {server!r} is not this caller's to reset.",
                hint=f"Use a key with the scopes {' and '.join(SCOPES)}.",
                details={"http_status": status},
            )
        try:
            return BreakerState.model_validate(body)
        except ValidationError:
            raise UpstreamUnavailable(
                f"The router did not reset the breaker of {server!r}: HTTP {status}."
            ) from None
