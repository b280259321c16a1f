"""What real clients do that no specification asks for: each habit is served as it comes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Answer, Json, Scripted, result, running, tool
from tests.interaction.wire import (
    LEGACY_HEADERS,
    Reply,
    call_legacy,
    call_modern,
    legacy,
    modern,
    modern_headers,
    post,
)

pytestmark = pytest.mark.anyio

Calling = Callable[..., Awaitable[Reply]]
CALLS: list[Calling] = [call_modern, call_legacy]
OPENING: Json = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "t", "version": "1"},
}


def answering(found: Json) -> Answer:
    """Return what answers every call with this result."""

    async def answer(http: web.Request, request: Json) -> web.StreamResponse:
        return result(request, {"resultType": "complete"} | found)

    return answer


@asynccontextmanager
async def before(server: Scripted) -> AsyncIterator[Mesh]:
    """Run a router in front of one scripted server."""
    async with asyncio.timeout(10), running(server) as url, routing({"a": url}) as mesh:
        yield mesh


async def listed(mesh: Mesh, *, modern_era: bool, **params: object) -> Reply:
    """Ask for the tools in one of the eras."""
    if modern_era:
        headers = modern_headers("tools/list")
        return await post(mesh.port, modern("tools/list", params), headers)
    return await post(mesh.port, legacy("tools/list", params))


@pytest.mark.requirement("gateway.habits")
@pytest.mark.parametrize("modern_era", [True, False])
async def test_316_tools_come_in_one_page(*, modern_era: bool) -> None:
    """Seven clients read the first page only (clients.md 1), also where the server pages."""
    names = [f"tool_{number}" for number in range(316)]
    async with before(Scripted(tools=[tool(name) for name in names], page=50)) as mesh:
        answer = await listed(mesh, modern_era=modern_era)
    assert [found["name"] for found in answer.result["tools"]] == names
    assert "nextCursor" not in answer.result


@pytest.mark.requirement("gateway.habits")
async def test_both_eras_live_on_one_url() -> None:
    """A client may discover, initialize, and go modern again at one address (clients.md 2)."""
    async with before(Scripted()) as mesh:
        found = await post(mesh.port, modern("server/discover"), modern_headers("server/discover"))
        opened = await post(mesh.port, legacy("initialize", OPENING))
        called = await call_modern(mesh.port, "act")
    assert found.result["supportedVersions"] == ["2026-07-28"]
    assert opened.result["protocolVersion"] == "2025-06-18"
    assert called.status == 200


@pytest.mark.requirement("gateway.habits")
async def test_a_pinned_client_begins_with_its_list() -> None:
    """Python's pinned mode asks for tools first, without any discovery (clients.md 2)."""
    async with before(Scripted()) as mesh:
        assert (await listed(mesh, modern_era=True)).result["tools"]


@pytest.mark.requirement("gateway.habits")
@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({}, id="no version at all: Gemini, mcp 1.9"),
        pytest.param({"MCP-Protocol-Version": "2025-11-25"}, id="one on initialize: opencode"),
        pytest.param({"Mcp-Method": "x", "Mcp-Name": "y"}, id="routing headers: mcp-remote"),
        pytest.param({"Accept": "text/event-stream, application/json"}, id="accept: rmcp clients"),
    ],
)
async def test_legacy_headers_are_taken_as_they_come(headers: dict[str, str]) -> None:
    """Missing, early, foreign or oddly ordered ones are all normal (clients.md 3)."""
    sent = LEGACY_HEADERS | headers
    async with before(Scripted()) as mesh:
        opened = await post(mesh.port, legacy("initialize", OPENING), sent)
        tools = await post(mesh.port, legacy("tools/list"), sent)
        called = await post(mesh.port, legacy("tools/call", {"name": "act"}), sent)
    assert opened.result["protocolVersion"] == "2025-06-18"
    assert tools.result["tools"]
    assert called.result["isError"] is False


