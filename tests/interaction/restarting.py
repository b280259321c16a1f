"""A router that is stopped and started again on its port, as an upgrade does it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from tests.interaction.mesh import QUICK
from trunkline_router.composition.plan import Surroundings
from trunkline_router.composition.router import serving
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.settings import RouterSettings
from trunkline_router.listening import base_of, bind
from trunkline_shared.store.store import in_process_store

SECRET = "the-same-before-and-after"


@dataclass(kw_only=True)
class RestartableRouter:
    """Nothing of what it held in memory outlives a restart; its secret and its port do."""

    servers: Mapping[str, str]
    port: int = 0
    url: str = ""
    _running: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def start(self) -> None:
        """Serve on the port it had, and return when every server is listed."""
        settings = RouterSettings.model_validate({
            "server_urls": {server: f"{url}/mcp" for server, url in self.servers.items()},
            "secret": SECRET,
        })
        on = bind("127.0.0.1", self.port)
        self.port, self.url = on.getsockname()[1], base_of(on)
        around = Surroundings(terms=QUICK, configuration=Configuration(), store=in_process_store())
        catalog = await self._running.enter_async_context(serving(settings, on, around))
        async with asyncio.timeout(5):
            await catalog.wait_sought()

    async def stop(self) -> None:
        """End; streams that are open are ended with it."""
        await self._running.aclose()

    async def restart(self) -> None:
        await self.stop()
        await self.start()


@asynccontextmanager
async def restartable(servers: Mapping[str, str]) -> AsyncIterator[RestartableRouter]:
    """Run a router in front of `servers` (id to base URL, `/mcp` is added)."""
    router = RestartableRouter(servers=servers)
    await router.start()
    try:
        yield router
    finally:
        await router.stop()
