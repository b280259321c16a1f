"""What goes through a call of a call: progress, cancellation, depth, and never a token."""

import asyncio

import pytest
from mcp import Client
from mcp_types import CallToolResult

from tests.interaction.capability_mesh import CapabilityMesh, capability_mesh
from tests.interaction.delegating import delegation_of
from tests.interaction.keys import entry, key_of
from tests.interaction.upstreams import Json, Scripted, running
from tests.interaction.wire import failure

pytestmark = pytest.mark.anyio

MODES = ("legacy", "2026-07-28")


def nested(depth: int) -> Json:
    """Return a call of the bridge through itself, so deep, which says `deep` at the bottom."""
    call: Json = {"server": "sample", "tool": "echo", "arguments": {"text": "deep"}}
    for _ in range(depth):
        call = {"server": "bridge", "tool": "call_tool", "arguments": call}
    return call


@pytest.mark.requirement("bridge.call-relays")
@pytest.mark.parametrize("mode", MODES)
async def test_progress_passes_through_in_order(mode: str) -> None:
    """With its total, before the result."""
    heard: list[tuple[float, float | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total))

    async with (
        asyncio.timeout(10),
        capability_mesh() as mesh,
        Client(mesh.router.mcp, mode=mode) as client,
    ):
        found = await client.call_tool(
            "call_tool",
            {"server": "sample", "tool": "count", "arguments": {"steps": 3}},
            progress_callback=hear,
        )
    assert isinstance(found, CallToolResult)
    assert found.structured_content is not None
    assert found.structured_content["structuredContent"] == {"said": "3 steps"}
    assert heard == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.requirement("bridge.call-relays")
@pytest.mark.parametrize("mode", MODES)
async def test_a_caller_that_gives_up_ends_the_inner_call(mode: str) -> None:
    """The tool at the end of the way sees its cancellation."""
    async with (
        asyncio.timeout(10),
        capability_mesh() as mesh,
        Client(mesh.router.mcp, mode=mode) as client,
        asyncio.TaskGroup() as tasks,
    ):
        asked = {"server": "sample", "tool": "hang"}
        call = tasks.create_task(client.call_tool("call_tool", asked))
        await mesh.sample.started.wait()
        call.cancel()
        await mesh.sample.cancelled.wait()


@pytest.mark.requirement("bridge.call-depth")
async def test_the_bridge_calls_itself_three_deep_at_most() -> None:
    """Then it is refused, typed, and nothing is called."""
    async with capability_mesh() as mesh:
        fits = await mesh.raw("call_tool", None, **nested(2))
        deeper = await mesh.raw("call_tool", None, **nested(3))
        endless = await mesh.raw("call_tool", None, **nested(9))
    assert '"said":"deep"' in fits.body.decode().replace("\\", "")
    for refused in (deeper, endless):
        assert failure(refused)["error_code"] == "UNSUPPORTED"
        assert "deep" in failure(refused)["message"] + (failure(refused)["hint"] or "")


@pytest.mark.requirement("bridge.call-tokens")
async def test_no_server_sees_the_callers_token_nor_the_one_that_the_bridge_was_given() -> None:
    """Neither in a header nor in what is said of the request."""
    keys = [entry("ada")]
    server = Scripted()
    async with (
        running(server) as url,
        capability_mesh({"far": url}, configured={"keys": keys}) as mesh,
    ):
        ada = key_of("ada")
        found = await mesh.answer("call_tool", ada, server="far", tool="act")
        shown = str((await mesh.raw("list_capabilities", ada)).body)
    (headers,), (call,) = server.headers, server.calls
    params = call["params"]
    assert isinstance(params, dict)
    assert found["attempts"] == 1
    assert "authorization" not in headers
    assert delegation_of(params) is None
    for told in (str(headers), str(params), shown, str(found)):
        assert ada not in told
        assert "eyJ" not in told


@pytest.mark.requirement("bridge.call-depth")
async def test_lists_and_health_are_answered_at_the_deepest_place_too() -> None:
    """Whoever is called in somebody's name is told of that caller's mesh."""
    async with capability_mesh() as mesh:
        inner: Json = {"server": "bridge", "tool": "get_circuit_breaker_states", "arguments": {}}
        once = await told_of(mesh, inner)
        twice = await told_of(mesh, {"server": "bridge", "tool": "call_tool", "arguments": inner})
    assert set(once["structuredContent"]) == {"bridge", "sample"}
    assert once["structuredContent"] == twice["structuredContent"]["structuredContent"]


async def told_of(mesh: CapabilityMesh, call: Json) -> dict[str, dict[str, dict[str, object]]]:
    """Return the structured answer of a call."""
    found: dict[str, dict[str, dict[str, object]]] = await mesh.answer("call_tool", None, **call)
    return found
