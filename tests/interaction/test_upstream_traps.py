"""Servers that answer oddly while their revision is found out, and streams that lead elsewhere."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace

import orjson
import pytest
from aiohttp import web

from tests.interaction.listen_streams import heard, listening
from tests.interaction.mesh import QUICK, routing
from tests.interaction.scripted_older import ScriptedOlder, opened
from tests.interaction.scripted_older import running as running_older
from tests.interaction.upstreams import Json, result, tool
from tests.interaction.wire import call_modern, modern, modern_headers, post, text_of

pytestmark = pytest.mark.anyio

RARELY = replace(QUICK, pace=replace(QUICK.pace, refresh_s=60))
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def entry(url: str, **given: object) -> Mapping[str, object]:
    return {"servers": {"odd": {"url": f"{url}/mcp", **given}}}


@asynccontextmanager
async def serving(post: Handler, get: Handler) -> AsyncIterator[str]:
    """Serve one path by hand; yields the base URL."""
    app = web.Application()
    app.router.add_get("/{path:.*}", get, allow_head=False)
    app.router.add_post("/{path:.*}", post)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def no_such_method(http: web.Request) -> web.StreamResponse:
    return web.Response(status=405)


@pytest.mark.requirement("gateway.upstream-eras")
@pytest.mark.parametrize("status", [200, 404, 405, 500])
async def test_whatever_an_older_server_says_to_discover_it_is_greeted_the_old_way(
    status: int,
) -> None:
    """A page, a 404, a 500: no recognised answer of 2026-07-28, so `initialize` follows."""

    class Odd(ScriptedOlder):
        async def post(self, http: web.Request) -> web.StreamResponse:
            if http.headers.get("MCP-Protocol-Version") == "2026-07-28":
                return web.Response(text="<html>", content_type="text/html", status=status)
            return await super().post(http)

    async with (
        asyncio.timeout(10),
        running_older(Odd()) as url,
        routing({"odd": url}, terms=RARELY) as mesh,
    ):
        assert text_of(await call_modern(mesh.port, "act")) == "ok"


@pytest.mark.requirement("gateway.upstream-eras")
async def test_the_entrys_transport_narrows_what_is_tried() -> None:
    """`streamable-http` never asks for an event stream, `sse` for nothing else."""
    tried: list[tuple[str, bool]] = []

    async def notes(http: web.Request) -> web.StreamResponse:
        asked = orjson.loads(await http.read())["method"] if http.method == "POST" else "stream"
        tried.append((asked, "2026-07-28" in http.headers.values()))
        return web.Response(status=405)

    async with asyncio.timeout(10), serving(notes, notes) as url:
        async with routing({"odd": url}, configured=entry(url, transport="sse"), terms=RARELY):
            assert set(tried) == {("stream", False)}
        tried.clear()
        narrowed = entry(url, transport="streamable-http")
        async with routing({"odd": url}, configured=narrowed, terms=RARELY) as mesh:
            assert set(tried) == {("server/discover", True), ("initialize", False)}
            error = mesh.catalog.fleet["odd"].vitals.last_error
    assert error == "UPSTREAM_UNAVAILABLE"


@pytest.mark.requirement("gateway.upstream-secrets")
async def test_a_refused_credential_is_told_while_the_revision_is_found_out_too() -> None:
    """401 says nothing about the era: no second way is tried with the same credential."""
    tried: list[str] = []

    async def refuses(http: web.Request) -> web.StreamResponse:
        tried.append(orjson.loads(await http.read())["method"])
        return web.json_response({}, status=401)

    async with (
        asyncio.timeout(10),
        serving(refuses, no_such_method) as url,
        routing({"odd": url}, terms=RARELY) as mesh,
    ):
        assert mesh.catalog.fleet["odd"].vitals.last_error == "AUTH_ERROR"
    assert set(tried) == {"server/discover"}


@pytest.mark.requirement("gateway.upstream-secrets")
async def test_a_stream_that_wants_its_messages_elsewhere_gets_none() -> None:
    """The credential goes with each message: only the server's own origin gets it."""
    posted: list[str] = []

    async def elsewhere(http: web.Request) -> web.StreamResponse:
        posted.append(http.headers.get("Authorization", ""))
        return web.Response(status=202)

    async def points(http: web.Request) -> web.StreamResponse:
        response = await opened(http)
        await response.write(f"event: endpoint\ndata: {other}/take\n\n".encode())
        await asyncio.Event().wait()
        return response

    given: Json = {"transport": "sse", "headers": {"Authorization": "Bearer secret"}}
    async with (
        asyncio.timeout(10),
        serving(elsewhere, no_such_method) as other,
        serving(no_such_method, points) as url,
        routing({"odd": url}, configured=entry(url, **given), terms=RARELY) as mesh,
    ):
        assert mesh.catalog.fleet["odd"].vitals.last_error == "UPSTREAM_UNAVAILABLE"
    assert not posted


