"""The jira server, put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from trunkline_jira.settings import JiraSettings
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.offer import OfferSettings, offered
from trunkline_shared.server import ToolServer
from trunkline_shared.store.store import Store
from trunkline_shared.tool import tools_of

ID = "jira"
VERSION = version("trunkline-jira")
INSTRUCTIONS = ""


def build(*, clock: Clock, offer: OfferSettings) -> ToolServer:
    """Return the server with the tools that `offer` asks for."""
    tools = tools_of()
    return ToolServer(ID, version=VERSION, instructions=INSTRUCTIONS, tools=offered(tools, offer))


@asynccontextmanager
async def open_server(
    settings: JiraSettings, store: Store, clock: Clock | None = None
) -> AsyncIterator[ToolServer]:
    """Open the server; what it holds is closed at the end."""
    yield build(clock=clock or SystemClock(), offer=settings)
