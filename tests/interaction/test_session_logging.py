"""What a session asks to be told: log messages from a level on, and updates of resources."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.interaction.asking_server import META, Asking, read
from tests.interaction.legacy_wire import Answered, LegacyClient, legacy_client
from tests.interaction.mesh import Mesh, SampleTools, routing, sample_server
from tests.interaction.replicas import replicas
from tests.interaction.upstreams import running
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

UPDATED = {
    "jsonrpc": "2.0",
    "method": "notifications/resources/updated",
    "params": {"uri": "sample://fixed"},
}


@asynccontextmanager
async def told(*, subscribed: bool) -> AsyncIterator[LegacyClient]:
    """Open a session at a router in front of the sample server, which tells of its resource."""
    async with (
        serving(sample_server(SampleTools())) as url,
        routing({"a": url}) as mesh,
        legacy_client(mesh.mcp) as client,
    ):
        await client.initialize()
        if subscribed:
            await client.ask("resources/subscribe", {"uri": "sample://fixed"})
        yield client


async def updated(client: LegacyClient, stream: Answered) -> object:
    """Touch the resource until an update is told: who listens may still be on the way."""
    async with asyncio.TaskGroup() as tasks:
        heard = tasks.create_task(stream.message())
        while not heard.done():
            await client.call("touch")
            await asyncio.wait({heard}, timeout=0.05)
        return heard.result()


@pytest.mark.requirement("gateway.sessions-logging")
async def test_a_level_is_asked_of_servers_from_then_on(mesh: Mesh, asking: Asking) -> None:
    """Messages come on the call's stream; without a level none are asked for."""
    asking.go.set()
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        await client.call("say")
        assert (await client.ask("logging/setLevel", {"level": "warning"}))["result"] == {}
        async with client.asking("tools/call", {"name": "log"}) as stream:
            messages = await stream.rest()
    assert [meta.get(f"{META}logLevel") for meta in asking.metas] == [None, "warning"]
    assert messages[0] == {
        "jsonrpc": "2.0",
        "method": "notifications/message",
        "params": {"level": "info", "data": "begun"},
    }


@pytest.mark.requirement("gateway.sessions-logging")
async def test_a_level_holds_at_the_other_replica(asking: Asking) -> None:
    """And is nobody else's."""
    async with (
        running(asking.server) as url,
        replicas({"a": url}) as (one, other),
        legacy_client(one.mcp) as client,
        legacy_client(one.mcp) as bystander,
    ):
        await client.initialize()
        await bystander.initialize()
        await client.ask("logging/setLevel", {"level": "debug"})
        await client.elsewhere(other.mcp).call("say")
        await bystander.elsewhere(other.mcp).call("say")
    assert [meta.get(f"{META}logLevel") for meta in asking.metas] == ["debug", None]


@pytest.mark.parametrize("level", ["loud", "", None, 7])
async def test_an_unknown_level_is_refused(mesh: Mesh, level: object) -> None:
    """With those that there are."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        error = (await client.ask("logging/setLevel", {"level": level}))["error"]
    assert error["code"] == -32602
    assert "emergency" in error["message"]


@pytest.mark.requirement("gateway.sessions-logging")
async def test_updates_of_a_subscribed_resource_are_told() -> None:
    """On the open stream, without what only a modern client knows."""
    async with told(subscribed=True) as client, client.getting() as stream:
        await stream.event()
        assert await updated(client, stream) == UPDATED


@pytest.mark.requirement("gateway.sessions-logging")
async def test_a_subscription_may_come_after_the_stream() -> None:
    """The stream that is open tells of it from then on."""
    async with told(subscribed=False) as client, client.getting() as stream:
        await stream.event()
        await client.ask("resources/subscribe", {"uri": "sample://fixed"})
        assert await updated(client, stream) == UPDATED


async def test_subscribing_at_one_replica_reaches_a_stream_at_the_other() -> None:
    """Each POST goes where a balancer sends it."""
    async with (
        serving(sample_server()) as url,
        replicas({"a": url}) as (one, other),
        legacy_client(one.mcp) as client,
    ):
        await client.initialize()
        async with client.getting() as stream:
            await stream.event()
            there = client.elsewhere(other.mcp)
            await there.ask("resources/subscribe", {"uri": "sample://fixed"})
            assert await updated(there, stream) == UPDATED


async def test_what_is_not_there_cannot_be_subscribed_to(mesh: Mesh) -> None:
    """-32002 names the URI; unsubscribing is always possible."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        refused = await client.ask("resources/subscribe", {"uri": "y://nothing"})
        assert (refused["error"]["code"], refused["error"]["data"]) == (
            -32002,
            {"uri": "y://nothing"},
        )
        gone = await client.ask("resources/unsubscribe", {"uri": "y://nothing"})
        assert gone["result"] == {}


@pytest.mark.parametrize("uri", [None, 7, "x" * 3000])
async def test_a_uri_is_a_text_of_some_length(mesh: Mesh, uri: object) -> None:
    """Nothing else is remembered."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        for method in ("resources/subscribe", "resources/unsubscribe"):
            assert (await client.ask(method, {"uri": uri}))["error"]["code"] == -32602


async def test_roots_that_change_are_taken_note_of(mesh: Mesh) -> None:
    """202; who wants to know asks for them in its next call."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize({"roots": {"listChanged": True}})
        assert await client.notify("notifications/roots/list_changed") == 202
        assert read(await client.call("say", n=1)) == {"n": 1}
