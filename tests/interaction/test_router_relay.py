"""What goes to a server and what comes back: rewritten where it must be, else untouched."""

import asyncio
from dataclasses import replace
from typing import Any

import orjson
import pytest
from aiohttp import web
from opentelemetry.trace import SpanKind

from tests.interaction.mesh import QUICK, routing
from tests.interaction.upstreams import Answer, Json, Scripted, event, result, running, tool
from tests.interaction.wire import (
    LEGACY_HEADERS,
    META,
    call_legacy,
    call_modern,
    get,
    head,
    legacy,
    modern,
    modern_headers,
    post,
    read_reply,
)

pytestmark = pytest.mark.anyio

TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def sent_meta(server: Scripted) -> Any:
    params = server.calls[-1]["params"]
    assert isinstance(params, dict)
    return params["_meta"]


async def test_a_call_reaches_its_server_as_a_modern_request() -> None:
    """Headers mirror the body; what the client declared goes along; the mesh key opens."""
    server = Scripted()
    async with running(server) as url, routing({"twig": url}, mesh_key="k" * 32) as mesh:
        meta = META | {
            "progressToken": "t1",
            "io.modelcontextprotocol/logLevel": "info",
            "io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"},
        }
        body = modern("tools/call", {"name": "act", "arguments": {"x": [1, None]}, "_meta": meta})
        headers = modern_headers(
            "tools/call",
            "act",
            Authorization="Bearer the-clients-own",
            Mcp_Param_Region="eu",
            Cookie="a=b",
            Origin="http://localhost:1",
        )
        assert (await post(mesh.port, body, headers)).status == 200
    sent = server.headers[0]
    assert sent["mcp-protocol-version"] == "2026-07-28"
    assert (sent["mcp-method"], sent["mcp-name"]) == ("tools/call", "act")
    assert sent["mcp-param-region"] == "eu"
    assert sent["authorization"] == "Bearer " + "k" * 32
    assert not sent.keys() & {"cookie", "origin", "mcp-session-id"}
    params = server.calls[0]["params"]
    assert isinstance(params, dict)
    assert params["arguments"] == {"x": [1, None]}
    assert meta.items() <= params["_meta"].items()
    assert sent["traceparent"] == params["_meta"]["traceparent"]


@pytest.mark.parametrize("mesh_key", [None, "k" * 32])
async def test_a_foreign_server_learns_no_key_and_no_token(mesh_key: str | None) -> None:
    """Neither the mesh key nor the caller's own token is passed on to it."""
    server = Scripted()
    async with running(server) as url, routing({"wiki": url}, mesh_key=mesh_key) as mesh:
        headers = LEGACY_HEADERS | {"Authorization": "Bearer the-clients-own"}
        await post(mesh.port, legacy("tools/call", {"name": "act"}), headers)
    assert "authorization" not in server.headers[0]


@pytest.mark.parametrize(("call", "given"), [(call_legacy, {}), (call_modern, META)])
async def test_a_client_cannot_speak_in_the_routers_name(call: Any, given: Json) -> None:
    """Our own keys in a client's meta are taken out before ours are put in."""
    server = Scripted(tools=[tool("act", timeout_s=7)])
    forged = given | {
        "dev.trunkline/bind": {"owner": "evil"},
        "dev.trunkline/delegation": "forged",
        "dev.trunkline/deadline_ms": 99_999_999,
    }
    async with running(server) as url, routing({"jira": url}) as mesh:
        await call(mesh.port, "act", _meta=forged)
    meta = sent_meta(server)
    ours = {key for key in meta if key.startswith("dev.trunkline/")}
    assert ours == {"dev.trunkline/deadline_ms"}
    assert 6000 < meta["dev.trunkline/deadline_ms"] <= 7000


async def test_a_result_says_where_it_came_from() -> None:
    """Server, source, age and trace id, beside the server's own notes."""

    async def noted(http: web.Request, request: Json) -> web.StreamResponse:
        return result(request, {"content": [{"type": "text", "text": "x"}], "_meta": {"own/k": 1}})

    async with running(Scripted(answer=noted)) as url, routing({"a": url}) as mesh:
        reply = await call_modern(mesh.port, "act")
    note = reply.result["_meta"]["dev.trunkline/call"]
    trace_id = f"{mesh.spans[0].trace_id:032x}"
    assert note == {"server": "a", "source": "upstream", "age_ms": 0, "trace_id": trace_id}
    assert reply.result["_meta"]["own/k"] == 1
    assert reply.result["resultType"] == "complete"
    assert reply.result["content"] == [{"type": "text", "text": "x"}]


