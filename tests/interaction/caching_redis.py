"""Two routers before the same documents, each with a cable of its own to one real Redis."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from tests.interaction.caching import SERVER, TOOLS, Documents, call
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import get
from tests.redis_process import RedisProcess
from tests.soak.cable import Cable, laid
from trunkline_shared.settings import load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.store.store import Store


@dataclass(frozen=True, kw_only=True)
class Shared:
    """The routers, by their own stores, and what is behind them."""

    documents: Documents
    routers: Sequence[Mesh]
    cables: Sequence[Cable]

    @property
    def one(self) -> Mesh:
        return self.routers[0]

    @property
    def other(self) -> Mesh:
        return self.routers[-1]


Change = Callable[[int, Store], Store]


@asynccontextmanager
async def over_redis(
    redis: RedisProcess, *, routers: int = 2, change: Change | None = None
) -> AsyncIterator[Shared]:
    """Run them; `change` may put something between a router and its store."""
    documents = Documents()
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(running(Scripted(answer=documents, tools=[*TOOLS])))
        meshes, cables = [], []
        for number in range(routers):
            cable = await stack.enter_async_context(laid(redis.socket))
            settings = load(StoreSettings, {"redis_url": f"redis://127.0.0.1:{cable.port}"})
            store = await stack.enter_async_context(open_store(settings))
            if change is not None:
                store = change(number, store)
            mesh = await stack.enter_async_context(routing({SERVER: url}, store=store))
            meshes.append(mesh)
            cables.append(cable)
        yield Shared(documents=documents, routers=meshes, cables=cables)


async def cache_of(port: int) -> Any:
    """Return what `/status` tells of the cache."""
    return (await get(port, "/status")).json["cache"]


async def until_on(port: int, *, on: bool = True) -> Any:
    """Wait until `/status` says that what is kept is used, or that it is not."""
    async with asyncio.timeout(15):
        while (told := await cache_of(port))["on"] is not on:
            pass
    return told


async def until_kept(mesh: Mesh, name: str = "look") -> None:
    """Ask until an answer comes from what is kept."""
    async with asyncio.timeout(20):
        while (await call(mesh, name)).source != "cache":
            pass
