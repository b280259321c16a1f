"""`/api/traces`: what was answered can be read at once, whole, and found by what it was."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as Sent

from tests.interaction.cache_operating import BOSS, EYE, KEYS, WORKER
from tests.interaction.caching import call, library
from tests.interaction.guarding import Mood, sick
from tests.interaction.mesh import Mesh, routing
from tests.interaction.seeing import MESH_KEY, TRACES, hand_in, page, rows, trace
from tests.interaction.upstreams import Scripted, cut, running
from tests.interaction.wire import (
    LEGACY_HEADERS,
    call_modern,
    legacy,
    modern,
    modern_headers,
    post,
)
from tests.unit.trunkline_router.telemetry.spanning import sent, text

pytestmark = pytest.mark.anyio
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@asynccontextmanager
async def own_server(answer: Any = None, **configured: Any) -> AsyncIterator[Mesh]:
    """Run a router with a mesh key, before one of the mesh's own servers."""
    scripted = Scripted() if answer is None else Scripted(answer=answer)
    async with (
        asyncio.timeout(20),
        running(scripted) as url,
        routing({"github": url}, mesh_key=MESH_KEY, configured=configured) as mesh,
    ):
        yield mesh


async def called(mesh: Mesh, **params: object) -> str:
    """Make a call; returns the id of its trace as its answer tells it."""
    reply = await call_modern(mesh.port, "act", **params)
    return str(reply.result["_meta"]["dev.trunkline/call"]["trace_id"])


def served(trace_id: str, parent: str, *, name: str = "tools/call act") -> tuple[Sent, Sent]:
    """Return what a server sends of a call: a request to a vendor, and its own span."""
    own, vendor = 0xA1, 0xA2
    whole = int(trace_id, 16)
    return (
        sent(whole, vendor, own, name="GET", kind=Sent.SPAN_KIND_CLIENT),
        sent(whole, own, int(parent, 16), name=name),
    )


def upstream_of(mesh: Mesh) -> str:
    """Return the id of the router's newest request to its server."""
    return f"{next(one for one in reversed(mesh.spans) if one.kind.name == 'CLIENT').span_id:016x}"


@pytest.mark.requirement("seeing.traces-whole")
async def test_a_calls_trace_can_be_read_by_the_id_in_its_answer() -> None:
    """At once: its request, the attempt at its server, and how each went."""
    async with library() as books:
        seen = await call(books.one, "look")
        told = await trace(books.one, seen.note["trace_id"])
    top, asked = told["spans"]
    assert (told["complete"], told["row"]["tool"], told["row"]["source"]) == (
        True,
        "look",
        "upstream",
    )
    assert (top["kind"], top["parent_id"], top["service"]) == ("server", "", "router")
    assert (asked["kind"], asked["parent_id"]) == ("client", top["span_id"])
    assert asked["attributes"]["trunkline.server"] == "github"


@pytest.mark.requirement("seeing.traces-whole")
async def test_reading_a_trace_waits_for_what_its_own_server_still_sends() -> None:
    """A server sends a moment later; the tree is whole when it has."""
    async with own_server() as mesh:
        id_ = await called(mesh)
        async with asyncio.TaskGroup() as tasks:
            asked = tasks.create_task(trace(mesh, id_))
            assert (await hand_in(mesh, *served(id_, upstream_of(mesh)))).status == 200
        told = asked.result()
    assert told["complete"] is True
    assert [one["service"] for one in told["spans"]] == [
        "router",
        "router",
        "ci-status",
        "ci-status",
    ]
    ids = [""] + [one["span_id"] for one in told["spans"][:-1]]
    assert [one["parent_id"] for one in told["spans"]] == ids


@pytest.mark.requirement("seeing.traces-whole")
async def test_a_server_that_never_tells_is_waited_for_a_second() -> None:
    """What there is is shown, and said not to be all."""
    async with own_server() as mesh:
        id_ = await called(mesh)
        began = asyncio.get_running_loop().time()
        told = await trace(mesh, id_)
        assert 0.9 < asyncio.get_running_loop().time() - began < 3
    assert (told["complete"], len(told["spans"])) == (False, 2)


@pytest.mark.requirement("seeing.traces-whole")
async def test_no_foreign_server_is_waited_for() -> None:
    """It has no key to hand anything in with."""
    async with library(server="wiki", mesh_key=MESH_KEY) as books:
        await read_at_once(books.one, (await call(books.one, "look")).note["trace_id"])


@pytest.mark.requirement("seeing.traces-whole")
async def test_nobody_is_waited_for_after_a_hit() -> None:
    """No server was asked."""
    async with library(mesh_key=MESH_KEY) as books:
        await call(books.one, "look")
        hit = await call(books.one, "look")
        assert hit.source == "cache"
        await read_at_once(books.one, hit.note["trace_id"])


