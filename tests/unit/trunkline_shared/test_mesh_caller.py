"""Calling the router in somebody's name: what is sent, and what each answer means."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from tests.interaction.upstreams import Answer, Scripted, cut, result, running
from trunkline_shared import errors, wire
from trunkline_shared.clock import SystemClock
from trunkline_shared.deadline import deadline_in
from trunkline_shared.delegation import delegated_by
from trunkline_shared.http.client import open_http, proxy_for
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.mesh.caller import MeshCaller
from trunkline_shared.testing.sick_servers import answering

pytestmark = pytest.mark.anyio

TOKEN = "s3cret-token"
Message = dict[str, Any]


def replies(body: object, *, status: int = 200, kind: str = "application/json") -> Answer:
    """Answer this, whatever is asked."""

    async def answer(http: web.Request, request: Message) -> web.StreamResponse:
        text = body if isinstance(body, str) else json.dumps(body)
        return web.Response(text=text, status=status, content_type=kind)

    return answer


def error(code: int, message: str, data: object = None, *, status: int = 200) -> Answer:
    """Answer a JSON-RPC error."""
    body = {"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": message, "data": data}}
    return replies(body, status=status)


def failed(text: str) -> Message:
    return {"isError": True, "content": [{"type": "text", "text": text}]}


def answered(result: object) -> Message:
    return {"jsonrpc": "2.0", "id": 1, "result": result}


@asynccontextmanager
async def asking(answer: Answer) -> AsyncIterator[tuple[MeshCaller, Scripted]]:
    """Stand before a router that answers so."""
    router = Scripted(answer=answer)
    async with running(router) as url, open_http(SystemClock()) as http:
        with delegated_by({"url": f"{url}/mcp", "token": TOKEN}):
            yield MeshCaller(asking=Asking(http=http, name="twig", version="9.9")), router


async def test_a_call_is_a_modern_one_with_the_callers_token() -> None:
    """Stateless, with its envelope, its headers, and the time that is left."""

    async def ok(http: web.Request, request: Message) -> web.StreamResponse:
        return result(request, {"structuredContent": {"n": 1}, "content": []})

    async with asking(ok) as (caller, router):
        assert await caller.call("get_it", {"key": "é"}, 2) == {"n": 1}
        with deadline_in(1):
            await caller.call("get_it", {}, 2)
    headers, (first, second) = router.headers[0], [call["params"] for call in router.calls]
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert headers["authorization"] == f"Bearer {TOKEN}"
    assert (headers["mcp-method"], headers["mcp-name"]) == ("tools/call", "get_it")
    assert headers["mcp-protocol-version"] == "2026-07-28"
    assert (first["name"], first["arguments"]) == ("get_it", {"key": "é"})
    meta = first["_meta"]
    assert meta["io.modelcontextprotocol/clientInfo"] == {"name": "twig", "version": "9.9"}
    assert 1900 < meta["dev.trunkline/deadline_ms"] <= 2000
    assert second["_meta"]["dev.trunkline/deadline_ms"] <= 1000


async def test_a_proxy_of_the_machine_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mesh's own servers are near, and a proxy would see the token."""
    seen: list[bytes] = []

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.read(10))

    async with answering(proxy) as url, open_http(SystemClock()) as http:
        for name in ("HTTP_PROXY", "http_proxy"):
            monkeypatch.setenv(name, url)
        monkeypatch.setenv("no_proxy", "")
        near = "http://127.0.0.2:9/mcp"
        assert proxy_for(near) == url
        caller = MeshCaller(asking=Asking(http=http, name="twig", version="9.9"))
        with delegated_by({"url": near, "token": TOKEN}), pytest.raises(errors.NetworkError):
            await caller.call("x", {}, 2)
    assert seen == []


PROGRESS = 'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n'
IN_ONE = 'data: {"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"n":2}}}\n\n'
IN_TWO = 'data: {"jsonrpc":"2.0","id":1,\r\ndata: "result":{"structuredContent":{"n":2}}}\r\n\r\n'


