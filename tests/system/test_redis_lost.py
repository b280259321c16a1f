"""Redis is killed, hangs, or comes back with nothing while fifty agents call."""

import asyncio
import itertools
import secrets
from collections.abc import Callable

import pytest

from tests.system.agents import agent
from tests.system.crowd import BACK_S, AtWork, at_work, check_unaffected, check_written
from tests.system.everyday import fresh
from tests.system.mesh_in_containers import MeshInContainers

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

SETTLED_S = 10
"""A Redis that was away makes everything as new as a write does, and what is new settles first."""


async def keeps_again(working: AtWork) -> None:
    """Wait until an answer is kept for the next one who asks: of Basecamp, where nobody writes."""
    async with (
        asyncio.timeout(SETTLED_S + BACK_S),
        agent(working.mesh.url, working.mesh.key) as one,
        agent(working.mesh.url, working.mesh.key) as another,
    ):
        for turn in itertools.count(secrets.randbelow(100_000_000)):
            ask = fresh("basecamp", turn)
            await one.call(ask)
            if (await another.call(ask)).source == "cache":
                return


async def lost(mesh: MeshInContainers, lose: Callable[[], None], find: Callable[[], None]) -> None:
    """Lose Redis while everybody works, and find it again: nobody is told, nothing is stale."""
    async with asyncio.timeout(150), at_work(mesh) as working:
        gone = working.now()
        await asyncio.to_thread(lose)
        await working.served(gone)
        await asyncio.to_thread(find)
        await keeps_again(working)
        await working.served(working.now())
    check_unaffected(working.crowd.since(0))
    await check_written(working)


@pytest.mark.requirement("shipping.system-redis-lost", "shipping.system-once")
async def test_a_mesh_without_redis_goes_on(mesh: MeshInContainers) -> None:
    """Slower, and never wrong: the cache is off until Redis is back."""
    await lost(mesh, lambda: mesh.kill("redis"), lambda: mesh.start("redis"))


@pytest.mark.requirement("shipping.system-redis-lost")
async def test_a_mesh_whose_redis_hangs_goes_on(mesh: MeshInContainers) -> None:
    """It is not waited for."""
    await lost(mesh, lambda: mesh.pause("redis"), lambda: mesh.unpause("redis"))


@pytest.mark.requirement("shipping.system-redis-lost")
async def test_a_mesh_whose_redis_has_forgotten_everything_goes_on(
    mesh: MeshInContainers,
) -> None:
    """As after a restore of nothing: no old answer is taken for a new one."""
    await lost(mesh, mesh.forget_redis, lambda: mesh.start("redis"))