@pytest.mark.requirement("seeing.traces-whole")
async def test_nobody_is_waited_for_whom_nothing_reached() -> None:
    """Each attempt at a server that has gone is a step, and the trace is whole."""
    async with asyncio.timeout(20), AsyncExitStack() as upstream:
        url = await upstream.enter_async_context(running(Scripted()))
        async with routing({"github": url}, mesh_key=MESH_KEY) as mesh:
            await upstream.aclose()
            await call_modern(mesh.port, "act")
            (row,) = await rows(mesh)
            assert row["error"] == "network_error"
            await read_at_once(mesh, row["trace_id"])


async def read_at_once(mesh: Mesh, trace_id: str) -> None:
    """Read a whole trace without waiting for anybody."""
    began = asyncio.get_running_loop().time()
    assert (await trace(mesh, trace_id))["complete"] is True
    assert asyncio.get_running_loop().time() - began < 0.9


@pytest.mark.requirement("seeing.traces-whole")
async def test_spans_of_a_long_call_come_before_its_end() -> None:
    """They wait for the router's own."""
    async with own_server() as mesh:
        parent = "00-" + "c" * 32 + "-" + "d" * 16 + "-01"
        early = sent(int("c" * 32, 16), 0xB1, 0xB2, name="early")
        assert (await hand_in(mesh, early)).status == 200
        assert (await page(mesh, f"{TRACES}/{'c' * 32}")).status == 404
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "traceparent": parent,
        }
        assert await called(mesh, _meta=meta) == "c" * 32
        await hand_in(mesh, *served("c" * 32, upstream_of(mesh)))
        told = await trace(mesh, "c" * 32)
    assert "early" in {one["name"] for one in told["spans"]}
    (top,) = [one for one in told["spans"] if one.get("remote_parent_id") == "d" * 16]
    assert (top["parent_id"], top["service"]) == ("", "router")


async def test_a_failed_call_tells_its_error() -> None:
    """In the line about it, and at the step that failed."""
    async with own_server(cut) as mesh:
        await call_modern(mesh.port, "write")
        (row,) = await rows(mesh, tool="write")
        assert row["error"] == "network_error"
        assert await rows(mesh, error="none", tool="write") == []
        told = await trace(mesh, row["trace_id"])
    assert [one["error"] for one in told["spans"]] == ["network_error"] * 2


async def test_a_tools_own_error_is_called_by_its_code() -> None:
    """As its agent was told; both that and the conventions' name for it find the call."""
    async with own_server(Mood(error=sick())) as mesh:
        await call_modern(mesh.port, "act")
        (row,) = await rows(mesh, error="tool_error")
        assert [row] == await rows(mesh, error="upstream_unavailable")
        assert row["error"] == "upstream_unavailable"
        assert await rows(mesh, error="not_found") == []


@pytest.mark.requirement("seeing.traces-found")
async def test_traces_are_listed_newest_first_and_found_by_what_they_are() -> None:
    """Filters of the query string, alone and together; refusals are there too."""
    async with library() as books:
        mesh = books.one
        for _ in range(2):
            await call(mesh, "look")
        await call(mesh, "change", "2")
        await call_modern(mesh.port, "no-such-tool")
        every = await rows(mesh)
        assert [row["tool"] for row in every] == ["no-such-tool", "change", "look", "look"]
        assert [row["source"] for row in every] == ["", "upstream", "cache", "upstream"]
        assert every[0]["server"] == ""
        assert len(await rows(mesh, limit="1")) == 1
        assert len(await rows(mesh, tool="look", source="cache", server="github")) == 1
        assert await rows(mesh, agent="nobody") == []


@pytest.mark.requirement("seeing.traces-found")
async def test_a_beginning_that_is_unique_finds_a_trace() -> None:
    """What is not names those that it may mean; what is unknown says what is kept."""
    async with library() as books:
        mesh = books.one
        ids = [(await call(mesh, "look")).note["trace_id"] for _ in range(20)]
        assert (await trace(mesh, ids[3][:12]))["trace_id"] == ids[3]
        ambiguous = await page(mesh, f"{TRACES}/")
        assert ambiguous.status == 409
        assert "20 traces begin with ''" in ambiguous.json["error"]
        unknown = await page(mesh, f"{TRACES}/{'0' * 32}")
        assert (unknown.status, ids[-1] in unknown.json["error"]) == (404, True)
        odd = await page(mesh, f"{TRACES}/%3Cscript%3E")
        assert (odd.status, "32 hexadecimal digits" in odd.json["error"]) == (404, True)


@pytest.mark.requirement("seeing.traces-bounded")
async def test_as_many_traces_are_kept_as_is_configured() -> None:
    """The oldest go."""
    async with library(configured={"router": {"traces": {"kept": 3}}}) as books:
        ids = [(await call(books.one, "look")).note["trace_id"] for _ in range(5)]
        reply = (await page(books.one, TRACES)).json
        assert (reply["kept"], reply["limit"]) == (3, 3)
        assert [row["trace_id"] for row in reply["traces"]] == ids[:1:-1]


