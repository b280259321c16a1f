"""Whether a server is there for a program, in the words of the bridge's tool."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from trunkline_shared.mesh.states import ServerState


class Availability(BaseModel):
    """Whether a call would be let through now; it is true or false as that is.

    `retry_after` is seconds, where it would not. An open breaker whose pause is over lets one call
    through: it is told as half-open. A server that is not `known` counts as available.
    """

    model_config = ConfigDict(frozen=True)

    available: bool
    state: str
    retry_after: float | None = None
    known: bool = True

    def __bool__(self) -> bool:
        return self.available


def availability(states: Mapping[str, ServerState], server: str) -> Availability:
    """Return how a server stands among those of this caller."""
    found = states.get(server)
    if found is None:
        return Availability(available=True, state="closed", known=False)
    probes_next = found.admits and found.breaker.state == "open"
    return Availability(
        available=found.admits,
        state="half-open" if probes_next else found.breaker.state,
        retry_after=None if found.admits else found.breaker.resets_in_s,
    )
