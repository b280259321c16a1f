"""Sessions at older servers: whose they are, how they end, and what is heard over them."""

import asyncio
from dataclasses import replace
from typing import Any

import orjson
import pytest
from aiohttp import web

from tests.interaction import keys
from tests.interaction.listen_streams import heard, listening
from tests.interaction.mesh import QUICK, routing
from tests.interaction.scripted_older import ScriptedOlder, opened, running
from tests.interaction.upstreams import Json, event, result, tool
from tests.interaction.wire import META, call_modern, modern, modern_headers, post, text_of

pytestmark = pytest.mark.anyio

RARELY = replace(QUICK, pace=replace(QUICK.pace, refresh_s=60))
OFTEN = replace(QUICK, pace=replace(QUICK.pace, refresh_s=0.02))


async def counts(server: ScriptedOlder, http: web.Request, request: Json) -> web.StreamResponse:
    """Say how many calls this session has made."""
    id_ = http.headers["Mcp-Session-Id"]
    calls = [
        one
        for one, headers in zip(server.asked, server.headers, strict=True)
        if one.get("method") == "tools/call" and headers["Mcp-Session-Id"] == id_
    ]
    return result(request, {"content": [{"type": "text", "text": str(len(calls))}]})


@pytest.mark.requirement("gateway.upstream-sessions")
async def test_two_callers_never_share_a_session() -> None:
    """gateways.md 3.B 15: what one caller leaves at a server, no other finds."""
    server = ScriptedOlder(answer=counts)
    configured = {"keys": [keys.entry("ada"), keys.entry("bob")]}
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"older": url}, terms=RARELY, configured=configured) as mesh,
    ):
        params = {"name": "act", "arguments": {}}
        found = [
            text_of(await keys.ask(mesh, keys.key_of(who), "tools/call", params))
            for who in ("ada", "ada", "bob", "ada")
        ]
    assert found == ["1", "2", "1", "3"]


@pytest.mark.requirement("gateway.upstream-sessions")
async def test_a_caller_shakes_hands_once() -> None:
    """gateways.md 3.C 16: no new client per call, also when the first calls come at once."""
    server = ScriptedOlder()
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"older": url}, terms=RARELY) as mesh,
    ):
        before = len(server.begun)
        async with asyncio.TaskGroup() as tasks:
            calls = [tasks.create_task(call_modern(mesh.port, "act")) for _ in range(10)]
    assert {text_of(call.result()) for call in calls} == {"ok"}
    assert len(server.begun) == before + 1


@pytest.mark.requirement("gateway.upstream-sessions")
@pytest.mark.parametrize("lost", [404, 400])
async def test_a_session_lost_at_the_server_is_opened_again(lost: int) -> None:
    """gateways.md 3.B 13: the server was restarted; the call succeeds, and is made once."""
    server = ScriptedOlder(lost=lost)
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"older": url}, terms=RARELY) as mesh,
    ):
        assert text_of(await call_modern(mesh.port, "act")) == "ok"
        server.sessions.clear()
        assert text_of(await call_modern(mesh.port, "act")) == "ok"
    assert server.methods().count("tools/call") == 2


@pytest.mark.requirement("gateway.upstream-eras")
@pytest.mark.parametrize("first", [True, False], ids=["modern-first", "older-first"])
async def test_a_server_that_comes_back_with_another_revision_is_looked_at_again(
    *, first: bool
) -> None:
    """No call fails over it."""
    server = ScriptedOlder(modern=first)
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"older": url}, terms=RARELY) as mesh,
    ):
        words = {True: "modern", False: "ok"}
        assert text_of(await call_modern(mesh.port, "act")) == words[first]
        server.modern = not first
        server.sessions.clear()
        await _a_while_later(mesh)
        assert text_of(await call_modern(mesh.port, "act")) == words[not first]
        assert text_of(await call_modern(mesh.port, "act")) == words[not first]


async def _a_while_later(mesh: Any) -> None:
    """Let the second pass in which a link does not look at its server again."""
    loop = asyncio.get_running_loop()
    waited = loop.create_future()
    loop.call_later(1.0, waited.set_result, None)
    await waited


@pytest.mark.requirement("gateway.upstream-sessions")
async def test_a_server_without_a_stream_is_well() -> None:
    """gateways.md 3.A 2, 4: 405 to GET means nothing; it is asked for once in a session."""
    server = ScriptedOlder(streams=False)
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"older": url}, terms=OFTEN) as mesh,
    ):
        await server.until(lambda: server.methods().count("tools/list") >= 4)
        assert "act" in mesh.catalog.directory().tools
        assert not mesh.catalog.directory().missing
    assert len(server.gets) == 1


@pytest.mark.requirement("gateway.upstream-sessions")
async def test_a_server_without_sessions_is_asked_without() -> None:
    """A server may mint no id: then there is none to send, and nothing to end."""
    server = ScriptedOlder(stateless=True, streams=False)
    async with asyncio.timeout(10), running(server) as url, routing({"older": url}) as mesh:
        assert text_of(await call_modern(mesh.port, "act")) == "ok"
    assert all("Mcp-Session-Id" not in headers for headers in server.headers)
    assert not server.ended


