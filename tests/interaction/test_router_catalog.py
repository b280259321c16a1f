"""The catalogue: merged, stable, fresh, and never held up by a sick server."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from tests.interaction.mesh import QUICK, Mesh, routing
from tests.interaction.upstreams import Scripted, running, tool
from tests.interaction.wire import call_legacy, call_modern, get, legacy, post
from trunkline_shared.testing.sick_servers import answering, never

pytestmark = pytest.mark.anyio


async def names(mesh: Mesh, path: str = "/mcp") -> list[str]:
    reply = await post(mesh.port, legacy("tools/list"), path=path)
    return [entry["name"] for entry in reply.result["tools"]]


@pytest.mark.requirement("router.aggregate", "bridge.lists")
async def test_lists_are_merged_in_the_order_of_the_configuration() -> None:
    """Every page of every server, once."""
    many = Scripted(tools=[tool(f"m{n}") for n in range(7)], page=3)
    few = Scripted(tools=[tool("f1"), tool("f2")])
    async with (
        running(many) as url_many,
        running(few) as url_few,
        routing({"z": url_many, "a": url_few}) as mesh,
    ):
        assert await names(mesh) == [*(f"m{n}" for n in range(7)), "f1", "f2"]


@pytest.mark.parametrize("order", [("twig", "a", "b"), ("b", "a", "twig")])
async def test_a_newcomer_with_a_taken_name_is_prefixed_in_any_order(order: list[str]) -> None:
    """Built-in names never change; among others it is the id that decides, not the order."""
    async with AsyncExitStack() as stack:
        servers = {server: Scripted(tools=[tool("act")]) for server in order}
        urls = {s: await stack.enter_async_context(running(up)) for s, up in servers.items()}
        mesh = await stack.enter_async_context(routing(urls))
        assert set(await names(mesh)) == {"act", "a__act", "b__act"}
        assert await names(mesh, "/servers/b/mcp") == ["act"]
        for exposed, server in (("act", "twig"), ("a__act", "a"), ("b__act", "b")):
            note = (await call_modern(mesh.port, exposed)).result["_meta"]
            assert note["dev.trunkline/call"]["server"] == server
            assert servers[server].headers[-1]["mcp-name"] == "act"
            sent = servers[server].calls[-1]["params"]
            assert isinstance(sent, dict)
            assert sent["name"] == "act"


@pytest.mark.requirement("router.one-server")
async def test_a_server_alone_has_its_own_path() -> None:
    """/servers/{id}/mcp shows one server under its own names, with its own instructions."""
    async with (
        running(Scripted(tools=[tool("one")])) as one,
        running(Scripted(tools=[tool("two")])) as two,
        routing({"a": one, "b": two}) as mesh,
    ):
        assert await names(mesh, "/servers/a/mcp") == ["one"]
        body = legacy("initialize", {"protocolVersion": "2025-06-18"})
        opened = await post(mesh.port, body, path="/servers/b/mcp")
        assert opened.result["instructions"] == "Scripted. For tests."
        other = await post(mesh.port, legacy("tools/call", {"name": "two"}), path="/servers/a/mcp")
        assert other.error["code"] == -32602


@pytest.mark.requirement("router.dead-server")
@pytest.mark.parametrize("kind", ["refusing", "silent"])
async def test_a_sick_server_costs_its_own_entries_only(kind: str) -> None:
    """Lists, introductions and calls answer at once beside a server that does not."""
    async with AsyncExitStack() as stack:
        well = await stack.enter_async_context(running(Scripted()))
        sick = (
            "http://127.0.0.1:1"
            if kind == "refusing"
            else await stack.enter_async_context(answering(never))
        )
        patient = replace(QUICK, pace=replace(QUICK.pace, budget_s=60, load_s=60))
        router = routing({"sick": sick, "well": well}, terms=patient, settled=False)
        mesh = await stack.enter_async_context(router)
        async with asyncio.timeout(2):
            while "act" not in await names(mesh):
                pass
            opened = await post(mesh.port, legacy("initialize", {"protocolVersion": "2025-06-18"}))
            assert (
                "- sick: (no description) [DISABLED (0 failures)]" in opened.result["instructions"]
            )
            assert (await call_legacy(mesh.port, "act")).result["isError"] is False
            ready = await get(mesh.port, "/readyz")
            assert (ready.status, ready.json["waiting_for"]) == (503, ["sick"])
            assert (await get(mesh.port, "/healthz")).status == 200


async def test_a_server_past_its_budget_does_not_keep_the_router_from_being_ready() -> None:
    """Ready without it, and the unknown tool's error says who is missing."""
    hasty = replace(QUICK, pace=replace(QUICK.pace, budget_s=0.1))
    async with routing({"sick": "http://127.0.0.1:1"}, terms=hasty) as mesh:
        assert (await get(mesh.port, "/readyz")).status == 200
        reply = await call_legacy(mesh.port, "act")
        assert "Not available at the moment: sick." in reply.error["message"]


