"""The mesh as one: none of its parts waits for another that has ended."""

import asyncio
import socket

import pytest

from trunkline_cli.mesh import Mesh
from trunkline_cli.running import route
from trunkline_cli.supervisor import HostPlan, Supervisor
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared.testing.loopback import free_socket

pytestmark = pytest.mark.anyio


async def test_who_waits_for_a_router_that_ends_before_it_serves_is_hung_up_on() -> None:
    """Its own process may be one of them, which would not end before the answer came."""
    on = free_socket()
    on.listen()
    mesh = Mesh(settings=RouterSettings(), on=on, plan=HostPlan(servers={}, environment={}))
    with socket.create_connection(on.getsockname()) as waiting:
        waiting.settimeout(5)
        async with asyncio.TaskGroup() as tasks:
            routing = tasks.create_task(route(mesh, Supervisor(plan=mesh.plan), asyncio.Event()))
            await asyncio.sleep(0)
            routing.cancel()
        with pytest.raises(ConnectionResetError):
            waiting.recv(1)
