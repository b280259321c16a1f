"""Servers that fail in every way: typed answers, and no other call is touched."""

import asyncio
import gzip
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import orjson
import pytest
from aiohttp import web

from tests.interaction.mesh import QUICK, Mesh, routing
from tests.interaction.upstreams import Answer, Json, Scripted, event, result, running, tool
from tests.interaction.wire import (
    LEGACY_HEADERS,
    Reply,
    call_legacy,
    call_modern,
    get,
    head,
    legacy,
    modern,
    modern_headers,
    post,
)

pytestmark = pytest.mark.anyio


def failure(reply: Reply) -> Any:
    """Return the payload of a tool error; nothing inner may be in it."""
    assert reply.status == 200
    assert reply.result["isError"] is True
    assert "structuredContent" not in reply.result
    assert len(reply.result["_meta"]["dev.trunkline/call"]["trace_id"]) == 32
    (block,) = reply.result["content"]
    assert "127.0.0.1" not in block["text"]
    assert "http://" not in block["text"]
    return orjson.loads(block["text"])


def cut(http: web.Request) -> None:
    assert http.transport is not None
    http.transport.abort()


async def dies_before_headers(http: web.Request, request: Json) -> web.StreamResponse:
    cut(http)
    return web.Response()


async def dies_in_json(http: web.Request, request: Json) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.content_length = 1000
    await response.prepare(http)
    await response.write(b'{"jsonrpc": "2.0", "id"')
    cut(http)
    return response


async def dies_in_stream(http: web.Request, request: Json) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(http)
    await response.write(event({"jsonrpc": "2.0", "method": "notifications/progress"}))
    cut(http)
    return response


async def ends_without_answer(http: web.Request, request: Json) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(http)
    await response.write(b": nothing\n\n")
    return response


async def crashes(http: web.Request, request: Json) -> web.StreamResponse:
    return web.Response(status=500, text="Traceback at http://127.0.0.1:1/secret")


async def redirects(http: web.Request, request: Json) -> web.StreamResponse:
    return web.Response(status=307, headers={"Location": "http://127.0.0.1:1/mcp"})


async def shows_a_page(http: web.Request, request: Json) -> web.StreamResponse:
    return web.Response(text="<html>http://127.0.0.1</html>", content_type="text/html")


async def sends_garbage(http: web.Request, request: Json) -> web.StreamResponse:
    return web.Response(body=b"\xff{nonsense", content_type="application/json")


async def sends_a_list(http: web.Request, request: Json) -> web.StreamResponse:
    return web.json_response([1, 2])


async def sends_neither(http: web.Request, request: Json) -> web.StreamResponse:
    return web.json_response({"jsonrpc": "2.0", "id": request["id"]})


async def answers_another(http: web.Request, request: Json) -> web.StreamResponse:
    return result(request | {"id": 987_654}, {"content": [], "isError": False})


FAULTS: list[tuple[Answer, str]] = [
    (dies_before_headers, "NETWORK_ERROR"),
    (dies_in_json, "NETWORK_ERROR"),
    (dies_in_stream, "NETWORK_ERROR"),
    (ends_without_answer, "NETWORK_ERROR"),
    (crashes, "UPSTREAM_UNAVAILABLE"),
    (redirects, "UPSTREAM_UNAVAILABLE"),
    (shows_a_page, "UPSTREAM_UNAVAILABLE"),
    (sends_garbage, "UPSTREAM_UNAVAILABLE"),
    (sends_a_list, "UPSTREAM_UNAVAILABLE"),
    (sends_neither, "UPSTREAM_UNAVAILABLE"),
    (answers_another, "UPSTREAM_UNAVAILABLE"),
]


