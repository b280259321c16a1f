"""The router itself is killed, or replaced by a new one, while fifty agents call."""

import asyncio

import pytest

from tests.system.agents import LOST
from tests.system.crowd import BACK_S, AtWork, at_work, check_typed, check_written
from tests.system.mesh_in_containers import MeshInContainers

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]


async def back(working: AtWork) -> None:
    """Wait until every server is served again, which is soon, and stays so."""
    returned = working.now()
    found = await working.well(returned)
    assert found - returned <= BACK_S
    await working.served(found)


@pytest.mark.requirement("shipping.system-router-killed", "shipping.system-once")
async def test_a_killed_router_is_back_as_if_nothing_had_been(mesh: MeshInContainers) -> None:
    """Nothing that was under way is written twice, and no server has to be told."""
    async with asyncio.timeout(150), at_work(mesh) as working:
        await asyncio.to_thread(mesh.kill, "router")
        await asyncio.to_thread(mesh.start, "router")
        await back(working)
    check_typed(one for one in working.crowd.since(0) if one.code != LOST)
    await check_written(working)
