"""Containers are replaced by new ones, as an update does, while agents call."""

import asyncio

import pytest

from tests.system.agents import Ask, agent
from tests.system.crowd import BACK_S, at_work, check_typed, check_unaffected, check_written
from tests.system.everyday import HERE, READS
from tests.system.mesh_in_containers import SERVERS, MeshInContainers

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]

WAIT = Ask(server="github_ci", tool="wait_for_ci", arguments={**HERE, "ref": "main"})
"""No CI has run for it, so that it waits for as long as it may."""


@pytest.mark.requirement("shipping.system-update", "shipping.system-once")
async def test_a_server_s_update_costs_nobody_but_its_own_callers(mesh: MeshInContainers) -> None:
    """They are told with a code that they may come again, and soon may."""
    server = "github_comment"
    others = [one for one in READS if one != server]
    async with asyncio.timeout(200), at_work(mesh) as working:
        await asyncio.to_thread(mesh.recreate, SERVERS[server])
        await asyncio.to_thread(mesh.accepting, SERVERS[server])
        returned = working.now()
        found = await working.well(returned, [server])
        assert found - returned <= BACK_S
        await working.served(found, [server])
    check_unaffected(working.crowd.since(0, *others))
    check_typed(working.crowd.since(0, server))
    await check_written(working)


@pytest.mark.requirement("shipping.system-update")
@pytest.mark.parametrize("service", ["ci-status", "router"])
async def test_a_wait_that_an_update_ends_says_how_to_resume(
    mesh: MeshInContainers, service: str
) -> None:
    """Whether its server is replaced or its router."""
    async with (
        asyncio.timeout(120),
        agent(mesh.url, mesh.key) as me,
        asyncio.TaskGroup() as tasks,
    ):
        waiting = tasks.create_task(me.call(WAIT))
        await asyncio.to_thread(mesh.recreate, service)
        answer = await waiting
        await asyncio.to_thread(mesh.accepting, service)
    assert answer.code == "CANCELLED", answer.shown
    assert answer.payload["retryable"] is True
    assert answer.payload["details"]["reason"] == "shutting_down"
    assert "Call again" in answer.payload["hint"]
