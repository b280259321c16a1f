"""Beside servers that refuse, hang, answer late or send garbage, the healthy one is as it was.

Whoever waited for one of them would wait for a minute here, so that no answer would come in time.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from tests.interaction.mesh import Mesh, routing, sample_server
from tests.interaction.upstreams import Json, Scripted, running
from tests.interaction.wire import (
    Reply,
    call_legacy,
    call_modern,
    get,
    legacy,
    modern,
    modern_headers,
    post,
)
from trunkline_router.adapters.live_catalog import Pace
from trunkline_router.composition.plan import Terms
from trunkline_shared.testing.serving import serving
from trunkline_shared.testing.sick_servers import sick_servers

pytestmark = pytest.mark.anyio

PATIENT = Terms(pace=Pace(budget_s=60, load_s=60, look_again_wait_s=60))
OPENING = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@asynccontextmanager
async def among_the_sick() -> AsyncIterator[Mesh]:
    """Run a router in front of one server that is well and four that are not."""
    async with (
        serving(sample_server()) as url,
        sick_servers() as sick,
        routing({"sample": url, **sick}, terms=PATIENT, settled=False) as mesh,
    ):
        async with asyncio.timeout(5):
            while "echo" not in (await listed(mesh)).body.decode():
                pass
        yield mesh


async def listed(mesh: Mesh, path: str = "/mcp") -> Reply:
    return await post(mesh.port, modern("tools/list"), modern_headers("tools/list"), path)


@pytest.mark.requirement("gateway.sick-servers")
async def test_before_any_server_has_answered_a_client_is_welcomed() -> None:
    """The first request of a router that knows nothing yet is answered at once, in both eras."""
    async with (
        sick_servers() as sick,
        routing(sick, terms=PATIENT, settled=False) as mesh,
    ):
        opened = await post(mesh.port, legacy("initialize", OPENING))
        assert opened.result["protocolVersion"] == "2025-11-25"
        discovered = await post(
            mesh.port, modern("server/discover"), modern_headers("server/discover")
        )
        assert discovered.result["supportedVersions"] == ["2026-07-28"]
        assert (await listed(mesh)).result["tools"] == []
        assert (await get(mesh.port, "/healthz")).status == 200


@pytest.mark.requirement("gateway.sick-servers")
@pytest.mark.parametrize("path", ["/mcp", "/servers/sample/mcp"])
async def test_lists_and_introductions_do_not_wait(path: str) -> None:
    """Each of them is there at once, and the healthy server's tools with it."""
    async with among_the_sick() as mesh:
        assert {"echo", "count"} <= {
            tool["name"] for tool in (await listed(mesh, path)).result["tools"]
        }
        opened = await post(mesh.port, legacy("initialize", OPENING), path=path)
        assert "tools" in opened.result["capabilities"]
        for method in ("server/discover", "prompts/list", "resources/list"):
            answer = await post(mesh.port, modern(method), modern_headers(method), path)
            assert answer.status == 200


@pytest.mark.requirement("gateway.sick-servers")
async def test_calls_on_the_healthy_server_do_not_wait() -> None:
    """Forty calls at once, in both eras: each is answered, while the sick are asked for lists."""
    said = {"arguments": {"text": "hello"}}
    async with among_the_sick() as mesh:
        calls = [
            call(mesh.port, "echo", **said)
            for call in (call_modern, call_legacy)
            for _ in range(20)
        ]
        for answer in await asyncio.gather(*calls):
            assert answer.result["structuredContent"] == {"said": "hello"}


@pytest.mark.requirement("gateway.sick-servers")
async def test_the_state_of_each_is_told_without_waiting() -> None:
    """`/status` names the healthy server as available, and none of the sick."""
    async with among_the_sick() as mesh:
        servers = (await get(mesh.port, "/status")).json["servers"]
        assert {server for server, state in servers.items() if state["available"]} == {"sample"}


@pytest.mark.requirement("gateway.sick-servers")
async def test_calls_that_hang_hold_up_nobody_but_their_callers() -> None:
    """A server falls ill after it was listed: a hundred calls hang on it, the others' do not."""

    async def hang(http: web.Request, request: Json) -> web.StreamResponse:
        await asyncio.Event().wait()
        raise AssertionError

    ill = Scripted(answer=hang)
    async with (
        asyncio.timeout(20),
        serving(sample_server()) as url,
        running(ill) as ill_url,
        routing({"sample": url, "ill": ill_url}) as mesh,
        asyncio.TaskGroup() as tasks,
    ):
        hanging = [tasks.create_task(call_modern(mesh.port, "act")) for _ in range(100)]
        for call in (call_modern, call_legacy):
            answer = await call(mesh.port, "echo", arguments={"text": "hello"})
            assert answer.result["structuredContent"] == {"said": "hello"}
        assert "act" in (await listed(mesh)).body.decode()
        for task in hanging:
            task.cancel()