@pytest.mark.parametrize("limit", ["0", "-1", "x", "1e3", "9999999", "\u0661"])
async def test_a_limit_that_is_none_is_refused(limit: str) -> None:
    """With what it may be."""
    async with library() as books:
        reply = await page(books.one, TRACES, limit=limit)
        assert (reply.status, "whole number from 1" in reply.json["error"]) == (400, True)


@pytest.mark.requirement("gateway.scopes")
async def test_traces_are_for_those_who_may_observe() -> None:
    """As is whatever else is about what happens; audit is for admins."""
    async with library(configured=KEYS) as books:
        mesh = books.one
        for path in (TRACES, f"{TRACES}/00", "/api/series", "/api/events", "/api/audit"):
            assert (await page(mesh, path)).status == 401
            assert (await page(mesh, path, WORKER)).status == 403
        assert (await page(mesh, TRACES, EYE)).status == 200
        refused = await page(mesh, "/api/audit", EYE)
        assert (refused.status, "admin" in refused.json["error"]) == (403, True)
        assert (await page(mesh, "/api/audit", BOSS)).status == 200
        await call(mesh, "look", bearer=WORKER)
        (row,) = (await page(mesh, TRACES, EYE, agent="worker")).json["traces"]
        assert (row["tool"], row["agent"]) == ("look", "worker")


async def test_who_was_not_let_in_is_there_too() -> None:
    """With what was asked for, as far as that is no secret, and why it was refused."""
    async with library(configured=KEYS) as books:
        await call_modern(books.one.port, "look")
        (row,) = (await page(books.one, TRACES, EYE, error="any")).json["traces"]
    assert (row["name"], row["method"], row["error"]) == ("POST /mcp", "", "401")


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("https://u:p-word@x.example/doc?token=p-word#p-word", "https://x.example/doc"),
        ("https://p-word@x.example/http://y@z?p-word", "https://x.example/http://y@z"),
        ("sample://item/3", "sample://item/3"),
        ("mailto:x?p-word", "mailto:x"),
    ],
)
async def test_of_a_resources_uri_no_secret_is_seen(asked: str, shown: str) -> None:
    """A user and a query are where people put keys, and arguments are in it as well."""
    async with own_server() as mesh:
        body = modern("resources/read", {"uri": asked})
        await post(mesh.port, body, modern_headers("resources/read", asked))
        (row,) = await rows(mesh)
        told = str(await trace(mesh, row["trace_id"]))
    assert ("p-word" in told, f"'{shown}'" in told) == (False, True)


@pytest.mark.parametrize("path", ["/mcp", "/messages?sessionId=gone"])
async def test_who_comes_with_a_session_that_has_ended_is_there(path: str) -> None:
    """A refusal like any other, in the trace that the client has named."""
    async with own_server() as mesh:
        headers = {**LEGACY_HEADERS, "Mcp-Session-Id": "gone", "traceparent": PARENT}
        assert (await post(mesh.port, legacy("tools/list"), headers, path)).status >= 400
        (row,) = await rows(mesh)
    assert (row["trace_id"], row["method"]) == (PARENT.split("-")[1], "_OTHER")


async def test_what_is_no_message_among_several_is_there() -> None:
    """Each of them is answered, and each is counted once."""
    async with own_server() as mesh:
        batch = b"[%b,{},5]" % legacy("ping")
        headers = {**LEGACY_HEADERS, "MCP-Protocol-Version": "2025-03-26"}
        answers = (await post(mesh.port, batch, headers)).json
        methods = sorted(row["method"] for row in await rows(mesh))
    assert (len(answers), methods) == (3, ["_OTHER", "_OTHER", "ping"])


@pytest.mark.requirement("seeing.traces-bounded")
async def test_what_a_server_says_is_data() -> None:
    """Markup stays text, and numbers that JSON has no words for are no trouble."""
    async with own_server() as mesh:
        id_ = await called(mesh)
        top = served(id_, upstream_of(mesh), name="<script>alert(1)</script>")[1]
        top.attributes.append(text("x", "\u202e</script>"))
        odd = top.attributes.add(key="nan")
        odd.value.double_value = float("nan")
        assert (await hand_in(mesh, top)).status == 200
        span = (await trace(mesh, id_))["spans"][-1]
    assert span["name"] == "<script>alert(1)</script>"
    assert span["attributes"] == {"x": "\u202e</script>", "nan": None}


async def test_pages_take_get_only() -> None:
    """A typed refusal names what they take."""
    async with library() as books:
        for path in (TRACES, "/api/series", "/api/audit", "/api/events"):
            reply = await page(books.one, path, verb="DELETE")
            assert (reply.status, "GET" in reply.headers["allow"]) == (405, True)
        nothing = await page(books.one, "/api/nothing")
        assert (nothing.status, TRACES in nothing.json["error"]) == (404, True)
