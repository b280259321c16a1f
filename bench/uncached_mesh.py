"""Servers in this process, and a router before them that keeps no answer."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from trunkline_router.composition.plan import Surroundings
from trunkline_router.composition.router import serving as routing
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared.clock import SystemClock
from trunkline_shared.service import Service
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.serving import address, free_socket, serving

_LISTED_S = 20


@asynccontextmanager
async def uncached_mesh(
    services: Sequence[Service[Any]], given: Mapping[str, object]
) -> AsyncIterator[str]:
    """Run the services with settings; yields the router's URL once every server is listed."""
    store, on = in_process_store(), free_socket()
    async with AsyncExitStack() as running:
        urls: dict[str, str] = {}
        for one in services:
            server = await running.enter_async_context(one.open(load(one.settings, given), store))
            urls[one.id] = f"{await running.enter_async_context(serving(server))}/mcp"
        uncached = Configuration.model_validate({"router": {"cache": {"enabled": False}}})
        around = Surroundings(clock=SystemClock(), configuration=uncached, store=in_process_store())
        settings = load(RouterSettings, {"server_urls": urls})
        catalog = await running.enter_async_context(routing(settings, on, around))
        async with asyncio.timeout(_LISTED_S):
            await catalog.wait_sought()
        yield f"{address(on)}/mcp"
