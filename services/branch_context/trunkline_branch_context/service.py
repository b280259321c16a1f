"""The branch-context service: the one place that puts its parts together."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from mcp.server.caching import CacheableMethod, CacheHint

from trunkline_branch_context.checkout import checkout_at
from trunkline_branch_context.completion import BranchCompletion, add_completion
from trunkline_branch_context.context import Contexts
from trunkline_branch_context.elsewhere import Elsewhere
from trunkline_branch_context.prompts import Prompts, add_prompts
from trunkline_branch_context.resources import Resources, add_resources
from trunkline_branch_context.settings import BranchContextSettings
from trunkline_branch_context.tools import BranchTools, ListTools
from trunkline_branch_context.watch import AudienceBus, Watch
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.http.client import open_http
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.mesh.caller import MeshCaller
from trunkline_shared.server import ToolServer
from trunkline_shared.service import Option, Service
from trunkline_shared.store.store import Store
from trunkline_shared.tool import tools_of
from trunkline_shared.work.reading import PART_S, PartReading

VERSION = "0.1.0"
INSTRUCTIONS = (
    "Read-only facts about one git checkout: branches, how they are stacked (twig), and the Jira "
    "issue and pull request linked to each. Start with get_current_branch."
)
UNCHANGING = CacheHint(ttl_ms=5000, scope="private")
CACHE_HINTS: Mapping[CacheableMethod, CacheHint] = {
    "resources/list": UNCHANGING,
    "resources/templates/list": UNCHANGING,
    "prompts/list": UNCHANGING,
    "resources/read": CacheHint(ttl_ms=0, scope="private"),
}


@asynccontextmanager
async def open_server(
    settings: BranchContextSettings,
    _: Store,
    clock: Clock | None = None,
    *,
    part_s: float = PART_S,
) -> AsyncIterator[ToolServer]:
    """Open the server on the configured checkout; it need not exist until it is asked about.

    Another server has `part_s` seconds to answer.
    """
    here = clock or SystemClock()
    checkout = checkout_at(settings, here)
    bus = AudienceBus()
    tools = tools_of(BranchTools(checkout=checkout), ListTools(checkout=checkout), offer=settings)
    server = ToolServer(
        "twig",
        version=VERSION,
        instructions=INSTRUCTIONS,
        tools=tools,
        subscriptions=bus,
        cache_hints=CACHE_HINTS,
    )
    add_completion(server, BranchCompletion(checkout=checkout))
    async with open_http(here) as http, asyncio.TaskGroup() as tasks:
        caller = MeshCaller(asking=Asking(http=http, name="twig", version=VERSION))
        elsewhere = Elsewhere(reading=PartReading(caller=caller, part_s=part_s))
        contexts = Contexts(checkout=checkout, elsewhere=elsewhere, settings=settings)
        add_resources(server, Resources(checkout=checkout, contexts=contexts))
        add_prompts(server, Prompts(checkout=checkout, contexts=contexts))
        watch = Watch(checkout=checkout, bus=bus)
        server.before_listening = watch.begin
        watching = tasks.create_task(watch.run())
        try:
            yield server
        finally:
            watching.cancel()


REPOSITORY = Option(
    flag="--repo",
    field="repo_path",
    metavar="PATH",
    help="the checkout to answer about (else TRUNKLINE_REPO_PATH, else the current directory)",
)
SERVICE = Service(
    id="twig",
    container="branch-context",
    version=VERSION,
    settings=BranchContextSettings,
    open=open_server,
    options=(REPOSITORY,),
)
