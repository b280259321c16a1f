"""A server's container is killed or hangs while fifty agents call."""

import asyncio
from collections.abc import Sequence

import pytest

from tests.system.crowd import (
    BACK_S,
    AtWork,
    at_work,
    check_typed,
    check_unaffected,
    check_written,
)
from tests.system.everyday import READS
from tests.system.mesh_in_containers import SERVERS, MeshInContainers
from tests.system.router_pages import reset_breaker

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]


def others(server: str) -> Sequence[str]:
    return [one for one in READS if one != server]


async def back(working: AtWork, server: str) -> None:
    """Wait until a server that has just come back is well, which is soon, and stays so."""
    returned = working.now()
    found = await working.well(returned, [server])
    assert found - returned <= BACK_S
    await working.served(found, [server])


@pytest.mark.requirement("shipping.system-server-killed", "shipping.system-once")
@pytest.mark.parametrize("server", READS)
async def test_a_killed_server_costs_nobody_but_its_own_callers(
    mesh: MeshInContainers, server: str
) -> None:
    """Its calls are refused in time, and it is found soon after it is back."""
    async with asyncio.timeout(150), at_work(mesh) as working:
        killed = working.now()
        await asyncio.to_thread(mesh.kill, SERVERS[server])
        await working.refused(killed, server)
        await working.served(killed, others(server))
        await asyncio.to_thread(mesh.start, SERVERS[server])
        await back(working, server)
    check_unaffected(working.crowd.since(0, *others(server)))
    check_typed(working.crowd.since(0, server))
    await check_written(working)


@pytest.mark.requirement("shipping.system-server-hangs", "shipping.system-once")
async def test_a_server_that_hangs_costs_nobody_but_its_own_callers(
    mesh: MeshInContainers,
) -> None:
    """Its calls end with their time, and what lies in its socket is not written twice."""
    server = "github_comment"
    async with asyncio.timeout(150), at_work(mesh) as working:
        hung = working.now()
        await asyncio.to_thread(mesh.pause, SERVERS[server])
        await working.refused(hung, server)
        await working.served(hung, others(server))
        await asyncio.to_thread(mesh.unpause, SERVERS[server])
        # Who did badly is left alone for minutes, unless an operator knows better.
        await reset_breaker(mesh, server)
        await back(working, server)
    check_unaffected(working.crowd.since(0, *others(server)))
    check_typed(working.crowd.since(0, server))
    await check_written(working)


@pytest.mark.requirement("shipping.system-restarts")
def test_a_server_that_ends_is_started_again(mesh: MeshInContainers) -> None:
    """By the engine, without anybody's doing."""
    before = mesh.inspected("jira")["State"]["StartedAt"]
    mesh.told("jira", "python", "-c", "import os, signal; os.kill(1, signal.SIGTERM)")
    while mesh.inspected("jira")["State"]["StartedAt"] == before:
        pass
    mesh.accepting("jira")
