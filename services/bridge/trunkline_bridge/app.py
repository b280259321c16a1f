"""The bridge, put together."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version

from trunkline_bridge.query.queries import Queries
from trunkline_bridge.query.query_tools import QueryTools
from trunkline_bridge.query.runner import Runner
from trunkline_bridge.query.slots import Slots
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
    runners: Sequence[Runner] | None = None,
) -> AsyncIterator[ToolServer]:
    """Open the server; it asks the mesh with what each call was delegated, and nothing else.

    `runners` are those to use in place of the ones that the settings name.
    """
    time = clock or SystemClock()
    async with open_http(time) as http:
        asking = Asking(http=http, name=ID, version=VERSION)
        queries = Queries(
            asking=asking, runners=runners or (), slots=_slots(settings, time), clock=time
        )
        tools = tools_of(QueryTools(queries=queries))
        yield ToolServer(
            ID, version=VERSION, instructions=INSTRUCTIONS, tools=offered(tools, settings)
        )


def _slots(settings: BridgeSettings, clock: Clock) -> Slots:
    return Slots(
        total=settings.bridge_concurrent,
        per_caller=settings.bridge_concurrent_per_caller,
        queue=settings.bridge_queue,
        clock=clock,
    )
