"""A server that keeps failing is left alone, found again, and costs nobody else anything."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import pytest
from aiohttp import web

from tests.interaction.guarding import (
    Hurried,
    Mood,
    breaker,
    calls,
    code,
    sick,
    standing,
    until_state,
)
from tests.interaction.mesh import routing
from tests.interaction.upstreams import Answer, Json, Scripted, cut, running, tool
from tests.interaction.wire import call_legacy, call_modern, failure, modern, modern_headers, post
from tests.standing_clock import StandingClock
from trunkline_shared.errors import (
    AuthError,
    Cancelled,
    CredentialsMissing,
    InternalError,
    InvalidInput,
    NetworkError,
    NotFound,
    RateLimited,
    TokenExpired,
    TrunklineError,
    UpstreamTimeout,
)

pytestmark = pytest.mark.anyio

AT_ONCE = ["UPSTREAM_UNAVAILABLE"] * 3


@pytest.mark.requirement("gateway.breaker", "bridge.breaker-states")
async def test_after_three_failures_in_a_row_calls_are_refused_at_once() -> None:
    """With the rest of the cool-down; nothing is sent; the lists and other servers are as ever."""
    mood, clock = Mood(error=sick()), StandingClock()
    ill, well = Scripted(answer=mood), Scripted(tools=[tool("healthy")])
    async with (
        running(ill) as ill_url,
        running(well) as well_url,
        routing({"ill": ill_url, "well": well_url}, clock=clock) as mesh,
    ):
        assert await calls(mesh, "act", 3) == AT_ONCE
        clock.advance(100)
        refused = failure(await call_modern(mesh.port, "write"))
        assert mood.begun == 3
        assert (refused["error_code"], refused["retryable"]) == ("CIRCUIT_OPEN", True)
        assert 170 <= refused["retry_after"] <= 230
        assert refused["details"] == {
            "server": "ill",
            "state": "open",
            "consecutive_failures": 3,
        }
        assert await calls(mesh, "healthy", 1) == ["ok"]
        listed = await post(mesh.port, modern("tools/list"), modern_headers("tools/list"))
        assert {"act", "healthy"} <= {one["name"] for one in listed.result["tools"]}


@pytest.mark.requirement("gateway.status")
async def test_status_shows_a_breaker_in_the_shape_that_was_asked_for() -> None:
    """Never failed: closed, 0, 0; open: since when, and for how long; seed: getState."""
    mood, clock = Mood(error=sick()), StandingClock()
    async with running(Scripted(answer=mood)) as url, routing({"a": url}, clock=clock) as mesh:
        before = await standing(mesh, "a")
        assert before["breaker"] == {
            "name": "a",
            "state": "closed",
            "consecutiveFailures": 0,
            "lastFailureTime": 0,
            "opened_at": None,
            "resets_in_s": 0,
            "probes": 0,
        }
        assert (before["available"], before["queued"], before["in_flight"]) == (True, 0, 0)
        failed_at = round(clock.now() * 1000)
        await calls(mesh, "act", 3)
        clock.advance(60)
        after = await standing(mesh, "a")
    assert after["available"] is False
    assert after["latency_ms"]["p50"] is not None
    shown = after["breaker"]
    assert 210 <= shown.pop("resets_in_s") <= 270
    assert shown == {
        "name": "a",
        "state": "open",
        "consecutiveFailures": 3,
        "lastFailureTime": failed_at,
        "opened_at": failed_at,
        "probes": 0,
    }


@pytest.mark.requirement("gateway.breaker-probe", "bridge.breaker-probe")
async def test_one_call_finds_out_and_the_others_wait_for_its_end() -> None:
    """Seed: half-open let every waiting call through; services.md 8.c."""
    mood, clock = Mood(error=sick()), StandingClock()
    async with (
        asyncio.timeout(10),
        running(Scripted(answer=mood)) as url,
        routing({"a": url}, clock=clock) as mesh,
        asyncio.TaskGroup() as tasks,
    ):
        await calls(mesh, "act", 3)
        clock.advance(331)
        mood.error, mood.held = None, asyncio.Event()
        first = tasks.create_task(call_modern(mesh.port, "act"))
        await mood.seen(4)
        assert await calls(mesh, "act", 5) == ["CIRCUIT_OPEN"] * 5
        shown = await breaker(mesh, "a")
        assert (shown["state"], shown["probes"]) == ("half-open", 1)
        mood.held.set()
        assert code(await first) == "ok"
        assert mood.begun == 4
        assert await calls(mesh, "act", 2) == ["ok", "ok"]
        closed = await breaker(mesh, "a")
        assert (closed["state"], closed["consecutiveFailures"]) == ("closed", 0)


async def test_a_probe_that_fails_means_another_cool_down() -> None:
    """And the same once more."""
    mood, clock = Mood(error=sick()), StandingClock()
    async with running(Scripted(answer=mood)) as url, routing({"a": url}, clock=clock) as mesh:
        await calls(mesh, "act", 3)
        for _ in range(2):
            clock.advance(331)
            assert await calls(mesh, "act", 2) == ["UPSTREAM_UNAVAILABLE", "CIRCUIT_OPEN"]
        assert (await breaker(mesh, "a"))["probes"] == 2


async def test_a_probe_whose_caller_leaves_is_left_to_the_next() -> None:
    """Nobody has found out anything: the breaker is neither closed nor open for longer."""
    mood, clock = Mood(error=sick()), StandingClock()
    async with (
        asyncio.timeout(10),
        running(Scripted(answer=mood)) as url,
        routing({"a": url}, clock=clock) as mesh,
    ):
        await calls(mesh, "act", 3)
        clock.advance(331)
        mood.error, mood.held = None, asyncio.Event()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await call_modern(mesh.port, "act")
        await until_state(mesh, "a", "open")
        mood.held = None
        assert await calls(mesh, "act", 1) == ["ok"]


THEIR_OWN: list[TrunklineError] = [
    sick(),
    NetworkError("GitHub cannot be reached."),
    InternalError("Trunkline failed."),
    UpstreamTimeout("GitHub did not answer in time."),
]
NOT_THEIRS: list[TrunklineError] = [
    NotFound("There is no such thing."),
    InvalidInput("owner is missing."),
    AuthError("GitHub refused the credential."),
    TokenExpired("The token has expired."),
    CredentialsMissing("Set GITHUB_TOKEN."),
    RateLimited("Too many requests."),
    Cancelled("The caller went away."),
]


@pytest.mark.requirement("gateway.breaker-counts")
@pytest.mark.parametrize("error", THEIR_OWN, ids=lambda error: error.code)
async def test_what_a_service_takes_on_itself_counts(error: TrunklineError) -> None:
    """Its vendor is down, it cannot be reached, it is slow; or the service has a bug."""
    mood = Mood(error=error)
    async with running(Scripted(answer=mood)) as url, routing({"a": url}) as mesh:
        assert await calls(mesh, "act", 4) == [error.code] * 3 + ["CIRCUIT_OPEN"]


@pytest.mark.requirement("gateway.breaker-counts", "bridge.breaker-blame")
@pytest.mark.parametrize("error", NOT_THEIRS, ids=lambda error: error.code)
async def test_what_the_caller_or_a_credential_is_to_blame_for_does_not(
    error: TrunklineError,
) -> None:
    """An expired token never keeps the others from a server; gateways.md 5.7."""
    mood = Mood(error=error)
    async with running(Scripted(answer=mood)) as url, routing({"a": url}) as mesh:
        assert await calls(mesh, "act", 5) == [error.code] * 5
        assert (await breaker(mesh, "a"))["consecutiveFailures"] == 0


async def garbage(http: web.Request, request: Json) -> web.StreamResponse:
    return web.Response(body=b"\xff{nonsense", content_type="application/json")


async def broken(http: web.Request, request: Json) -> web.StreamResponse:
    return web.Response(status=500)


async def hangs(http: web.Request, request: Json) -> web.StreamResponse:
    await asyncio.Event().wait()
    return web.Response()


async def internal(http: web.Request, request: Json) -> web.StreamResponse:
    error = {"code": -32603, "message": "Internal error"}
    return web.json_response({"jsonrpc": "2.0", "id": request["id"], "error": error})


async def refuses(http: web.Request, request: Json) -> web.StreamResponse:
    error = {"code": -32602, "message": "No."}
    body = {"jsonrpc": "2.0", "id": request["id"], "error": error}
    return web.json_response(body, status=400)


async def expired(http: web.Request, request: Json) -> web.StreamResponse:
    return web.json_response({"error": "expired"}, status=401)


Call = Callable[[int, str], Awaitable[object]]


@pytest.mark.requirement("gateway.breaker-counts")
@pytest.mark.parametrize("answer", [garbage, broken, hangs, cut, internal])
async def test_a_broken_exchange_counts(answer: Answer) -> None:
    """What is no MCP, a 5xx, silence, a cut connection, an internal error."""
    tools = [tool("act", timeout_s=0.1)]
    async with (
        running(Scripted(answer=answer, tools=tools)) as url,
        routing({"github": url}) as mesh,
    ):
        for _ in range(3):
            await call_modern(mesh.port, "act")
        assert code(await call_modern(mesh.port, "act")) == "CIRCUIT_OPEN"


@pytest.mark.requirement("gateway.breaker-counts")
@pytest.mark.parametrize("answer", [refuses, expired])
@pytest.mark.parametrize("call", [call_legacy, call_modern])
async def test_an_answer_in_the_protocols_sense_does_not(answer: Answer, call: Call) -> None:
    """A 400 with a JSON-RPC body, or 401 for the credential that the mesh has there."""
    async with running(Scripted(answer=answer)) as url, routing({"a": url}) as mesh:
        for _ in range(4):
            await call(mesh.port, "act")
        shown = await breaker(mesh, "a")
        assert (shown["state"], shown["consecutiveFailures"]) == ("closed", 0)


async def test_failures_that_are_not_in_a_row_open_nothing() -> None:
    """A success between them begins the count anew."""
    mood = Mood(error=sick())
    async with running(Scripted(answer=mood)) as url, routing({"a": url}) as mesh:
        await calls(mesh, "act", 2)
        mood.error = None
        await calls(mesh, "act", 1)
        mood.error = sick()
        assert await calls(mesh, "act", 2) == ["UPSTREAM_UNAVAILABLE"] * 2
        assert (await breaker(mesh, "a"))["state"] == "closed"


@pytest.mark.requirement("gateway.breaker-back")
async def test_a_server_that_could_not_be_reached_is_found_again_early() -> None:
    """It is asked for its name after 1, 2, 4 s; a call need not be the one that finds out."""
    async with AsyncExitStack() as first, asyncio.timeout(20):
        url = await first.enter_async_context(running(Scripted()))
        async with routing({"a": url}, clock=Hurried()) as mesh:
            await first.aclose()
            assert await calls(mesh, "act", 4) == ["NETWORK_ERROR"] * 3 + ["CIRCUIT_OPEN"]
            async with running(Scripted(), int(url.rpartition(":")[2])):
                await until_state(mesh, "a", "closed")
                assert await calls(mesh, "act", 1) == ["ok"]


async def test_terms_are_each_servers_own() -> None:
    """One in the file for a server, one for all the others; gateways.md 3.A 9."""
    mood, other = Mood(error=sick()), Mood(error=sick())
    async with (
        running(Scripted(answer=mood)) as url,
        running(Scripted(answer=other, tools=[tool("do")])) as other_url,
        routing(
            {"a": url},
            configured={
                "router": {"breaker": {"failures": 2}},
                "servers": {"b": {"url": f"{other_url}/mcp", "breaker": {"failures": 1}}},
            },
        ) as mesh,
    ):
        assert await calls(mesh, "act", 3) == ["UPSTREAM_UNAVAILABLE"] * 2 + ["CIRCUIT_OPEN"]
        assert await calls(mesh, "do", 2) == ["UPSTREAM_UNAVAILABLE", "CIRCUIT_OPEN"]
