"""The 2026-07-28 era, rung by rung: statuses and codes as the specification has them."""

from collections.abc import AsyncIterator

import pytest

from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Scripted, running, tool
from tests.interaction.wire import (
    LEGACY_HEADERS,
    META,
    call_modern,
    legacy,
    modern,
    modern_headers,
    post,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
async def mesh() -> AsyncIterator[Mesh]:
    """A router in front of one server with one of everything."""
    server = Scripted(
        resources=[{"uri": "x://y", "name": "y"}],
        templates=[{"uriTemplate": "x://{id}", "name": "t"}],
        prompts=[{"name": "p"}],
    )
    async with running(server) as url, routing({"a": url}) as mesh:
        yield mesh


async def test_discover_tells_what_is_there(mesh: Mesh) -> None:
    """Versions, capabilities, instructions, cache hints and who answers."""
    reply = await post(mesh.port, modern("server/discover"), modern_headers("server/discover"))
    found = reply.result
    assert found["supportedVersions"] == ["2026-07-28"]
    assert set(found["capabilities"]) == {"tools", "resources", "prompts", "completions"}
    assert "- a: Scripted. For tests." in found["instructions"]
    assert found["resultType"] == "complete"
    assert 0 < found["ttlMs"] <= 60_000
    assert found["cacheScope"] == "public"
    assert found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "trunkline"


@pytest.mark.parametrize(
    ("method", "key"),
    [
        ("tools/list", "tools"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
    ],
)
async def test_lists_are_one_cacheable_page(mesh: Mesh, method: str, key: str) -> None:
    """Every list has its hints and no cursor; a cursor is none of ours."""
    reply = await post(mesh.port, modern(method), modern_headers(method))
    assert reply.result[key]
    assert "nextCursor" not in reply.result
    assert reply.result["cacheScope"] == "public"
    paged = await post(mesh.port, modern(method, {"cursor": "x"}), modern_headers(method))
    assert (paged.status, paged.error["code"]) == (400, -32602)


@pytest.mark.requirement("router.ladder")
@pytest.mark.parametrize("missing", sorted(META))
async def test_a_missing_envelope_key_is_invalid(mesh: Mesh, missing: str) -> None:
    """-32602 under 400, and the key is named."""
    meta = {key: value for key, value in META.items() if key != missing}
    body = modern("tools/list", {"_meta": meta})
    reply = await post(mesh.port, body, modern_headers("tools/list"))
    assert (reply.status, reply.error["code"]) == (400, -32602)
    assert missing in reply.error["message"]
    assert reply.json["id"] == 1


async def test_a_modern_header_without_the_envelope_is_invalid(mesh: Mesh) -> None:
    """The header alone makes a request modern, and then the envelope is due."""
    reply = await post(mesh.port, legacy("tools/list"), modern_headers("tools/list"))
    assert (reply.status, reply.error["code"]) == (400, -32602)


@pytest.mark.requirement("router.ladder")
@pytest.mark.parametrize(
    "changes",
    [
        {"Mcp_Method": "tools/list"},
        {"Mcp_Method": "TOOLS/CALL"},
        {"Mcp_Name": "other"},
        {"Mcp_Name": "=?base64?!!!?="},
        {"MCP_Protocol_Version": "2025-11-25"},
    ],
)
async def test_headers_that_differ_from_the_body_are_a_mismatch(
    mesh: Mesh, changes: dict[str, str]
) -> None:
    """-32020 under 400."""
    headers = modern_headers("tools/call", "act", **changes)
    reply = await post(mesh.port, modern("tools/call", {"name": "act"}), headers)
    assert (reply.status, reply.error["code"]) == (400, -32020)


@pytest.mark.parametrize("absent", ["Mcp-Method", "Mcp-Name", "MCP-Protocol-Version"])
async def test_a_missing_routing_header_is_a_mismatch(mesh: Mesh, absent: str) -> None:
    """A modern body without its headers is refused, never taken for a legacy one."""
    headers = modern_headers("tools/call", "act")
    del headers[absent]
    reply = await post(mesh.port, modern("tools/call", {"name": "act"}), headers)
    assert (reply.status, reply.error["code"]) == (400, -32020)


async def test_an_encoded_name_is_decoded_before_it_is_compared() -> None:
    """A tool of the mesh's own whose name is no ASCII is called through the base64 form."""
    server = Scripted(tools=[tool("größe")])
    async with running(server) as url, routing({"jira": url}) as mesh:
        body = modern("tools/call", {"name": "größe", "arguments": {}})
        headers = modern_headers("tools/call", "=?base64?Z3LDtsOfZQ==?=")
        assert (await post(mesh.port, body, headers)).status == 200
    assert server.headers[0]["mcp-name"] == "=?base64?Z3LDtsOfZQ==?="


@pytest.mark.requirement("router.ladder")
async def test_an_unknown_version_is_told_what_is_supported(mesh: Mesh) -> None:
    """-32022 with both lists."""
    meta = META | {"io.modelcontextprotocol/protocolVersion": "2099-01-01"}
    headers = modern_headers("tools/list", MCP_Protocol_Version="2099-01-01")
    reply = await post(mesh.port, modern("tools/list", {"_meta": meta}), headers)
    assert (reply.status, reply.error["code"]) == (400, -32022)
    assert reply.error["data"] == {"supported": ["2026-07-28"], "requested": "2099-01-01"}


@pytest.mark.requirement("router.ladder")
@pytest.mark.parametrize(
    "method", ["initialize", "ping", "logging/setLevel", "resources/subscribe", "no/such"]
)
async def test_methods_of_other_eras_are_not_found(mesh: Mesh, method: str) -> None:
    """-32601 under 404, with a body."""
    reply = await post(mesh.port, modern(method), modern_headers(method))
    assert (reply.status, reply.error["code"]) == (404, -32601)


@pytest.mark.requirement("router.unknown-tool")
async def test_an_unknown_tool_names_the_nearest(mesh: Mesh) -> None:
    """-32602 under 400."""
    reply = await call_modern(mesh.port, "writ")
    assert (reply.status, reply.error["code"]) == (400, -32602)
    assert reply.error["message"] == "Unknown tool: 'writ'. Did you mean 'write'?"


async def test_an_unknown_resource_is_named_in_data(mesh: Mesh) -> None:
    """-32602 with the URI, never empty contents."""
    headers = modern_headers("resources/read", "other://z")
    reply = await post(mesh.port, modern("resources/read", {"uri": "other://z"}), headers)
    assert (reply.status, reply.error["code"]) == (400, -32602)
    assert reply.error["data"] == {"uri": "other://z"}


@pytest.mark.parametrize(
    "ref", [None, 7, {}, {"type": "ref/tool", "name": "act"}, {"type": "ref/prompt"}]
)
async def test_a_reference_without_meaning_is_refused(mesh: Mesh, ref: object) -> None:
    """completion/complete says what a reference looks like."""
    reply = await post(
        mesh.port,
        modern("completion/complete", {"ref": ref}),
        modern_headers("completion/complete"),
    )
    assert (reply.status, reply.error["code"]) == (400, -32602)


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream", "text/html", ""])
async def test_both_kinds_of_answer_must_be_accepted(mesh: Mesh, accept: str) -> None:
    """406 unless JSON and streams are both welcome."""
    headers = modern_headers("tools/list", Accept=accept)
    assert (await post(mesh.port, modern("tools/list"), headers)).status == 406


@pytest.mark.parametrize(
    "accept",
    [
        "*/*",
        "text/event-stream, application/json",
        "text/event-stream;q=0.5,application/json;charset=utf-8",
        "application/*, text/*",
    ],
)
async def test_accept_may_be_written_in_any_way(mesh: Mesh, accept: str) -> None:
    """Order, parameters and wildcards are as clients have them."""
    headers = modern_headers("tools/list", Accept=accept)
    assert (await post(mesh.port, modern("tools/list"), headers)).status == 200


async def test_another_content_type_is_refused(mesh: Mesh) -> None:
    """A form or plain text is no MCP request."""
    headers = modern_headers("tools/list", Content_Type="text/plain")
    assert (await post(mesh.port, modern("tools/list"), headers)).status == 415


async def test_batches_and_posted_responses_are_refused(mesh: Mesh) -> None:
    """One request or notification per POST."""
    batch = b"[" + modern("tools/list") + b"]"
    reply = await post(mesh.port, batch, modern_headers("tools/list"))
    assert (reply.status, reply.error["code"]) == (400, -32600)
    response = b'{"jsonrpc": "2.0", "id": 1, "result": {}}'
    reply = await post(mesh.port, response, modern_headers("tools/list"))
    assert (reply.status, reply.error["code"]) == (400, -32600)


async def test_notifications_are_accepted(mesh: Mesh) -> None:
    """202 without a body."""
    body = b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}}'
    headers = modern_headers("notifications/cancelled")
    reply = await post(mesh.port, body, headers)
    assert (reply.status, reply.body) == (202, b"")


async def test_a_stray_session_id_changes_nothing(mesh: Mesh) -> None:
    """Modern requests have no session; a leftover header is not looked at."""
    headers = modern_headers("tools/list", Mcp_Session_Id="old")
    reply = await post(mesh.port, modern("tools/list"), headers)
    assert reply.status == 200
    assert "mcp-session-id" not in reply.headers


async def test_a_legacy_header_over_a_modern_body_is_a_mismatch(mesh: Mesh) -> None:
    """The body decides the era, so that the contradiction is seen."""
    headers = LEGACY_HEADERS | {"MCP-Protocol-Version": "2025-11-25"}
    reply = await post(mesh.port, modern("tools/list"), headers)
    assert (reply.status, reply.error["code"]) == (400, -32020)