@pytest.mark.requirement("gateway.upstream-subscriptions")
async def test_a_list_that_changes_at_an_older_server_is_told_to_clients() -> None:
    """gateways.md 3.F 27: `notifications/tools/list_changed` on its stream goes on."""
    server = ScriptedOlder()
    async with (
        asyncio.timeout(10),
        running_older(server) as url,
        routing({"odd": url}, terms=RARELY) as mesh,
        listening(mesh, {"toolsListChanged": True}) as reader,
    ):
        await heard(reader)
        server.tools.append(tool("new"))
        await server.tell("notifications/tools/list_changed")
        assert (await heard(reader))["method"] == "notifications/tools/list_changed"
        assert "new" in mesh.catalog.directory().tools


@pytest.mark.requirement("gateway.upstream-sessions")
async def test_an_answer_to_another_request_is_nobodys() -> None:
    """Two calls at once; a server that mixes up their ids crosses no answers."""
    both = asyncio.Event()
    ids: list[object] = []

    async def mixes(server: ScriptedOlder, http: web.Request, request: Json) -> web.StreamResponse:
        ids.append(request["id"])
        if len(ids) == 2:
            both.set()
        await both.wait()
        other = next(id_ for id_ in ids if id_ != request["id"])
        return result({"id": other}, {"content": [{"type": "text", "text": "crossed"}]})

    async with (
        asyncio.timeout(10),
        running_older(ScriptedOlder(answer=mixes)) as url,
        routing({"odd": url}, terms=RARELY) as mesh,
        asyncio.TaskGroup() as tasks,
    ):
        calls = [tasks.create_task(call_modern(mesh.port, "act")) for _ in range(2)]
    for call in calls:
        assert orjson.loads(text_of(call.result()))["error_code"] == "UPSTREAM_UNAVAILABLE"


@pytest.mark.requirement("gateway.upstream-sessions")
async def test_a_batch_in_answer_to_one_request_is_read() -> None:
    """2025-03-26 lets a server put notifications and the answer into one list."""

    async def batches(
        server: ScriptedOlder, http: web.Request, request: Json
    ) -> web.StreamResponse:
        answer = {"content": [{"type": "text", "text": "in a list"}]}
        return web.json_response([
            {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info"}},
            {"jsonrpc": "2.0", "id": request["id"], "result": answer},
        ])

    async with (
        asyncio.timeout(10),
        running_older(ScriptedOlder(answer=batches)) as url,
        routing({"odd": url}, terms=RARELY) as mesh,
    ):
        assert text_of(await call_modern(mesh.port, "act")) == "in a list"


@pytest.mark.requirement("gateway.upstream-eras")
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
async def test_an_event_stream_is_read_whatever_its_line_ends(ends: str) -> None:
    """HTTP+SSE by hand: comments, other events, data over several lines."""
    streams: list[asyncio.Queue[Json]] = []

    async def stream(http: web.Request) -> web.StreamResponse:
        told: asyncio.Queue[Json] = asyncio.Queue()
        place = len(streams)
        streams.append(told)
        response = await opened(http)
        await response.write(f"event: endpoint{ends}data: /take?id={place}{ends}{ends}".encode())
        while True:
            message = orjson.dumps(await told.get(), option=orjson.OPT_INDENT_2).decode()
            data = "".join(f"data: {line}{ends}" for line in message.splitlines())
            await response.write(f": still here{ends}{ends}event: other{ends}{data}{ends}".encode())
            await response.write(f"event: message{ends}{data}{ends}".encode())

    async def take(http: web.Request) -> web.StreamResponse:
        request = orjson.loads(await http.read())
        answers: dict[str, Json] = {
            "initialize": {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}},
            "tools/list": {"tools": [tool("act")]},
            "tools/call": {"content": [{"type": "text", "text": "streamed"}]},
        }
        if http.path != "/take":
            return web.Response(status=405)
        if request["method"] in answers:
            streams[int(http.query["id"])].put_nowait({
                "jsonrpc": "2.0",
                "id": request["id"],
                "result": answers[request["method"]],
            })
        return web.Response(status=202, text="Accepted")

    async with (
        asyncio.timeout(10),
        serving(take, stream) as url,
        routing({"odd": url}, terms=RARELY) as mesh,
    ):
        assert text_of(await call_modern(mesh.port, "act")) == "streamed"


@pytest.mark.requirement("gateway.upstream-eras")
async def test_arguments_that_cannot_be_written_are_the_callers_fault() -> None:
    """Nested deeper than can be sent on: a typed error, no failure of ours or of the server's."""
    async with (
        asyncio.timeout(10),
        running_older(ScriptedOlder()) as url,
        routing({"odd": url}, terms=RARELY) as mesh,
    ):
        # Written by hand: what is too deep for the router is too deep for the test as well.
        body = modern("tools/call", {"name": "act", "arguments": {"deep": "DEEP"}})
        raw = body.replace(b'"DEEP"', b'{"a":' * 300 + b"1" + b"}" * 300)
        reply = await post(mesh.port, raw, modern_headers("tools/call", "act"))
        assert orjson.loads(text_of(reply))["error_code"] == "INVALID_INPUT"
        assert text_of(await call_modern(mesh.port, "act")) == "ok"
