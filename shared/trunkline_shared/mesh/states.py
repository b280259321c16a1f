"""How the servers of the mesh stand, as the router tells it to whoever asks."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from trunkline_shared.errors import AuthError, UpstreamUnavailable
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.mesh.entrance import Entrance

PAGE: Final = "/api/mesh"
PAGE_S: Final = 5.0


class BreakerState(BaseModel):
    """A server's breaker; times are epoch milliseconds, `lastFailureTime` 0 for never."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    state: Literal["closed", "open", "half-open"]
    consecutiveFailures: Annotated[int, Field(ge=0)]  # noqa: N815 - the name on the wire
    lastFailureTime: Annotated[int, Field(ge=0)]  # noqa: N815 - the name on the wire
    opened_at: int | None = None
    resets_in_s: float | None = None
    probes: int = 0


class ServerState(BaseModel):
    """A server that the caller may use; `admits` says whether a call would be let through now."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    description: str = ""
    available: bool
    admits: bool
    tools: int = 0
    breaker: BreakerState


class _Page(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    servers: dict[str, ServerState]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeshStates:
    """Asks the router; servers come in a stable order, and only those of the caller."""

    asking: Asking

    async def read(self, to: Entrance) -> Mapping[str, ServerState]:
        """Return every server of the caller by its id.

        Raises AuthError, NetworkError, UpstreamTimeout, UpstreamUnavailable.
        """
        status, body = await self.asking.page(to, PAGE, PAGE_S)
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            raise AuthError(f"The router does not tell this caller of its mesh: HTTP {status}.")
        try:
            return _Page.model_validate(body).servers
        except ValidationError:
            raise UpstreamUnavailable(f"The router's {PAGE} is of a form not known here.") from None
