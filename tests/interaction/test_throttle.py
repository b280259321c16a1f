"""An exhausted quota: who needs it is told to wait, and nobody is sent to hear it again."""

import asyncio

import pytest
from aiohttp import web

from tests.interaction.guarding import calls, until
from tests.interaction.mesh import routing
from tests.interaction.upstreams import Json, Scripted, ok, result, running, tool
from tests.interaction.wire import call_modern, failure, get
from tests.redis_process import RedisProcess
from tests.standing_clock import StandingClock
from trunkline_shared import wire
from trunkline_shared.clock import SystemClock
from trunkline_shared.errors import RateLimited
from trunkline_shared.store.opening import open_store

pytestmark = pytest.mark.anyio


def limited(resource: str, wait: float = 42, *, phase: str = "") -> RateLimited:
    """Return what a service answers whose credential has nothing left of a quota."""
    details: dict[str, object] = {"throttle": {"credential": "c0ffee", "resource": resource}}
    if phase:
        details["phase"] = phase
    return RateLimited("GitHub's rate limit is exhausted.", retry_after=wait, details=details)


def github(limits: dict[str, RateLimited]) -> Scripted:
    """Return a server whose tools answer with these limits, or with success."""

    async def answer(http: web.Request, request: Json) -> web.StreamResponse:
        params = request["params"]
        assert isinstance(params, dict)
        error = limits.get(str(params["name"]))
        return await ok(http, request) if error is None else result(request, wire.to_result(error))

    return Scripted(answer=answer, tools=[tool(name) for name in ("read", "search", "other")])


@pytest.mark.requirement("gateway.throttle")
async def test_a_tool_is_held_back_for_exactly_as_long_as_it_was_told() -> None:
    """With what is left of the wait; tools of another quota go on; then it is asked again."""
    clock, limits = StandingClock(), {"read": limited("core"), "search": limited("search", 10)}
    server = github(limits)
    async with running(server) as url, routing({"github": url}, clock=clock) as mesh:
        assert await calls(mesh, "read", 1) == ["RATE_LIMITED"]
        assert await calls(mesh, "search", 1) == ["RATE_LIMITED"]
        limits.clear()
        clock.advance(20)
        held = failure(await call_modern(mesh.port, "read"))
        assert (held["error_code"], held["retry_after"], held["retryable"]) == (
            "RATE_LIMITED",
            22,
            True,
        )
        assert held["details"]["throttle"] == {"credential": "c0ffee", "resource": "core"}
        assert held["details"]["aliases"] == ["RATE_LIMIT"]
        assert await calls(mesh, "search", 1) == ["ok"]
        assert await calls(mesh, "other", 1) == ["ok"]
        assert len(server.calls) == 4
        clock.advance(21.9)
        assert await calls(mesh, "read", 1) == ["RATE_LIMITED"]
        clock.advance(0.1)
        assert await calls(mesh, "read", 1) == ["ok"]


@pytest.mark.requirement("gateway.throttle")
async def test_a_quota_is_shared_by_every_server_that_needs_it() -> None:
    """A window that one server hears of holds back the tools of another, once they are known."""
    clock = StandingClock()
    mine, theirs = {"read": limited("core", 5)}, {"fetch": limited("core", 5)}
    one, other = github(mine), github(theirs)
    other.tools = [tool("fetch")]
    async with (
        running(one) as one_url,
        running(other) as other_url,
        routing({"github": one_url, "github_ci": other_url}, clock=clock) as mesh,
    ):
        await calls(mesh, "read", 1)
        await calls(mesh, "fetch", 1)
        clock.advance(6)
        theirs.clear()
        mine["read"] = limited("core", 60)
        await calls(mesh, "read", 1)
        assert await calls(mesh, "fetch", 1) == ["RATE_LIMITED"]
        assert len(other.calls) == 1


@pytest.mark.requirement("gateway.throttle")
async def test_a_limit_of_the_whole_credential_holds_back_all_that_use_it() -> None:
    """GitHub's secondary limit speaks of no resource."""
    clock, limits = StandingClock(), {"read": limited("core", 5), "search": limited("search", 5)}
    server = github(limits)
    async with running(server) as url, routing({"github": url}, clock=clock) as mesh:
        await calls(mesh, "read", 1)
        await calls(mesh, "search", 1)
        clock.advance(6)
        limits["read"] = limited("*", 60)
        del limits["search"]
        await calls(mesh, "read", 1)
        assert await calls(mesh, "search", 1) == ["RATE_LIMITED"]
        assert await calls(mesh, "other", 1) == ["ok"]


@pytest.mark.requirement("gateway.throttle")
async def test_a_foreign_server_closes_no_quota_but_its_own() -> None:
    """It could name the mesh's credential, and keep everybody from GitHub."""
    clock, limits = StandingClock(), {"read": limited("core", 5)}
    foreign = github({"lie": limited("core", 3000)})
    foreign.tools = [tool("lie")]
    async with (
        running(github(limits)) as url,
        running(foreign) as foreign_url,
        routing({"github": url, "wiki": foreign_url}, clock=clock) as mesh,
    ):
        await calls(mesh, "read", 1)
        clock.advance(6)
        limits.clear()
        await calls(mesh, "lie", 1)
        assert await calls(mesh, "read", 1) == ["ok"]
        assert await calls(mesh, "lie", 1) == ["RATE_LIMITED"]
        assert len(foreign.calls) == 1


@pytest.mark.requirement("gateway.throttle")
async def test_status_lists_the_quotas_that_are_exhausted() -> None:
    """Whose, for how long, and which tools need them."""
    clock = StandingClock()
    server = github({"read": limited("core")})
    async with running(server) as url, routing({"github": url}, clock=clock) as mesh:
        assert (await get(mesh.port, "/status")).json["quota"] == []
        await calls(mesh, "read", 1)
        clock.advance(2)
        assert (await get(mesh.port, "/status")).json["quota"] == [
            {
                "credential": "c0ffee",
                "resource": "core",
                "resets_in_s": 40.0,
                "tools": ["github.read"],
            }
        ]
        clock.advance(41)
        assert (await get(mesh.port, "/status")).json["quota"] == []


@pytest.mark.requirement("gateway.throttle")
async def test_what_a_service_held_back_itself_prolongs_nothing() -> None:
    """It tells what is left, rounded up; told again and again, the window would never end."""
    clock, limits = StandingClock(), {"read": limited("core", 10)}
    async with running(github(limits)) as url, routing({"github": url}, clock=clock) as mesh:
        await calls(mesh, "read", 1)
        clock.advance(9.5)
        limits["search"] = limited("core", 1, phase="held")
        await calls(mesh, "search", 1)
        limits.clear()
        clock.advance(0.5)
        assert await calls(mesh, "read", 1) == ["ok"]


@pytest.mark.requirement("gateway.throttle")
async def test_all_routers_know_of_a_window(redis_process: RedisProcess) -> None:
    """Also one that starts while it is open."""
    server = github({"read": limited("core")})
    async with (
        asyncio.timeout(30),
        running(server) as url,
        open_store(redis_process.settings, SystemClock()) as first,
        open_store(redis_process.settings, SystemClock()) as second,
        routing({"github": url}, store=first) as one,
    ):
        await calls(one, "read", 1)
        async with routing({"github": url}, store=second) as other:
            await until(other, lambda status: bool(status["quota"]))
            assert await calls(other, "read", 1) == ["RATE_LIMITED"]
        assert len(server.calls) == 1