async def test_a_question_to_the_user_passes_untouched() -> None:
    """input_required, inputResponses and requestState go through both ways, byte for byte."""
    questions = {"q1": {"method": "elicitation/create", "params": {"message": "Sure?"}}}
    state = "opaque+/=\u00e9"

    async def asks(http: web.Request, request: Json) -> web.StreamResponse:
        asked = {"resultType": "input_required", "inputRequests": questions, "requestState": state}
        return result(request, asked)

    server = Scripted(answer=asks)
    async with running(server) as url, routing({"a": url}) as mesh:
        reply = await call_modern(mesh.port, "act")
        assert reply.result["resultType"] == "input_required"
        assert reply.result["inputRequests"] == questions
        assert reply.result["requestState"] == state
        answers = {"q1": {"action": "accept", "content": {}}}
        await call_modern(mesh.port, "act", inputResponses=answers, requestState=state)
    params = server.calls[1]["params"]
    assert isinstance(params, dict)
    assert (params["inputResponses"], params["requestState"]) == (answers, state)


def pausing(resume: asyncio.Event) -> Answer:
    """Stream progress, wait, then a comment, a question, and the answer."""

    async def streams(http: web.Request, request: Json) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(http)
        progress = {"progressToken": 1, "progress": 1}
        frame = {"jsonrpc": "2.0", "method": "notifications/progress", "params": progress}
        await response.write(event(frame))
        await resume.wait()
        await response.write(b": ping\r\n\r\n")
        question = {"jsonrpc": "2.0", "id": 9, "method": "roots/list"}
        final = {"jsonrpc": "2.0", "id": request["id"], "result": {"content": []}}
        await response.write(event(question) + event(final))
        return response

    return streams


@pytest.mark.requirement("router.streams")
@pytest.mark.parametrize("modern_era", [True, False])
async def test_events_reach_the_client_as_they_come(*, modern_era: bool) -> None:
    """The first frame is there before the server has sent the second."""
    heard = asyncio.Event()
    async with (
        asyncio.timeout(5),
        running(Scripted(answer=pausing(heard))) as url,
        routing({"a": url}) as mesh,
    ):
        body = (modern if modern_era else legacy)("tools/call", {"name": "act"}, id="mine")
        headers = modern_headers("tools/call", "act") if modern_era else LEGACY_HEADERS
        reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
        writer.write(head(body, headers, port=mesh.port) + body)
        top = await reader.readuntil(b"\r\n\r\n")
        assert b"text/event-stream" in top
        assert b"X-Accel-Buffering: no" in top
        assert b"notifications/progress" in await reader.readuntil(b"\n\n")
        heard.set()
        rest = await reader.readuntil(b"0\r\n\r\n")
        writer.close()
    assert b": keep-alive" in rest
    assert b"roots/list" not in rest
    last = orjson.loads(rest.partition(b"data: ")[2].partition(b"\n")[0])
    assert last["id"] == "mine"
    assert last["result"]["_meta"]["dev.trunkline/call"]["server"] == "a"


async def test_a_client_that_does_not_read_is_dropped() -> None:
    """Its call ends at the server; nothing piles up for it."""
    ended = asyncio.Event()

    async def floods(http: web.Request, request: Json) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(http)
        note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "x" * 9000}}
        try:
            while True:
                await response.write(event(note))
        finally:
            ended.set()

    impatient = replace(QUICK, limits=replace(QUICK.limits, stall_s=0.1))
    async with (
        asyncio.timeout(5),
        running(Scripted(answer=floods)) as url,
        routing({"a": url}, terms=impatient) as mesh,
    ):
        body = legacy("tools/call", {"name": "act"})
        _, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
        writer.write(head(body, LEGACY_HEADERS, port=mesh.port) + body)
        await ended.wait()
        assert (await get(mesh.port, "/healthz")).status == 200
        writer.close()


async def test_a_stream_with_nothing_but_the_answer_becomes_one_object() -> None:
    """A client that takes JSON only is served as well."""

    async def streams(http: web.Request, request: Json) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(http)
        await response.write(event({"jsonrpc": "2.0", "method": "notifications/message"}))
        final = {"jsonrpc": "2.0", "id": request["id"], "result": {"content": []}}
        await response.write(event(final))
        return response

    async with running(Scripted(answer=streams)) as url, routing({"a": url}) as mesh:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        reply = await post(mesh.port, legacy("tools/call", {"name": "act"}), headers)
    assert reply.headers["content-type"] == "application/json"
    assert reply.result["content"] == []


async def test_ids_of_concurrent_clients_never_cross() -> None:
    """Forty clients with the same id each get their own nonce back."""

    async def echoes(http: web.Request, request: Json) -> web.StreamResponse:
        params = request["params"]
        assert isinstance(params, dict)
        await asyncio.sleep(0)
        return result(request, {"content": [{"type": "text", "text": params["arguments"]["n"]}]})

    async with (
        running(Scripted(answer=echoes)) as url,
        routing({"a": url}) as mesh,
        asyncio.TaskGroup() as group,
    ):
        calls = [
            group.create_task(call_modern(mesh.port, "act", arguments={"n": f"nonce {n}"}))
            for n in range(40)
        ]
        await asyncio.wait(calls)
    for n, call in enumerate(calls):
        assert call.result().result["content"][0]["text"] == f"nonce {n}"
        assert call.result().json["id"] == 1


