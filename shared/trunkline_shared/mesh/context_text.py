"""The block of text about the mesh that goes into a model's prompt."""

from collections.abc import Mapping, Sequence
from typing import Final

from trunkline_shared.capabilities import Capability, capability_lines
from trunkline_shared.mesh.states import ServerState

NOTE: Final = (
    "Note: MCP calls are slow (10-30s) and semaphore-gated. Use only for complex queries that "
    "cannot be done with local tools."
)


def lines_of(states: Mapping[str, ServerState]) -> list[str]:
    """Return a line for each server; one is disabled that is away or lets no call through now."""
    return capability_lines(
        Capability(
            name=server,
            description=state.description,
            failures=None if _is_there(state) else state.breaker.consecutiveFailures,
        )
        for server, state in states.items()
    )


def _is_there(state: ServerState) -> bool:
    return state.available and state.admits


def block(way: str, lines: Sequence[str], max_chars: int) -> tuple[str, int]:
    """Return the text, cut between lines to `max_chars`, and how many servers it leaves out.

    A text too short for the note has none; the header is always there.
    """
    header = f"MCP Capabilities (via {way}):"
    for ending in ([NOTE], []):
        for shown in range(len(lines), -1, -1):
            left_out = len(lines) - shown
            more = [f"- ({left_out} more servers are left out)"] if left_out else []
            text = "\n".join([header, *lines[:shown], *more, *ending])
            if len(text) <= max_chars:
                return text, left_out
    return header, len(lines)