@pytest.mark.parametrize("stream", [PROGRESS + IN_ONE, ": keep-alive\r\n\r\n" + IN_TWO])
async def test_an_answer_may_be_a_stream(stream: str) -> None:
    """What comes before the answer is passed over; an event may have several lines."""
    async with asking(replies(stream, kind="text/event-stream")) as (caller, _):
        assert await caller.call("x", {}, 2) == {"n": 2}


@pytest.mark.parametrize("kind", errors.BY_CODE.values(), ids=lambda kind: kind.code)
async def test_a_tools_failure_comes_back_as_it_was_raised(
    kind: type[errors.TrunklineError],
) -> None:
    """The whole of it: code, message, hint, details."""
    raised = kind("It went wrong.", hint="Do this.", details={"n": 1})
    async with asking(replies(answered(wire.to_result(raised)))) as (caller, _):
        with pytest.raises(kind) as caught:
            await caller.call("x", {}, 2)
    assert wire.payload(caught.value) == wire.payload(raised)


@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [
        (error(-32602, "Unknown tool: 'x'."), errors.Unsupported, "Unknown tool"),
        (
            error(-32602, "'x' is not offered in this context.", {"reason": "not_offered"}),
            errors.BlockedByPolicy,
            "not offered",
        ),
        (
            error(-32600, "It has expired.", {"reason": "invalid_token"}, status=401),
            errors.AuthError,
            "expired",
        ),
        (
            error(-32603, "Gone.", wire.payload(errors.NetworkError("Gone."))),
            errors.NetworkError,
            "Gone.",
        ),
        (error(-32000, "Odd."), errors.UpstreamUnavailable, "Odd."),
        (replies("sorry", kind="text/plain", status=502), errors.UpstreamUnavailable, "HTTP 502"),
        (replies("[]"), errors.UpstreamUnavailable, "not MCP"),
        (replies(answered(None)), errors.UpstreamUnavailable, "neither"),
        (replies({**answered({}), "id": 99}), errors.UpstreamUnavailable, "HTTP 200"),
        (replies(answered({"content": []})), errors.UpstreamUnavailable, "without structured"),
        (replies(answered(failed("a foreign text"))), errors.UpstreamUnavailable, "foreign text"),
        (replies(answered({"isError": True})), errors.UpstreamUnavailable, "no text"),
    ],
)
async def test_every_other_answer_is_a_failure_with_a_name(
    answer: Answer, kind: type[errors.TrunklineError], said: str
) -> None:
    """Protocol errors, answers that are none, and failures of foreign servers."""
    async with asking(answer) as (caller, _):
        with pytest.raises(kind) as caught:
            await caller.call("x", {}, 2)
    assert said in caught.value.message
    assert TOKEN not in str(wire.payload(caught.value))


async def test_a_router_that_is_not_there_is_told_without_its_address() -> None:
    """No inner URL ever reaches an agent."""
    async with asking(cut) as (caller, _):
        with pytest.raises(errors.NetworkError) as gone:
            await caller.call("x", {}, 2)
        with (
            delegated_by({"url": "http://127.0.0.1:9/mcp", "token": TOKEN}),
            pytest.raises(errors.NetworkError) as absent,
        ):
            await caller.call("x", {}, 2)
    for caught in (gone, absent):
        assert "127.0.0.1" not in str(wire.payload(caught.value))


async def test_nothing_is_asked_without_a_delegation_or_time() -> None:
    """UNSUPPORTED names the tool; a deadline that has passed is TIMEOUT."""
    async with asking(replies(answered({"structuredContent": {}}))) as (caller, router):
        with delegated_by(None), pytest.raises(errors.Unsupported, match="get_it"):
            await caller.call("get_it", {}, 2)
        with deadline_in(-1), pytest.raises(errors.UpstreamTimeout):
            await caller.call("get_it", {}, 2)
    assert router.calls == []
