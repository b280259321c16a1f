"""Cancelling in sessions: said in a notification, meant for one call, wherever that runs."""

import asyncio

import pytest
from aiohttp import web
from mcp import Client

from tests.interaction.asking_server import Asking, read
from tests.interaction.legacy_wire import legacy_client
from tests.interaction.mesh import Mesh, routing
from tests.interaction.replicas import replicas
from tests.interaction.upstreams import Json, Scripted, running

pytestmark = pytest.mark.anyio

CANCELLED = "notifications/cancelled"


@pytest.mark.requirement("gateway.sessions-cancel")
async def test_a_cancelled_call_is_cancelled_at_its_server(mesh: Mesh, asking: Asking) -> None:
    """It is not answered: its stream ends (clients.md 12)."""
    async with legacy_client(mesh.mcp) as client, asyncio.TaskGroup() as tasks:
        await client.initialize()

        async def hang() -> None:
            async with client.asking("tools/call", {"name": "hang"}, id="h") as stream:
                assert stream.streams
                assert await stream.rest() == []

        tasks.create_task(hang())
        await asking.begun.wait()
        assert await client.notify(CANCELLED, {"requestId": "h"}) == 202
        await asking.cancelled.wait()


@pytest.mark.requirement("gateway.sessions-cancel")
async def test_a_call_is_cancelled_through_the_other_replica(asking: Asking) -> None:
    """Whichever gets the notification, the one that runs the call hears of it."""
    async with (
        running(asking.server) as url,
        replicas({"a": url}) as (one, other),
        legacy_client(one.mcp) as client,
        asyncio.TaskGroup() as tasks,
    ):
        await client.initialize()
        tasks.create_task(
            client.send({
                "jsonrpc": "2.0",
                "id": 9,
                "method": "tools/call",
                "params": {"name": "hang"},
            })
        )
        await asking.begun.wait()
        assert await client.elsewhere(other.mcp).notify(CANCELLED, {"requestId": 9}) == 202
        await asking.cancelled.wait()


async def test_the_sdks_client_cancels(mesh: Mesh, asking: Asking) -> None:
    """A call that its caller gives up, in the legacy mode of the Python SDK."""
    async with (
        asyncio.timeout(10),
        Client(mesh.mcp, mode="legacy") as client,
        asyncio.TaskGroup() as tasks,
    ):
        call = tasks.create_task(client.call_tool("hang", {}))
        await asking.begun.wait()
        call.cancel()
        await asking.cancelled.wait()


@pytest.mark.requirement("gateway.sessions-cancel")
@pytest.mark.parametrize("request_id", [2, 99, "x", None, True, 1.5, [1], {"a": 1}])
async def test_cancelling_what_does_not_run_is_ignored(mesh: Mesh, request_id: object) -> None:
    """opencode does it after every call (clients.md 12)."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        assert read(await client.call("say", n=1)) == {"n": 1}
        assert await client.notify(CANCELLED, {"requestId": request_id}) == 202
        assert read(await client.call("say", n=2)) == {"n": 2}


async def test_nobody_cancels_for_another(mesh: Mesh, asking: Asking) -> None:
    """Neither another session with the same id, nor a client without one."""
    async with (
        legacy_client(mesh.mcp) as client,
        legacy_client(mesh.mcp) as other,
        legacy_client(mesh.mcp) as stranger,
    ):
        await client.initialize()
        await other.initialize()
        async with client.asking("tools/call", {"name": "wait"}, id=5) as stream:
            await asking.begun.wait()
            for one in (other, stranger):
                assert await one.notify(CANCELLED, {"requestId": 5}) == 202
            asking.go.set()
            assert read((await stream.rest())[-1]) == {"waited": True}


async def test_a_client_that_leaves_does_not_cancel(mesh: Mesh, asking: Asking) -> None:
    """In sessions a broken connection is no word; the call comes to its end."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        async with client.asking("tools/call", {"name": "wait"}) as stream:
            last = (await stream.event()).id
        asking.go.set()
        async with client.getting(last) as stream:
            assert read((await stream.rest())[-1]) == {"waited": True}


async def test_delete_cancels_what_runs(mesh: Mesh, asking: Asking) -> None:
    """Nobody could fetch the answer any more."""
    async with legacy_client(mesh.mcp) as client, asyncio.TaskGroup() as tasks:
        await client.initialize()
        tasks.create_task(
            client.send({
                "jsonrpc": "2.0",
                "id": 9,
                "method": "tools/call",
                "params": {"name": "hang"},
            })
        )
        await asking.begun.wait()
        assert await client.delete() == 204
        await asking.cancelled.wait()


async def test_calls_of_one_id_are_all_cancelled() -> None:
    """However odd the client: no call of its session is left at a server."""
    under_way: set[object] = set()
    changed = asyncio.Condition()

    async def hang(_: web.Request, request: Json) -> web.StreamResponse:
        async with changed:
            under_way.add(request["id"])
            changed.notify_all()
        try:
            await asyncio.Event().wait()
        finally:
            async with changed:
                under_way.discard(request["id"])
                changed.notify_all()
        raise AssertionError

    async def are(count: int) -> None:
        async with changed:
            await changed.wait_for(lambda: len(under_way) == count)

    call: Json = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "act"}}
    async with (
        running(Scripted(answer=hang)) as url,
        routing({"a": url}) as mesh,
        legacy_client(mesh.mcp) as client,
        asyncio.TaskGroup() as tasks,
    ):
        await client.initialize()
        for _ in range(3):
            tasks.create_task(client.send(call))
        await are(3)
        assert await client.delete() == 204
        await are(0)


async def test_a_client_without_streams_is_told_nothing(mesh: Mesh, asking: Asking) -> None:
    """Its cancelled request gets 202, and no body."""
    async with legacy_client(mesh.mcp, Accept="application/json") as client:
        await client.initialize()
        async with asyncio.TaskGroup() as tasks:
            message = {
                "jsonrpc": "2.0",
                "id": 9,
                "method": "tools/call",
                "params": {"name": "hang"},
            }
            sent = tasks.create_task(client.send(message))
            await asking.begun.wait()
            await client.notify(CANCELLED, {"requestId": 9})
        assert sent.result() == 202
