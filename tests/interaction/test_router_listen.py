"""Listen streams through the router: acknowledged, filtered, under the client's own id."""

import asyncio
from dataclasses import replace

import pytest
from aiohttp import web
from mcp import Client

from tests.interaction.listen_streams import ID, LISTEN, heard, listening
from tests.interaction.mesh import QUICK, routing, sample_server
from tests.interaction.upstreams import Json, Scripted, event, running, tool
from tests.interaction.wire import modern, modern_headers, post
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

OFTEN = replace(QUICK, pace=replace(QUICK.pace, refresh_s=0.02))


async def test_list_changes_are_told_to_those_who_asked() -> None:
    """The acknowledgement is first; only what was asked for follows."""
    server = Scripted()
    async with (
        asyncio.timeout(5),
        running(server) as url,
        routing({"a": url}, terms=OFTEN) as mesh,
        listening(mesh, {"toolsListChanged": True, "odd": True}) as reader,
    ):
        first = await heard(reader)
        assert first["method"] == "notifications/subscriptions/acknowledged"
        assert first["params"]["notifications"] == {"toolsListChanged": True}
        server.prompts.append({"name": "p"})
        server.tools.append(tool("new"))
        assert (await heard(reader))["method"] == "notifications/tools/list_changed"


@pytest.mark.requirement("context.offer")
async def test_under_a_context_only_what_it_offers_changes() -> None:
    """A new tool that the context withholds is no news; one that it offers is."""
    server = Scripted()
    other = Scripted(resources=[{"uri": "x://1", "name": "r"}])
    asked: Json = {"toolsListChanged": True, "resourcesListChanged": True}
    async with (
        asyncio.timeout(5),
        running(server) as url,
        running(other) as beside,
        routing({"a": url, "b": beside}, terms=OFTEN) as mesh,
        listening(mesh, asked, path="/mcp?pr_number=12") as reader,
    ):
        await heard(reader)
        server.tools.append(tool("wide", read_only=False))
        known = mesh.catalog.directory()
        while "wide" not in known.tools:
            known = await mesh.catalog.changed(known, None)
        other.resources.append({"uri": "x://2", "name": "r2"})
        assert (await heard(reader))["method"] == "notifications/resources/list_changed"
        server.tools.append(tool("near"))
        assert (await heard(reader))["method"] == "notifications/tools/list_changed"


async def test_resource_updates_are_forwarded_and_end_with_the_client() -> None:
    """The server hears one listen for its own URIs, and its end when the client leaves."""
    ended = asyncio.Event()

    async def tells(http: web.Request, request: Json) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(http)
        meta = {ID: request["id"]}
        acknowledged = {"method": "notifications/subscriptions/acknowledged", "params": {}}
        await response.write(event({"jsonrpc": "2.0", **acknowledged}))
        params = {"uri": "x://1", "_meta": meta}
        frame = {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": params}
        other = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
        await response.write(event(other) + event(frame))
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return response

    server = Scripted(answer=tells, templates=[{"uriTemplate": "x://{id}", "name": "t"}])
    async with asyncio.timeout(5), running(server) as url, routing({"a": url}) as mesh:
        asked: Json = {"resourceSubscriptions": ["x://1", "unknown://2"]}
        async with listening(mesh, asked) as reader:
            first = await heard(reader)
            assert first["params"]["notifications"] == {"resourceSubscriptions": ["x://1"]}
            update = await heard(reader)
            assert update["method"] == "notifications/resources/updated"
            assert update["params"]["uri"] == "x://1"
        await ended.wait()
    params = server.calls[0]["params"]
    assert isinstance(params, dict)
    assert params["notifications"] == {"resourceSubscriptions": ["x://1"]}


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"notifications": []},
        {"notifications": {"resourceSubscriptions": "x"}},
        {"notifications": {"resourceSubscriptions": ["x://1"] * 257}},
    ],
)
async def test_a_filter_that_is_none_is_refused(params: Json) -> None:
    """-32602 before any stream is opened."""
    async with running(Scripted()) as url, routing({"a": url}) as mesh:
        reply = await post(mesh.port, modern(LISTEN, params), modern_headers(LISTEN))
    assert (reply.status, reply.error["code"]) == (400, -32602)


async def test_the_sdks_client_hears_an_update() -> None:
    """A resource that a server reports as changed reaches a subscribed client."""
    server = sample_server()
    async with (
        asyncio.timeout(10),
        serving(server) as url,
        routing({"a": url}) as mesh,
        Client(mesh.mcp, mode="2026-07-28") as client,
        client.listen(resource_subscriptions=["sample://fixed"]) as stream,
    ):
        await client.call_tool("touch", {})
        async for told in stream:
            assert "sample://fixed" in str(told)
            break
