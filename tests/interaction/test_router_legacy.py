"""The initialize era without sessions, with the headers that real clients send and leave out."""

from collections.abc import AsyncIterator, Mapping

import orjson
import pytest
from aiohttp import web

from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import COMPLETE, Json, Scripted, result, running
from tests.interaction.wire import LEGACY_HEADERS, Reply, call_legacy, legacy, post

pytestmark = pytest.mark.anyio

ELICITS = {"elicitation": {}, "sampling": {}, "roots": {"listChanged": True}}


async def structured(http: web.Request, request: Json) -> web.StreamResponse:
    """Answer as a modern server does, with everything a legacy client does not know."""
    meta = {"io.modelcontextprotocol/serverInfo": {"name": "s", "version": "1"}, "own/key": 1}
    return result(
        request,
        COMPLETE | {"content": [], "structuredContent": {"n": 1}, "isError": False, "_meta": meta},
    )


@pytest.fixture
async def server() -> Scripted:
    """The server behind."""
    return Scripted(answer=structured, prompts=[{"name": "p"}])


@pytest.fixture
async def mesh(server: Scripted) -> AsyncIterator[Mesh]:
    """A router in front of it."""
    async with running(server) as url, routing({"a": url}) as mesh:
        yield mesh


async def initialize(mesh: Mesh, version: object, headers: Mapping[str, str]) -> Reply:
    params = {
        "protocolVersion": version,
        "capabilities": ELICITS,
        "clientInfo": {"name": "t", "version": "1"},
    }
    return await post(mesh.port, legacy("initialize", params), headers)


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_known_versions_are_agreed_to(mesh: Mesh, version: str) -> None:
    """The client's own version comes back, with capabilities that work here, and a session."""
    reply = await initialize(mesh, version, LEGACY_HEADERS)
    assert reply.status == 200
    assert reply.result["protocolVersion"] == version
    assert reply.result["capabilities"]["tools"] == {"listChanged": True}
    assert reply.result["capabilities"]["logging"] == {}
    assert reply.result["serverInfo"]["name"] == "trunkline"
    assert "ttlMs" not in reply.result
    assert reply.headers["mcp-session-id"].isprintable()


@pytest.mark.parametrize("version", ["1999-01-01", "2099-01-01", "DRAFT", "", None, 7])
async def test_unknown_versions_are_offered_the_latest(mesh: Mesh, version: object) -> None:
    """2025-11-25; the client leaves when it cannot speak that."""
    reply = await initialize(mesh, version, LEGACY_HEADERS)
    assert reply.result["protocolVersion"] == "2025-11-25"


@pytest.mark.requirement("router.eras")
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "application/json"},
        {"Content-Type": "application/json; charset=utf-8", "Accept": "text/event-stream"},
        {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"},
        LEGACY_HEADERS | {"MCP-Protocol-Version": "2025-11-25"},
        LEGACY_HEADERS | {"Mcp-Method": "something/else", "Mcp-Name": "other"},
        LEGACY_HEADERS | {"MCP-Protocol-Version": "2025-06-18", "Last-Event-ID": "7"},
    ],
)
async def test_headers_vary_and_do_not_matter(mesh: Mesh, headers: dict[str, str]) -> None:
    """Missing versions, odd Accept orders, stray routing headers: all served (clients.md 3)."""
    assert (await initialize(mesh, "2025-06-18", headers)).status == 200
    assert (await post(mesh.port, legacy("tools/list"), headers)).result["tools"]
    called = await post(mesh.port, legacy("tools/call", {"name": "act"}), headers)
    assert called.result["isError"] is False


async def test_a_modern_version_in_initialize_is_answered_in_the_legacy_era(mesh: Mesh) -> None:
    """A re-initialize with a leftover modern header still opens the legacy era."""
    headers = LEGACY_HEADERS | {"MCP-Protocol-Version": "2026-07-28"}
    reply = await initialize(mesh, "2026-07-28", headers)
    assert reply.result["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize(
    "method",
    ["notifications/initialized", "notifications/cancelled", "notifications/roots/list_changed"],
)
async def test_notifications_are_accepted(mesh: Mesh, method: str) -> None:
    """202 without a body, for finished and unknown calls as well."""
    body = orjson.dumps({"jsonrpc": "2.0", "method": method, "params": {"requestId": 99}})
    reply = await post(mesh.port, body)
    assert (reply.status, reply.body) == (202, b"")


async def test_a_posted_response_is_accepted_and_dropped(mesh: Mesh) -> None:
    """A client that answers what nobody asked is not an error."""
    reply = await post(mesh.port, b'{"jsonrpc": "2.0", "id": 5, "result": {}}')
    assert reply.status == 202