async def test_one_connection_serves_many_requests() -> None:
    """Keep-alive: two requests, one after the other, on one socket."""
    async with running(Scripted()) as url, routing({"a": url}) as mesh:
        reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
        for number in range(3):
            body = legacy("ping", id=number)
            writer.write(head(body, LEGACY_HEADERS, port=mesh.port) + body)
            assert (await read_reply(reader)).json["id"] == number
        writer.close()


async def test_prompts_and_completions_reach_their_server() -> None:
    """By the prompt's name, by the template, and by a resource that a template matches."""
    server = Scripted(
        prompts=[{"name": "p"}],
        templates=[{"uriTemplate": "x://{id}", "name": "t"}],
    )
    async with running(server) as url, routing({"a": url}) as mesh:
        for ref in (
            {"type": "ref/prompt", "name": "p"},
            {"type": "ref/resource", "uri": "x://{id}"},
        ):
            params = {"ref": ref, "argument": {"name": "id", "value": ""}}
            assert (await post(mesh.port, legacy("completion/complete", params))).status == 200
            sent = server.calls[-1]["params"]
            assert isinstance(sent, dict)
            assert sent["ref"] == ref
        await post(mesh.port, legacy("prompts/get", {"name": "p", "arguments": {"a": "b"}}))
        await post(mesh.port, legacy("resources/read", {"uri": "x://7"}))
    assert server.headers[-1]["mcp-name"] == "x://7"
    assert [call["method"] for call in server.calls][2:] == ["prompts/get", "resources/read"]


@pytest.mark.requirement("router.trace")
async def test_one_trace_runs_from_the_client_to_the_server() -> None:
    """The client's parent, our server span, our client span, and the last one's id in the meta."""
    server = Scripted()
    async with running(server) as url, routing({"a": url}) as mesh:
        await call_modern(mesh.port, "act", _meta=META | {"traceparent": TRACEPARENT})
    upstream, request = mesh.spans
    assert (request.kind, upstream.kind) == (SpanKind.SERVER, SpanKind.CLIENT)
    assert request.name == upstream.name == "tools/call act"
    assert f"{request.trace_id:032x}" == TRACEPARENT.split("-")[1]
    assert f"{request.parent_id:016x}" == TRACEPARENT.split("-")[2]
    assert upstream.parent_id == request.span_id
    assert sent_meta(server)["traceparent"] == upstream.traceparent
    assert request.attributes == {
        "jsonrpc.request.id": "1",
        "mcp.protocol.version": "2026-07-28",
        "mcp.method.name": "tools/call",
        "gen_ai.tool.name": "act",
        "gen_ai.operation.name": "execute_tool",
        "trunkline.server": "a",
        "trunkline.agent": "local",
        "trunkline.source": "upstream",
        "trunkline.tokens.in": 0,
        "trunkline.tokens.out": 0,
    }
    assert upstream.attributes["server.port"] == int(url.rpartition(":")[2])


async def test_a_parent_in_the_header_is_honoured() -> None:
    """A plain gateway before us sends the header only."""
    async with running(Scripted()) as url, routing({"a": url}) as mesh:
        await post(mesh.port, legacy("ping"), LEGACY_HEADERS | {"traceparent": TRACEPARENT})
        await post(mesh.port, legacy("ping"), LEGACY_HEADERS | {"traceparent": "nonsense"})
    assert mesh.spans[0].parent_id == int(TRACEPARENT.split("-")[2], 16)
    assert mesh.spans[1].parent_id == 0


@pytest.mark.requirement("router.trace")
async def test_what_is_no_request_is_traced() -> None:
    """By the code that it was answered, without a word of it."""
    async with running(Scripted()) as url, routing({"a": url}) as mesh:
        await post(mesh.port, b'{"jsonrpc": "2.0", "id": 1, "meth', modern_headers("tools/call"))
    (span,) = mesh.spans
    assert span.name == "_OTHER"
    assert span.attributes == {"mcp.method.name": "_OTHER", "rpc.response.status_code": "-32700"}


@pytest.mark.requirement("router.trace")
async def test_refusals_and_failures_are_traced() -> None:
    """Each has its span; the caller's fault is no error of ours."""
    async with running(Scripted()) as url, routing({"a": url}) as mesh:
        await call_modern(mesh.port, "nothing")
        await post(mesh.port, modern("no/such"), modern_headers("no/such"))
    unknown, other = mesh.spans
    assert unknown.attributes["rpc.response.status_code"] == "-32602"
    assert "error.type" not in unknown.attributes
    assert unknown.attributes["trunkline.agent"] == "local"
    assert "trunkline.server" not in unknown.attributes
    assert (other.name, other.attributes["mcp.method.name"]) == ("_OTHER", "_OTHER")
