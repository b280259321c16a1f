"""A catalogue that outlives servers and routers: remembered, marked, forgotten in the end."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import pytest

from tests.interaction.keys import ask
from tests.interaction.mesh import QUICK, Mesh, routing
from tests.interaction.upstreams import Scripted, running, tool
from tests.interaction.wire import call_legacy, call_modern, get, legacy, post
from trunkline_shared import meta
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.sick_servers import answering, never

pytestmark = pytest.mark.anyio

PATIENT = replace(QUICK, pace=replace(QUICK.pace, budget_s=60, foreign_budget_s=60, load_s=60))


async def shown(mesh: Mesh) -> dict[str, Any]:
    return {each["name"]: each for each in (await ask(mesh, None)).result["tools"]}


def is_marked(definition: dict[str, Any]) -> bool:
    noted: Any = definition.get("_meta", {})
    return bool(noted.get(meta.AVAILABILITY) == {"available": False})


async def away(mesh: Mesh, server: str) -> None:
    seen = mesh.catalog.directory()
    while server not in seen.missing:
        seen = await mesh.catalog.changed(seen, None)


@pytest.mark.requirement("gateway.catalogue")
@pytest.mark.parametrize("kind", ["refusing", "silent"])
async def test_a_restarted_router_knows_what_its_servers_offered(kind: str) -> None:
    """gateways.md 5.3: with every server down, lists and introductions are there at once."""
    store = in_process_store()
    server = Scripted(
        prompts=[{"name": "greet"}],
        resources=[{"uri": "x://1", "name": "r"}],
        templates=[{"uriTemplate": "x://{id}/t", "name": "t"}],
    )
    async with AsyncExitStack() as stack, asyncio.timeout(10):
        async with running(server) as url, routing({"a": url}, store=store) as mesh:
            before = await shown(mesh)
        sick = (
            "http://127.0.0.1:1"
            if kind == "refusing"
            else await stack.enter_async_context(answering(never))
        )
        router = routing({"a": sick}, store=store, terms=PATIENT, settled=False)
        mesh = await stack.enter_async_context(router)
        assert (await get(mesh.port, "/readyz")).status == 200
        after = await shown(mesh)
        assert list(after) == list(before) == ["act", "write"]
        for method, key in (
            ("prompts/list", "prompts"),
            ("resources/list", "resources"),
            ("resources/templates/list", "resourceTemplates"),
        ):
            assert len((await ask(mesh, None, method)).result[key]) == 1
        body = legacy("initialize", {"protocolVersion": "2025-06-18"})
        told = (await post(mesh.port, body)).result["instructions"]
        assert "- a: Scripted. For tests. [" in told


@pytest.mark.requirement("gateway.catalogue")
async def test_tools_of_a_server_that_is_away_stay_listed_and_marked() -> None:
    """The description is as it was; the mark goes when the server is back."""
    server = Scripted()
    async with AsyncExitStack() as stack, asyncio.timeout(10):
        up = AsyncExitStack()
        url = await up.enter_async_context(running(server))
        mesh = await stack.enter_async_context(routing({"a": url}))
        fresh = await shown(mesh)
        await up.aclose()
        await call_legacy(mesh.port, "act")
        await away(mesh, "a")
        marked = await shown(mesh)
        told = (await ask(mesh, None, "server/discover")).result["instructions"]
        await stack.enter_async_context(running(server, int(url.rpartition(":")[2])))
        while is_marked((await shown(mesh))["act"]):
            pass
        assert await shown(mesh) == fresh
    assert all(is_marked(each) for each in marked.values())
    assert not any(is_marked(each) for each in fresh.values())
    assert [each["description"] for each in marked.values()] == ["act.", "write."]
    assert "- a: Scripted. For tests. [DISABLED (1 failures)]" in told


@pytest.mark.requirement("gateway.catalogue")
async def test_a_server_that_is_gone_for_long_is_forgotten() -> None:
    """Not earlier, and not remembered by the next router either."""
    store = in_process_store()
    short = replace(QUICK, pace=replace(QUICK.pace, forget_s=0.1))
    async with asyncio.timeout(10), AsyncExitStack() as up:
        url = await up.enter_async_context(running(Scripted()))
        async with routing({"a": url}, store=store, terms=short) as mesh:
            assert list(await shown(mesh)) == ["act", "write"]
            await up.aclose()
            await call_legacy(mesh.port, "act")
            while await shown(mesh):
                pass
    async with routing({"a": url}, store=store, terms=short, settled=False) as mesh:
        assert await shown(mesh) == {}


@pytest.mark.requirement("gateway.catalogue")
async def test_a_store_that_fails_costs_nothing() -> None:
    """Nothing is remembered then, and everything else works."""

    class Broken:
        """Records that cannot be used."""

        def held(self, key: str, *, wait_s: float, lease_s: float = 30) -> Any:
            raise UpstreamUnavailable("The store is away.")

        async def read(self, key: str) -> bytes | None:
            raise UpstreamUnavailable("The store is away.")

    store = replace(in_process_store(), records=Broken())
    async with running(Scripted()) as url, routing({"a": url}, store=store) as mesh:
        assert list(await shown(mesh)) == ["act", "write"]
        assert (await call_modern(mesh.port, "act")).result["isError"] is False


@pytest.mark.requirement("gateway.catalogue")
async def test_what_another_version_has_kept_is_not_read() -> None:
    """Whatever stands in the record, the router starts and lists anew."""
    for content in (b"", b"nonsense", b"x\x9c\x03\x00\x00\x00\x00\x01"):
        store = in_process_store()
        async with store.records.held("catalog:a", wait_s=1) as record:
            await record.write(content)
        async with running(Scripted()) as url, routing({"a": url}, store=store) as mesh:
            assert list(await shown(mesh)) == ["act", "write"]


@pytest.mark.requirement("gateway.sick-servers")
async def test_an_unknown_tool_does_not_wait_for_a_sick_server() -> None:
    """One look at the well servers, and the answer; known tools are not touched by it."""
    waits = replace(QUICK, pace=replace(QUICK.pace, load_s=60, look_again_wait_s=60))
    async with AsyncExitStack() as stack, asyncio.timeout(20):
        well = Scripted()
        url = await stack.enter_async_context(running(well))
        sick = await stack.enter_async_context(answering(never))
        router = routing({"sick": sick, "well": url}, terms=waits, settled=False)
        mesh = await stack.enter_async_context(router)
        seen = mesh.catalog.directory()
        while "act" not in seen.tools:
            seen = await mesh.catalog.changed(seen, None)
        known = mesh.catalog.known("sick")
        assert known is not None
        while not known.is_slow(asyncio.get_running_loop().time()):
            assert (await call_modern(mesh.port, "act")).result["isError"] is False
        well.tools.append(tool("new"))
        assert (await call_modern(mesh.port, "new")).result["isError"] is False
        assert "Did you mean 'act'?" in (await call_modern(mesh.port, "akt")).error["message"]


@pytest.mark.requirement("gateway.pages")
async def test_pages_go_on_at_another_replica() -> None:
    """Composite cursors: signed, for one list, and good wherever the secret is the same."""
    configured = {"router": {"page": 3}}
    secret = "a-secret-that-replicas-share"
    first = Scripted(tools=[tool(f"a{n}") for n in range(4)])
    second = Scripted(tools=[tool(f"b{n}") for n in range(4)], prompts=[{"name": "p"}] * 1)
    async with (
        running(first) as a,
        running(second) as b,
        routing({"a": a, "b": b}, configured=configured, secret=secret) as one,
        routing({"a": a, "b": b}, configured=configured, secret=secret) as other,
        routing({"a": a, "b": b}, configured=configured) as stranger,
    ):
        seen: list[str] = []
        params: dict[str, object] = {}
        meshes = [one, other]
        while True:
            page = (await ask(meshes[len(seen) % 2], None, "tools/list", params)).result
            seen += [each["name"] for each in page["tools"]]
            if "nextCursor" not in page:
                break
            params = {"cursor": page["nextCursor"]}
        assert seen == [*(f"a{n}" for n in range(4)), *(f"b{n}" for n in range(4))]
        for mesh, method, path in (
            (one, "prompts/list", "/mcp"),
            (one, "tools/list", "/servers/a/mcp"),
            (one, "tools/list", "/mcp?pr_number=1"),
            (stranger, "tools/list", "/mcp"),
        ):
            refused = await ask(mesh, None, method, params, path=path)
            assert (refused.status, refused.error["code"]) == (400, -32602)
        for cursor in ("forged", 7, str(params["cursor"])[:-2] + "xx", "x" * 9000):
            refused = await ask(one, None, "tools/list", {"cursor": cursor})
            assert refused.error["code"] == -32602


@pytest.mark.requirement("gateway.pages")
async def test_lists_have_one_page_unless_configured() -> None:
    """clients.md 1: half of the clients read the first page only."""
    many = Scripted(tools=[tool(f"t{n}") for n in range(350)], page=40)
    async with running(many) as url, routing({"a": url}) as mesh:
        result = (await ask(mesh, None)).result
    assert len(result["tools"]) == 350
    assert "nextCursor" not in result
