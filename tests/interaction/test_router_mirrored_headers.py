"""Headers that mirror a tool's arguments are held against them, whatever the server would do."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Json, Scripted, running, tool
from tests.interaction.wire import (
    LEGACY_HEADERS,
    Reply,
    call_legacy,
    legacy,
    modern,
    modern_headers,
    post,
)

pytestmark = pytest.mark.anyio

SCHEMA: Json = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "count": {"type": "integer", "x-mcp-header": "Count"},
        "plain": {"type": "string"},
    },
}


@pytest.fixture
def server() -> Scripted:
    """A server that checks nothing."""
    return Scripted(tools=[tool("look") | {"inputSchema": SCHEMA}, tool("plain")])


@pytest.fixture
async def mesh(server: Scripted) -> AsyncIterator[Mesh]:
    """A router in front of it."""
    async with asyncio.timeout(10), running(server) as url, routing({"a": url}) as mesh:
        yield mesh


async def look(mesh: Mesh, arguments: Json, name: str = "look", **headers: str) -> Reply:
    body = modern("tools/call", {"name": name, "arguments": arguments})
    return await post(mesh.port, body, modern_headers("tools/call", name, **headers))


@pytest.mark.requirement("gateway.mirrored-headers")
@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"region": "eu"}, {"Mcp_Param_Region": "eu"}),
        ({"region": "eu"}, {"mcp_param_region": "eu"}),
        ({"region": "köln"}, {"Mcp_Param_Region": "=?base64?a8O2bG4=?="}),
        ({"count": 42.0}, {"Mcp_Param_Count": "42"}),
        ({"region": None}, {}),
        ({"plain": "x"}, {"Mcp_Param_Unknown": "passed on"}),
    ],
)
async def test_what_agrees_is_passed_on(
    mesh: Mesh, server: Scripted, arguments: Json, headers: dict[str, str]
) -> None:
    """Equal after decoding, integers as numbers, absent where the argument is; others pass."""
    answer = await look(mesh, arguments, **headers)
    assert answer.status == 200
    for name, value in headers.items():
        assert server.headers[0][name.lower().replace("_", "-")] == value


@pytest.mark.requirement("gateway.mirrored-headers")
@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"region": "eu"}, {"Mcp_Param_Region": "us"}),
        ({"region": "eu"}, {}),
        ({}, {"Mcp_Param_Region": "eu"}),
        ({"region": "eu"}, {"Mcp_Param_Region": "=?base64?%%%?="}),
        ({"region": "eu"}, {"Mcp_Param_Region": "eu", "mcp_param_region": "eu"}),
        ({"count": 42}, {"Mcp_Param_Count": "43"}),
    ],
)
async def test_what_differs_is_a_mismatch(
    mesh: Mesh, server: Scripted, arguments: Json, headers: dict[str, str]
) -> None:
    """HTTP 400 with -32020, and the server is not asked."""
    answer = await look(mesh, arguments, **headers)
    assert (answer.status, answer.error["code"]) == (400, -32020)
    assert answer.json["id"] == 1
    assert server.calls == []


@pytest.mark.requirement("gateway.mirrored-headers")
async def test_older_revisions_mirror_nothing(mesh: Mesh, server: Scripted) -> None:
    """A legacy call without such headers is served; its server gets them, as its arguments say."""
    answer = await call_legacy(mesh.port, "look", arguments={"region": "eu"})
    assert answer.result["isError"] is False
    body = legacy("tools/call", {"name": "look", "arguments": {"region": "eu"}})
    answer = await post(mesh.port, body, LEGACY_HEADERS | {"Mcp-Param-Region": "us"})
    assert answer.result["isError"] is False
    assert [sent["mcp-param-region"] for sent in server.headers] == ["eu", "eu"]
