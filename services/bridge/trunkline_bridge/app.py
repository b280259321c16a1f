"""The bridge, put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from trunkline_bridge.settings import BridgeSettings
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.http.client import open_http
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.offer import offered
from trunkline_shared.server import ToolServer
from trunkline_shared.store.store import Store
from trunkline_shared.tool import tools_of

ID = "bridge"
VERSION = version("trunkline-bridge")
INSTRUCTIONS = "Everything about the work at hand in one call, and agents that use the mesh."


@asynccontextmanager
async def open_server(
    settings: BridgeSettings,
    store: Store,  # noqa: ARG001 - what every service is given
    clock: Clock | None = None,
) -> AsyncIterator[ToolServer]:
    """Open the server; it asks the mesh with what each call was delegated, and nothing else."""
    async with open_http(clock or SystemClock()) as http:
        Asking(http=http, name=ID, version=VERSION)
        tools = tools_of()
        yield ToolServer(
            ID, version=VERSION, instructions=INSTRUCTIONS, tools=offered(tools, settings)
        )