async def test_a_server_that_went_down_is_remembered_and_found_again() -> None:
    """Its tools stay listed, calls fail typed, and it is back as soon as it answers."""
    server = Scripted()
    async with AsyncExitStack() as stack, asyncio.timeout(10):
        up = AsyncExitStack()
        url = await up.enter_async_context(running(server))
        mesh = await stack.enter_async_context(routing({"a": url}))
        await up.aclose()
        assert (await call_legacy(mesh.port, "act")).result["isError"] is True
        assert await names(mesh) == ["act", "write"]
        server.tools.append(tool("new"))
        await stack.enter_async_context(running(server, int(url.rpartition(":")[2])))
        while await names(mesh) != ["act", "write", "new"]:
            pass
        assert (await call_legacy(mesh.port, "act")).result["isError"] is False
        status = (await get(mesh.port, "/status")).json["servers"]["a"]
    assert status["available"] is True
    assert "last_error" not in status


async def test_an_unknown_name_makes_the_router_look_again() -> None:
    """A tool that was added a moment ago is found by calling it."""
    server = Scripted()
    async with running(server) as url, routing({"a": url}) as mesh:
        server.tools.append(tool("new"))
        assert (await call_modern(mesh.port, "new")).result["isError"] is False


async def test_whoever_looks_again_and_again_lets_others_run() -> None:
    """Also where no server is quick enough to be waited for."""
    async with (
        answering(never) as url,
        routing({"a": url}) as mesh,
        asyncio.TaskGroup() as tasks,
    ):
        other = tasks.create_task(asyncio.sleep(0))
        for _ in range(5):
            await mesh.catalog.look_again()
        assert other.done()


async def test_unknown_names_do_not_make_a_storm() -> None:
    """However many strangers ask for nonsense, the servers are asked once."""
    server = Scripted()
    rare = replace(QUICK, pace=replace(QUICK.pace, look_again_s=60))
    async with running(server) as url, routing({"a": url}, terms=rare) as mesh:
        before = server.lists
        for number in range(20):
            assert (await call_legacy(mesh.port, f"nonsense-{number}")).error["code"] == -32602
        assert server.lists - before == 4


async def test_changes_are_seen_without_being_asked_for() -> None:
    """The listing is refreshed behind the scenes."""
    server = Scripted()
    often = replace(QUICK, pace=replace(QUICK.pace, refresh_s=0.02))
    async with asyncio.timeout(5), running(server) as url, routing({"a": url}, terms=often) as mesh:
        server.tools.append(tool("new"))
        while "new" not in await names(mesh):
            pass


async def test_definitions_pass_untouched() -> None:
    """Annotations, schemas, titles and unknown fields decide what clients do; all stay."""
    definition = tool("act") | {
        "title": "Act",
        "annotations": {"readOnlyHint": True, "destructiveHint": False, "odd": 1},
        "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}},
        "icons": [{"src": "data:,"}],
        "unknownField": {"deep": [1]},
    }
    async with running(Scripted(tools=[definition])) as url, routing({"a": url}) as mesh:
        reply = await post(mesh.port, legacy("tools/list"))
    assert reply.result["tools"] == [definition]


async def test_status_shows_each_server() -> None:
    """Available, latencies of real calls, tools, calls in flight."""
    async with running(Scripted()) as url, routing({"a": url}) as mesh:
        for _ in range(3):
            await call_legacy(mesh.port, "act")
        status = (await get(mesh.port, "/status")).json
        front = (await get(mesh.port, "/")).json
    shown = status["servers"]["a"]
    assert (shown["available"], shown["tools"], shown["in_flight"]) == (True, 2, 0)
    assert 0 < shown["latency_ms"]["p50"] <= shown["latency_ms"]["p99"]
    assert front["servers"] == {"a": "/servers/a/mcp"}


async def test_a_definition_that_cannot_be_sent_on_does_not_spoil_the_list() -> None:
    """One tool with a bottomless schema is left out; the others are there."""
    deep: dict[str, object] = {}
    for _ in range(300):
        deep = {"properties": {"a": deep}}
    server = Scripted(tools=[tool("act"), tool("abyss") | {"inputSchema": deep}])
    async with running(server) as url, routing({"a": url}) as mesh:
        assert await names(mesh) == ["act"]