async def test_ping_and_levels_are_answered(mesh: Mesh) -> None:
    """Both with an empty result."""
    assert (await post(mesh.port, legacy("ping", id="x"))).json == {
        "jsonrpc": "2.0",
        "id": "x",
        "result": {},
    }
    assert (await post(mesh.port, legacy("logging/setLevel", {"level": "debug"}))).result == {}


@pytest.mark.parametrize("method", ["server/discover", "resources/subscribe", "no/such"])
async def test_unknown_methods_are_readable(mesh: Mesh, method: str) -> None:
    """-32601 under 200, where legacy clients read it."""
    reply = await post(mesh.port, legacy(method))
    assert (reply.status, reply.error["code"]) == (200, -32601)


@pytest.mark.requirement("router.unknown-tool")
async def test_an_unknown_tool_is_readable(mesh: Mesh) -> None:
    """-32602 under 200, with the nearest name."""
    reply = await call_legacy(mesh.port, "atc")
    assert (reply.status, reply.error["code"]) == (200, -32602)
    assert "'act'" in reply.error["message"]


async def test_modern_fields_are_taken_out(mesh: Mesh) -> None:
    """No resultType, ttlMs, cacheScope or serverInfo; the server's other notes stay."""
    reply = await call_legacy(mesh.port, "act")
    assert set(reply.result) == {"content", "structuredContent", "isError", "_meta"}
    assert set(reply.result["_meta"]) == {"own/key", "dev.trunkline/call"}
    listed = await post(mesh.port, legacy("tools/list"))
    assert set(listed.result) == {"tools"}


async def test_structured_content_alone_is_given_as_text_too(mesh: Mesh) -> None:
    """Half of the clients show their model the text only."""
    reply = await call_legacy(mesh.port, "act")
    assert reply.result["content"] == [{"type": "text", "text": '{"n":1}'}]


async def test_what_the_client_can_is_not_promised_to_the_server(
    mesh: Mesh, server: Scripted
) -> None:
    """Without a way back no server may ask the user anything."""
    await initialize(mesh, "2025-11-25", LEGACY_HEADERS)
    await call_legacy(mesh.port, "act", _meta={"progressToken": 7})
    params = server.calls[0]["params"]
    assert isinstance(params, dict)
    assert params["_meta"]["io.modelcontextprotocol/clientCapabilities"] == {}
    assert params["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
    assert params["_meta"]["progressToken"] == 7


async def test_a_server_that_asks_all_the_same_is_not_left_hanging() -> None:
    """input_required becomes an error that says what to do."""

    async def asks(http: web.Request, request: Json) -> web.StreamResponse:
        return result(request, {"resultType": "input_required", "requestState": "s"})

    async with running(Scripted(answer=asks)) as url, routing({"a": url}) as mesh:
        reply = await call_legacy(mesh.port, "act")
    payload = orjson.loads(reply.result["content"][0]["text"])
    assert payload["error_code"] == "UNSUPPORTED"
    assert "2026-07-28" in payload["hint"]


async def test_a_batch_is_answered_in_order(mesh: Mesh) -> None:
    """Revision 2025-03-26: requests answered, notifications not, faults each for themselves."""
    batch = [
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "act"}},
        {"jsonrpc": "2.0", "id": 3, "method": "initialize", "params": {}},
        7,
    ]
    reply = await post(mesh.port, orjson.dumps(batch))
    assert reply.status == 200
    assert [answer["id"] for answer in reply.json] == [1, 2, 3, None]
    assert [answer.get("error", {}).get("code") for answer in reply.json] == [
        None,
        None,
        -32600,
        -32600,
    ]


async def test_a_batch_of_notifications_is_accepted(mesh: Mesh) -> None:
    """202, as for one."""
    batch = [{"jsonrpc": "2.0", "method": "notifications/initialized"}] * 2
    assert (await post(mesh.port, orjson.dumps(batch))).status == 202


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25", "2026-07-28"])
async def test_batches_went_with_2025_03_26(mesh: Mesh, version: str) -> None:
    """Later revisions take one message per request."""
    headers = LEGACY_HEADERS | {"MCP-Protocol-Version": version}
    reply = await post(mesh.port, b"[" + legacy("ping") + b"]", headers)
    assert (reply.status, reply.error["code"]) == (400, -32600)


async def test_a_huge_batch_is_refused(mesh: Mesh) -> None:
    """One POST cannot multiply into thousands of calls."""
    body = orjson.dumps([{"jsonrpc": "2.0", "id": 1, "method": "ping"}] * 51)
    reply = await post(mesh.port, body)
    assert (reply.status, reply.error["code"]) == (400, -32600)