@pytest.mark.requirement("gateway.upstream-sessions")
async def test_sessions_end_with_the_router() -> None:
    """Each is ended with DELETE, under the version that was negotiated."""
    server = ScriptedOlder()
    async with asyncio.timeout(10), running(server) as url:
        async with routing({"older": url}, terms=RARELY) as mesh:
            await call_modern(mesh.port, "act")
            begun = sorted(server.sessions)
        assert sorted(server.ended) == begun
    versions = {headers["MCP-Protocol-Version"] for headers in server.headers}
    assert versions == {"2025-11-25"}


@pytest.mark.requirement("gateway.upstream-subscriptions")
async def test_a_subscription_is_made_and_ended_at_the_server() -> None:
    """clients.md 13: `subscriptions/listen` becomes `resources/subscribe` for as long as it is."""
    server = ScriptedOlder()
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"older": url}, terms=RARELY) as mesh,
    ):
        async with listening(mesh, {"resourceSubscriptions": ["x://1"]}) as reader:
            await heard(reader)
            await server.until(lambda: "resources/subscribe" in server.methods())
            await server.tell("notifications/resources/updated", {"uri": "x://2"})
            await server.tell("notifications/resources/updated", {"uri": "x://1"})
            update = await heard(reader)
            assert update["params"]["uri"] == "x://1"
        await server.until(lambda: "resources/unsubscribe" in server.methods())


@pytest.mark.requirement("gateway.upstream-questions")
async def test_log_messages_are_asked_for_and_filtered() -> None:
    """`logging/setLevel` once for a session; a call that wants none hears none."""

    async def logs(server: ScriptedOlder, http: web.Request, request: Json) -> web.StreamResponse:
        response = await opened(http)
        for level in ("debug", "warning"):
            params = {"level": level, "data": level}
            await response.write(
                event({"jsonrpc": "2.0", "method": "notifications/message", "params": params})
            )
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": {"content": []}}
        await response.write(event(answer))
        return response

    server = ScriptedOlder(answer=logs)
    meta = META | {"io.modelcontextprotocol/logLevel": "info"}
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"older": url}, terms=RARELY) as mesh,
    ):
        told = (await call_modern(mesh.port, "act", _meta=meta)).body
        await call_modern(mesh.port, "act", _meta=meta)
        silent = (await call_modern(mesh.port, "act")).body
    assert told.count(b"notifications/message") == 1
    assert b'"warning"' in told
    assert b"notifications/message" not in silent
    assert server.methods().count("logging/setLevel") == 1


@pytest.mark.requirement("gateway.upstream-eras")
async def test_a_missing_resource_is_missing_in_the_words_of_today() -> None:
    """-32002 becomes -32602 with the URI in its data."""

    async def missing(
        server: ScriptedOlder, http: web.Request, request: Json
    ) -> web.StreamResponse:
        error = {"code": -32002, "message": "Resource not found"}
        return web.json_response({"jsonrpc": "2.0", "id": request["id"], "error": error})

    async with (
        asyncio.timeout(10),
        running(ScriptedOlder(answer=missing)) as url,
        routing({"older": url}, terms=RARELY) as mesh,
    ):
        reply = await post(
            mesh.port,
            modern("resources/read", {"uri": "x://1"}),
            modern_headers("resources/read", "x://1"),
        )
    assert (reply.status, reply.error["code"]) == (400, -32602)
    assert reply.error["data"] == {"uri": "x://1"}


@pytest.mark.requirement("gateway.upstream-resume")
@pytest.mark.parametrize("polite", [True, False], ids=["closed", "cut"])
async def test_an_answer_whose_stream_broke_is_fetched_from_where_it_was(*, polite: bool) -> None:
    """SEP-1699: GET with Last-Event-ID after the pause that the server named; called once."""
    release = asyncio.Event()
    calls: list[object] = []

    async def breaks(server: ScriptedOlder, http: web.Request, request: Json) -> web.StreamResponse:
        calls.append(request["id"])
        response = await opened(http)
        await response.write(b"id: e-1\nretry: 10\ndata:\n\n")
        release.set()
        if not polite:
            assert http.transport is not None
            http.transport.abort()
        return response

    class Resuming(ScriptedOlder):
        async def get(self, http: web.Request) -> web.StreamResponse:
            if http.headers.get("Last-Event-ID") != "e-1":
                return await super().get(http)
            response = await opened(http)
            answer = {"content": [{"type": "text", "text": "in the end"}]}
            message = {"jsonrpc": "2.0", "id": calls[0], "result": answer}
            await response.write(b"id: e-2\n" + event(message))
            return response

    server = Resuming(answer=breaks)
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"older": url}, terms=RARELY) as mesh,
    ):
        assert text_of(await call_modern(mesh.port, "act")) == "in the end"
    assert len(calls) == 1


@pytest.mark.requirement("gateway.upstream-resume")
async def test_an_answer_that_cannot_be_fetched_again_is_a_failure() -> None:
    """Without an id there is nowhere to go back to: the caller hears that it may have happened."""

    async def cut(server: ScriptedOlder, http: web.Request, request: Json) -> web.StreamResponse:
        response = await opened(http)
        await response.write(b": begun\n\n")
        assert http.transport is not None
        http.transport.abort()
        return response

    server = ScriptedOlder(answer=cut, tools=[tool("act", read_only=False)])
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"older": url}, terms=RARELY) as mesh,
    ):
        error = orjson.loads(text_of(await call_modern(mesh.port, "act")))
    assert error["error_code"] == "NETWORK_ERROR"
    assert error["details"] == {"may_have_happened": True}
