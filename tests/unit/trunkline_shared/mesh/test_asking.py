"""Asking a router: what is told of a request's progress, and of a failure on the way."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

import pytest
from aiohttp import web
from mcp_types.jsonrpc import HEADER_MISMATCH, MISSING_REQUIRED_CLIENT_CAPABILITY

from tests.interaction.upstreams import Answer, Json, Scripted, cut, event, result, running
from trunkline_shared import wire
from trunkline_shared.clock import SystemClock
from trunkline_shared.errors import (
    AuthError,
    BlockedByPolicy,
    CredentialsMissing,
    NetworkError,
    PermissionDenied,
    TooLarge,
    TrunklineError,
    Unsupported,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.http.client import open_http
from trunkline_shared.mesh.asking import BODY_CAP, Asking
from trunkline_shared.mesh.entrance import Entrance
from trunkline_shared.testing.sick_servers import answering

pytestmark = pytest.mark.anyio

DONE: Json = {"structuredContent": {"n": 1}, "content": []}


def news(**params: object) -> bytes:
    """Return an event that tells of progress."""
    return event({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})


@asynccontextmanager
async def asking(answer: Answer) -> AsyncIterator[tuple[Asking, Entrance, Scripted]]:
    """Stand before a router that answers so."""
    router = Scripted(answer=answer)
    async with running(router) as url, open_http(SystemClock()) as http:
        yield Asking(http=http, name="it", version="1"), Entrance(url=f"{url}/mcp"), router


async def test_progress_is_told_in_its_order_and_before_the_answer() -> None:
    """As it comes: the answer is sent only once the first of it was heard."""
    heard: list[tuple[float, float | None, str]] = []
    first = asyncio.Event()

    async def told(progress: float, total: float | None, message: str) -> None:
        heard.append((progress, total, message))
        first.set()

    async def answer(http: web.Request, request: Json) -> web.StreamResponse:
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await stream.prepare(http)
        await stream.write(news(progress=1, total=2, message="one"))
        await first.wait()
        await stream.write(news(progress=2) + event({"method": "notifications/message"}))
        done = {"jsonrpc": "2.0", "id": request["id"], "result": DONE}
        await stream.write(event(done))
        return stream

    async with asyncio.timeout(5), asking(answer) as (asked, to, router):
        assert await asked.ask(to, "tools/call", {"name": "x"}, 3, told) == DONE
    assert heard == [(1.0, 2.0, "one"), (2.0, None, "")]
    params = router.calls[0]["params"]
    assert isinstance(params, dict)
    assert params["_meta"]["progressToken"] == router.calls[0]["id"]


async def test_an_answer_without_a_stream_has_no_progress() -> None:
    """Whoever listens gets the answer all the same; who does not asks for none."""

    async def never(*_: object) -> None:
        raise AssertionError("there was nothing to tell")

    async def answer(_: web.Request, request: Json) -> web.StreamResponse:
        return result(request, DONE)

    async with asking(answer) as (asked, to, router):
        assert await asked.ask(to, "tools/call", {"name": "x"}, 3, never) == DONE
        assert await asked.ask(to, "tools/call", {"name": "x"}, 3) == DONE
    params = router.calls[1]["params"]
    assert isinstance(params, dict)
    assert "progressToken" not in params["_meta"]


async def test_what_a_listener_raises_ends_the_request() -> None:
    """It leaves as itself, and nobody waits for the answer any more."""
    gone = asyncio.Event()

    async def told(*_: object) -> None:
        raise LookupError("enough")

    async def answer(http: web.Request, request: Json) -> web.StreamResponse:
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await stream.prepare(http)
        try:
            await stream.write(news(progress=1))
            await asyncio.Event().wait()
        finally:
            gone.set()
        return stream

    async with asyncio.timeout(5), asking(answer) as (asked, to, _):
        with pytest.raises(LookupError, match="enough"):
            await asked.ask(to, "tools/call", {"name": "x"}, 3, told)
        await gone.wait()


async def test_a_failure_on_the_way_says_whether_the_request_may_have_arrived() -> None:
    """And not where the router is."""

    async def slow(http: web.Request, request: Json) -> web.StreamResponse:
        await asyncio.Event().wait()
        return web.Response()

    async with asking(slow) as (asked, to, _):
        with pytest.raises(UpstreamTimeout) as late:
            await asked.ask(to, "tools/call", {"name": "x"}, 0.1)
    async with asking(cut) as (asked, to, _):
        with pytest.raises(NetworkError) as broken:
            await asked.ask(to, "tools/call", {"name": "x"}, 3)
    async with open_http(SystemClock()) as http:
        asked = Asking(http=http, name="it", version="1")
        with pytest.raises(NetworkError) as refused:
            await asked.ask(to, "tools/call", {"name": "x"}, 3)
    assert late.value.details == broken.value.details == {"phase": "exchange"}
    assert refused.value.details == {"phase": "connect"}


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("missing_token", CredentialsMissing),
        ("invalid_token", AuthError),
        ("insufficient_scope", PermissionDenied),
        ("repository_not_allowed", BlockedByPolicy),
    ],
)
async def test_a_caller_who_is_refused_learns_why(reason: str, kind: type[TrunklineError]) -> None:
    """By the reason that the router names, not by its text."""

    async def answer(_: web.Request, request: Json) -> web.StreamResponse:
        error = {"code": -32600, "message": "No.", "data": {"reason": reason}}
        return web.json_response({"jsonrpc": "2.0", "id": None, "error": error}, status=401)

    async with asking(answer) as (asked, to, _):
        with pytest.raises(kind, match=r"No\.$") as refused:
            await asked.ask(to, "tools/call", {"name": "x"}, 3)
    assert (refused.value.details["reason"], refused.value.retryable) == (reason, False)


async def test_a_server_that_is_not_there_is_named() -> None:
    """Its page is not found, which is no protocol error."""

    async def answer(_: web.Request, request: Json) -> web.StreamResponse:
        return web.json_response({"error": "There is no server 'x'."}, status=404)

    async with asking(answer) as (asked, to, _):
        with pytest.raises(Unsupported, match="no server 'x'"):
            await asked.ask(to, "tools/call", {"name": "x"}, 3)


@pytest.mark.parametrize("code", [HEADER_MISMATCH, MISSING_REQUIRED_CLIENT_CAPABILITY])
async def test_what_a_tool_wants_of_other_clients_is_not_for_repeating(code: int) -> None:
    """Arguments that are mirrored in headers, or answers to its questions."""

    async def answer(_: web.Request, request: Json) -> web.StreamResponse:
        error = {"code": code, "message": "No."}
        message = {"jsonrpc": "2.0", "id": request["id"], "error": error}
        return web.json_response(message, status=400)

    async with asking(answer) as (asked, to, _):
        with pytest.raises(Unsupported, match="does not do") as refused:
            await asked.ask(to, "tools/call", {"name": "x"}, 3)
    assert not refused.value.retryable


@pytest.mark.parametrize(("status", "retryable"), [(200, False), (502, True), (404, True)])
async def test_what_is_no_answer_says_whether_the_request_may_have_been_carried_out(
    *, status: int, retryable: bool
) -> None:
    """A stream that ends too soon, or a gateway that gave up; what was refused was not done."""

    async def answer(http: web.Request, request: Json) -> web.StreamResponse:
        return web.Response(body=news(progress=1), status=status, content_type="text/event-stream")

    async with asking(answer) as (asked, entrance, _):
        with pytest.raises(UpstreamUnavailable, match="not MCP") as failed:
            await asked.ask(entrance, "tools/call", {"name": "write"}, 2)
    assert failed.value.retryable is retryable
    assert (failed.value.details.get("phase") == "exchange") is (status != HTTPStatus.NOT_FOUND)


async def test_what_the_client_refuses_is_told_without_the_routers_address() -> None:
    """An answer beyond its cap, and a redirection that leads nowhere: no host reaches an agent."""

    async def flood(http: web.Request, request: Json) -> web.StreamResponse:
        return web.Response(body=b" " * (BODY_CAP + 1))

    async with asking(flood) as (asked, entrance, _):
        with pytest.raises(TooLarge) as large:
            await asked.ask(entrance, "tools/call", {"name": "x"}, 5)

    async def away(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"HTTP/1.1 302 Found\r\nLocation: ftp://x/\r\nContent-Length: 0\r\n\r\n")

    async with answering(away) as url, open_http(SystemClock()) as http:
        asked = Asking(http=http, name="it", version="1")
        with pytest.raises(UpstreamUnavailable) as moved:
            await asked.page(Entrance(url=f"{url}/mcp"), "/api/mesh", 2)
    for error in (large.value, moved.value):
        assert "127.0.0.1" not in str(wire.payload(error))
        assert not error.retryable
