"""The bridge, put together."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version

from trunkline_bridge.capability.call_tools import CallTools
from trunkline_bridge.capability.catalog_tools import CatalogTools
from trunkline_bridge.capability.context_text import way_of
from trunkline_bridge.capability.health_tools import HealthTools
from trunkline_bridge.capability.reset_tools import ResetTools
from trunkline_bridge.capability.resources import CACHE_HINTS, Resources, add_resources
from trunkline_bridge.query.queries import Queries
from trunkline_bridge.query.query_tools import QueryTools
from trunkline_bridge.query.runner import Runner
from trunkline_bridge.query.slots import Slots
from trunkline_bridge.runners import runners_of
from trunkline_bridge.sampling.sealing import conversation_security
from trunkline_bridge.settings import BridgeSettings
from trunkline_bridge.work.composing import Composing
from trunkline_bridge.work.work_tools import WorkTools
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.http.client import open_http
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.mesh.caller import MeshCaller
from trunkline_shared.mesh.lists import Lists
from trunkline_shared.mesh.states import MeshStates
from trunkline_shared.server import ToolServer
from trunkline_shared.signing import SigningKeys
from trunkline_shared.store.store import Store
from trunkline_shared.tool import tools_of
from trunkline_shared.work.reading import PartReading

ID = "bridge"
VERSION = version("trunkline-bridge")
INSTRUCTIONS = (
    "The mesh as a whole: get_work_context tells all about the work at hand in one call, query_mcp "
    "has an agent use chosen tools, is_server_available and format_for_context tell which servers "
    "are up."
)


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
            asking=asking,
            runners=runners_of(settings, asking, time) if runners is None else runners,
            slots=_slots(settings, time),
            clock=time,
        )
        reading = PartReading(caller=MeshCaller(asking=asking))
        states, lists = MeshStates(asking=asking), Lists(asking=asking)
        health = HealthTools(states=states, way=way_of(settings))
        catalog = CatalogTools(lists=lists, states=states)
        tools = tools_of(
            WorkTools(composing=Composing(reading=reading)),
            QueryTools(queries=queries),
            health,
            CallTools(lists=lists, states=states),
            catalog,
            ResetTools(asking=asking, states=states),
            offer=settings,
        )
        server = ToolServer(
            ID,
            version=VERSION,
            instructions=INSTRUCTIONS,
            tools=tools,
            cache_hints=CACHE_HINTS,
            request_state_security=conversation_security(SigningKeys.of(settings)),
        )
        add_resources(server, Resources(catalog=catalog, health=health))
        yield server


def _slots(settings: BridgeSettings, clock: Clock) -> Slots:
    return Slots(
        total=settings.bridge_concurrent,
        per_caller=settings.bridge_concurrent_per_caller,
        queue=settings.bridge_queue,
        clock=clock,
    )