@pytest.mark.requirement("router.dead-server")
@pytest.mark.parametrize(("answer", "code"), FAULTS, ids=lambda p: getattr(p, "__name__", p))
async def test_a_server_that_fails_gives_a_typed_tool_error(answer: Answer, code: str) -> None:
    """A read may be repeated; a write may have happened and must not be; others are well."""
    well = Scripted(tools=[tool("healthy")])
    async with (
        running(Scripted(answer=answer)) as sick_url,
        running(well) as well_url,
        routing({"sick": sick_url, "well": well_url}) as mesh,
    ):
        read = failure(await _read_to_the_end(mesh, "act"))
        assert (read["error_code"], read["retryable"]) == (code, True)
        write = failure(await _read_to_the_end(mesh, "write"))
        assert (write["error_code"], write["retryable"]) == (code, False)
        assert write["details"] == {"may_have_happened": True}
        assert (await call_modern(mesh.port, "healthy")).result["isError"] is False


async def _read_to_the_end(mesh: Mesh, name: str) -> Reply:
    """Call in JSON only, so that the answer is one object even when frames came first."""
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    return await post(mesh.port, legacy("tools/call", {"name": name}), headers)


@pytest.mark.parametrize("call", [call_legacy, call_modern])
async def test_a_server_that_is_gone_gives_a_network_error(
    call: Callable[..., Any],
) -> None:
    """Nothing was sent, so that even a write may be repeated."""
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(running(Scripted()))
        async with routing({"a": url}) as mesh:
            await stack.aclose()
            error = failure(await call(mesh.port, "write"))
            status = (await get(mesh.port, "/status")).json["servers"]["a"]
    assert (error["error_code"], error["retryable"]) == ("NETWORK_ERROR", True)
    assert error["details"] == {}
    assert status["available"] is False
    assert status["last_error"] == "NETWORK_ERROR"


async def test_a_server_that_hangs_is_given_up_in_time() -> None:
    """TIMEOUT after the tool's own time; the server sees its call end."""
    ended = asyncio.Event()

    async def hangs(http: web.Request, request: Json) -> web.StreamResponse:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return web.Response()

    tools = [tool("act", timeout_s=0.1), tool("write", read_only=False, timeout_s=0.1)]
    async with (
        asyncio.timeout(5),
        running(Scripted(answer=hangs, tools=tools)) as url,
        routing({"jira": url}) as mesh,
    ):
        assert failure(await call_modern(mesh.port, "act"))["error_code"] == "TIMEOUT"
        await ended.wait()
        write = failure(await call_legacy(mesh.port, "write"))
        assert (write["error_code"], write["retryable"]) == ("TIMEOUT", False)
        assert write["details"] == {"may_have_happened": True}


@pytest.mark.parametrize("method", ["resources/read", "prompts/get", "completion/complete"])
async def test_other_methods_fail_as_protocol_errors(method: str) -> None:
    """-32603 with the payload as data and no word about where the server runs."""
    sick = Scripted(
        answer=crashes, resources=[{"uri": "x://y", "name": "y"}], prompts=[{"name": "p"}]
    )
    params: dict[str, dict[str, object]] = {
        "resources/read": {"uri": "x://y"},
        "prompts/get": {"name": "p"},
        "completion/complete": {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {}},
    }
    async with running(sick) as url, routing({"a": url}) as mesh:
        reply = await post(mesh.port, legacy(method, params[method]))
    assert reply.status == 200
    assert reply.error["code"] == -32603
    assert reply.error["data"]["error_code"] == "UPSTREAM_UNAVAILABLE"
    assert b"127.0.0.1" not in reply.body
    assert b"Traceback" not in reply.body


async def test_a_failure_after_the_stream_began_ends_the_stream_with_an_error() -> None:
    """The client has had progress, then gets the tool error as the last event."""
    async with running(Scripted(answer=dies_in_stream)) as url, routing({"a": url}) as mesh:
        body = modern("tools/call", {"name": "act", "arguments": {}})
        reply = await post(mesh.port, body, modern_headers("tools/call", "act"))
    assert reply.headers["content-type"] == "text/event-stream"
    first, last = (
        orjson.loads(block.partition(b"data: ")[2]) for block in reply.body.strip().split(b"\n\n")
    )
    assert first["method"] == "notifications/progress"
    assert last["result"]["isError"] is True