@pytest.mark.requirement("gateway.habits")
@pytest.mark.parametrize("modern_era", [True, False])
async def test_a_progress_token_on_a_list_is_harmless(*, modern_era: bool) -> None:
    """Three clients put one on everything (clients.md 3)."""
    meta: Json = {"progressToken": 7}
    if modern_era:
        meta |= {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    async with before(Scripted()) as mesh:
        assert (await listed(mesh, modern_era=modern_era, _meta=meta)).result["tools"]


@pytest.mark.requirement("gateway.habits")
@pytest.mark.parametrize("call", CALLS)
async def test_a_call_needs_no_list_before_it(call: Calling) -> None:
    """Clients with a cached catalogue call at once, by name alone (clients.md 5)."""
    async with before(Scripted()) as mesh:
        answer = await call(mesh.port, "write")
    assert answer.result["isError"] is False


@pytest.mark.requirement("gateway.habits")
@pytest.mark.parametrize("modern_era", [True, False])
async def test_annotations_and_titles_pass_untouched(*, modern_era: bool) -> None:
    """They decide whether two clients run a call at all (clients.md 6)."""
    shown: Json = {
        "title": "Look",
        "annotations": {
            "title": "Look closely",
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
            "own/hint": [1],
        },
    }
    async with before(Scripted(tools=[tool("look") | shown])) as mesh:
        [found] = (await listed(mesh, modern_era=modern_era)).result["tools"]
    assert {key: found[key] for key in shown} == shown


@pytest.mark.requirement("gateway.habits")
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("content", [[], None])
async def test_structured_content_alone_becomes_text_too(
    call: Calling, content: list[object] | None
) -> None:
    """Eight clients show their model the text only, which would be nothing (clients.md 7)."""
    found: Json = {"structuredContent": {"n": 1}}
    if content is not None:
        found["content"] = content
    async with before(Scripted(answer=answering(found))) as mesh:
        answer = await call(mesh.port, "act")
    assert answer.result["content"] == [{"type": "text", "text": '{"n":1}'}]
    assert answer.result["structuredContent"] == {"n": 1}


@pytest.mark.requirement("gateway.habits")
@pytest.mark.parametrize("modern_era", [True, False])
async def test_output_schema_and_structured_content_stay_as_they_were(*, modern_era: bool) -> None:
    """Most clients hold the one against the other: neither is changed or lost (clients.md 8)."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    found: Json = {"content": [{"type": "text", "text": "one"}], "structuredContent": {"n": 1}}
    server = Scripted(answer=answering(found), tools=[tool("act") | {"outputSchema": schema}])
    async with before(server) as mesh:
        [known] = (await listed(mesh, modern_era=modern_era)).result["tools"]
        answer = await (call_modern if modern_era else call_legacy)(mesh.port, "act")
    assert known["outputSchema"] == schema
    assert answer.result["structuredContent"] == {"n": 1}
    assert answer.result["content"] == found["content"]


@pytest.mark.requirement("gateway.habits")
@pytest.mark.parametrize("call", CALLS)
async def test_a_result_of_200_kilobytes_passes_whole(call: Calling) -> None:
    """Clients shorten by themselves, each in its own way (clients.md 15)."""
    text = "x" * 200_000
    found: Json = {"content": [{"type": "text", "text": text}], "isError": False}
    async with before(Scripted(answer=answering(found))) as mesh:
        answer = await call(mesh.port, "act")
    assert answer.result["content"][0]["text"] == text


@pytest.mark.requirement("gateway.habits")
@pytest.mark.parametrize("call", CALLS)
async def test_a_servers_failure_is_a_result_that_says_what_to_do(call: Calling) -> None:
    """Two clients hide a protocol error's message from their model (clients.md 16)."""

    async def fail(http: web.Request, request: Json) -> web.StreamResponse:
        return web.Response(status=500)

    async with before(Scripted(answer=fail)) as mesh:
        answer = await call(mesh.port, "act")
    assert answer.status == 200
    assert answer.result["isError"] is True
    assert '"hint"' in answer.result["content"][0]["text"]


@pytest.mark.requirement("gateway.habits")
async def test_an_unasked_cancellation_of_a_finished_call_is_accepted() -> None:
    """One client sends it after every call that succeeded (clients.md 12)."""
    note = legacy("notifications/cancelled", {"requestId": 1})
    async with before(Scripted()) as mesh:
        await call_legacy(mesh.port, "act")
        answer = await post(mesh.port, note.replace(b'"id":1,', b""))
        again = await call_legacy(mesh.port, "act")
    assert (answer.status, answer.body) == (202, b"")
    assert again.result["isError"] is False


@pytest.mark.requirement("gateway.habits")
async def test_a_plain_get_is_answered_and_is_no_page() -> None:
    """Two clients probe with it before all else: no hang, no 200 with HTML (clients.md 17)."""
    async with before(Scripted()) as mesh:
        reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
        writer.write(b"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\r\n")
        status = (await reader.readline()).split()[1]
        writer.close()
    assert status in {b"400", b"405", b"406"}
