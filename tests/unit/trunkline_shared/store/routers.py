"""Routers that share generations, as far as the store sees them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

from anyio.lowlevel import checkpoint

from trunkline_shared.clock import SystemClock
from trunkline_shared.store.generation_port import Generations, Membership, Reading
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.settings import StoreSettings

TERMS = Membership(
    name="a",
    clock=SystemClock(),
    beat_s=0.1,
    silence_s=1.0,
    forget_s=None,
)
NOTICED_S = 1.5
"""Within so many seconds a silent router is noticed."""
NAME = "=gh:acme/widgets#12"


@asynccontextmanager
async def router(
    settings: StoreSettings, name: str = "a", *, forget_s: float | None = None
) -> AsyncIterator[Generations]:
    """Be one router for the length of the block."""
    terms = replace(TERMS, name=name, forget_s=forget_s)
    async with open_store(settings) as store, store.generations.joined(terms):
        yield store.generations


@asynccontextmanager
async def two_routers(settings: StoreSettings) -> AsyncIterator[tuple[Generations, Generations]]:
    """Be two routers, a and b, that both use what was kept."""
    async with router(settings, "a") as one, router(settings, "b") as other:
        for generations in (one, other):
            await on(generations)
            await until(lambda: generations.state()["routers"] == ["a", "b"])  # noqa: B023 - waited for at once
        yield one, other


async def on(generations: Generations, *names: str) -> Reading:
    """Return the generations as soon as they can be had."""
    async with asyncio.timeout(20):
        while (found := await generations.read(names or (NAME,))) is None:
            await checkpoint()
    return found


async def off(generations: Generations) -> None:
    """Return when nothing that was kept may be used."""
    async with asyncio.timeout(20):
        while await generations.read((NAME,)) is not None:
            await checkpoint()


async def until(condition: Callable[[], bool]) -> None:
    """Return when something is so."""
    async with asyncio.timeout(20):
        while not condition():
            await checkpoint()


async def nonce(generations: Generations, name: str = NAME) -> str:
    """Return what an answer under this name alone would be kept under."""
    found = await on(generations, name)
    return found.root + found.by_name[name].nonce