async def test_an_error_of_the_protocol_passes_with_its_status() -> None:
    """A 400 with a JSON-RPC body is an answer, not a sick server."""

    async def refuses(http: web.Request, request: Json) -> web.StreamResponse:
        error = {"code": -32602, "message": "No such thing.", "data": {"uri": "x://y"}}
        return web.json_response(
            {"jsonrpc": "2.0", "id": request["id"], "error": error}, status=400
        )

    server = Scripted(answer=refuses, resources=[{"uri": "x://y", "name": "y"}])
    async with running(server) as url, routing({"a": url}) as mesh:
        reply = await post(
            mesh.port,
            modern("resources/read", {"uri": "x://y"}),
            modern_headers("resources/read", "x://y"),
        )
        assert (reply.status, reply.error["code"]) == (400, -32602)
        assert reply.error["data"] == {"uri": "x://y"}
        old = await post(mesh.port, legacy("resources/read", {"uri": "x://y"}))
        assert (old.status, old.error["code"]) == (200, -32002)
        assert (await get(mesh.port, "/status")).json["servers"]["a"]["available"] is True


@pytest.mark.requirement("router.cancel")
@pytest.mark.parametrize("modern_era", [True, False])
async def test_a_client_that_leaves_ends_the_call_at_the_server(*, modern_era: bool) -> None:
    """Closing the socket reaches the server as a closed request."""
    begun, ended = asyncio.Event(), asyncio.Event()

    async def waits(http: web.Request, request: Json) -> web.StreamResponse:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return web.Response()

    async with (
        asyncio.timeout(5),
        running(Scripted(answer=waits)) as url,
        routing({"a": url}) as mesh,
    ):
        body = (modern if modern_era else legacy)("tools/call", {"name": "act", "arguments": {}})
        headers = modern_headers("tools/call", "act") if modern_era else LEGACY_HEADERS
        _, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
        writer.write(head(body, headers, port=mesh.port) + body)
        await begun.wait()
        writer.close()
        await ended.wait()


async def test_a_failed_call_is_traced_with_its_server_and_its_cause() -> None:
    """The span of the request and of the attempt both say what happened."""
    async with running(Scripted(answer=crashes)) as url, routing({"a": url}) as mesh:
        await call_modern(mesh.port, "act")
    attempt, request = mesh.spans
    assert attempt.attributes["error.type"] == "upstream_unavailable"
    assert request.attributes["error.type"] == "upstream_unavailable"
    assert request.attributes["trunkline.server"] == "a"


async def test_an_answer_too_deep_to_be_sent_on_is_an_error_with_its_id() -> None:
    """JSON that can be read and not written again does not break the connection."""

    async def digs(http: web.Request, request: Json) -> web.StreamResponse:
        deep = "[" * 400 + "]" * 400
        body = f'{{"jsonrpc":"2.0","id":{request["id"]},"result":{{"content":{deep}}}}}'
        return web.Response(text=body, content_type="application/json")

    async with running(Scripted(answer=digs)) as url, routing({"a": url}) as mesh:
        reply = await call_modern(mesh.port, "act")
        assert (reply.json["id"], reply.error["code"]) == (1, -32603)
        assert (await get(mesh.port, "/healthz")).status == 200


async def test_an_answer_counts_as_large_as_it_is_unpacked() -> None:
    """A server that packs what nobody asked it to pack fills no memory beyond the bound."""

    async def packs(http: web.Request, request: Json) -> web.StreamResponse:
        content = [{"type": "text", "text": "a" * 200_000}]
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": {"content": content}}
        packed = gzip.compress(orjson.dumps(answer))
        headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        return web.Response(body=packed, headers=headers)

    small = replace(QUICK, limits=replace(QUICK.limits, answer_bytes=100_000))
    async with (
        running(Scripted(answer=packs)) as url,
        routing({"a": url}, terms=small) as mesh,
    ):
        error = failure(await call_modern(mesh.port, "act"))
    assert error["error_code"] == "UPSTREAM_UNAVAILABLE"
