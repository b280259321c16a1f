"""The block of text about the mesh that goes into a model's prompt."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Final

from trunkline_bridge.settings import BridgeSettings
from trunkline_shared.capabilities import Capability, capability_lines
from trunkline_shared.mesh.states import ServerState
from trunkline_shared.offer import ALL

NOTE: Final = (
    "Note: MCP calls are slow (10-30s) and semaphore-gated. Use only for complex queries that "
    "cannot be done with local tools."
)
SAMPLING: Final = "sampling"
MESH_TOOLSET: Final = "mesh"


def way_of(settings: BridgeSettings) -> str:
    """Return how the tools are reached, as it stands in the header.

    That is the first runner: a command with the option that gives it its tools, or `query_mcp` for
    a runner that is none. Without a runner it is `call_tool` where that is offered.
    """
    runner = settings.bridge_runner.partition(",")[0].strip()
    if runner and runner != SAMPLING:
        return f"{PurePath(runner.split()[0]).name} -p --allowedTools"
    if runner:
        return "query_mcp"
    offers_calls = not settings.toolsets.isdisjoint({MESH_TOOLSET, ALL})
    return "call_tool" if offers_calls and not settings.read_only else "their own tools"


def lines_of(states: Mapping[str, ServerState]) -> list[str]:
    """Return a line for each server; one is disabled that lets no call through now."""
    return capability_lines(
        Capability(
            name=server,
            description=state.description,
            failures=None if state.admits else state.breaker.consecutiveFailures,
        )
        for server, state in states.items()
    )


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
