"""How the header of the text about the mesh says that its tools are reached."""

from typing import Final

from trunkline_bridge.settings import BridgeSettings
from trunkline_shared.offer import ALL

SAMPLING: Final = "sampling"
MESH_TOOLSET: Final = "mesh"


def way_of(settings: BridgeSettings) -> str:
    """Return how the tools are reached, as it stands in the header.

    That is by the first runner: a command takes the arguments of `claude -p`, whatever it is called
    and whatever words stand before it; the caller's own model is reached by `query_mcp`. Without a
    runner it is `call_tool`, where that is offered.
    """
    runner = settings.bridge_runner.partition(",")[0].strip()
    if runner and runner != SAMPLING:
        return "claude -p --allowedTools"
    if runner:
        return "query_mcp"
    offers_calls = not settings.toolsets.isdisjoint({MESH_TOOLSET, ALL})
    return "call_tool" if offers_calls and not settings.read_only else "their own tools"
