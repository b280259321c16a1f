"""Routers of one mesh: what one finds out about a server, all know."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.interaction.guarding import (
    Mood,
    breaker,
    calls,
    sick,
    until,
    until_state,
)
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import call_modern
from tests.redis_process import RedisProcess
from tests.standing_clock import StandingClock
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.store.opening import open_store

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def replica(
    redis: RedisProcess, url: str, clock: Clock | None = None, cooldown_s: float = 300
) -> AsyncIterator[Mesh]:
    """Run one of several routers in front of the server `a`."""
    configured = {"router": {"breaker": {"cooldown_s": cooldown_s}}}
    async with (
        open_store(redis.settings, SystemClock()) as store,
        routing({"a": url}, store=store, clock=clock, configured=configured) as mesh,
    ):
        yield mesh


async def until_failures(mesh: Mesh, number: int) -> None:
    """Wait until a router knows of so many failures in a row."""
    await until(
        mesh,
        lambda status: status["servers"]["a"]["breaker"]["consecutiveFailures"] == number,
    )


@asynccontextmanager
async def two_with_failures(redis: RedisProcess, mood: Mood) -> AsyncIterator[tuple[Mesh, Mesh]]:
    """Run two routers; two calls of the first have failed, and the second knows."""
    async with (
        running(Scripted(answer=mood)) as url,
        replica(redis, url) as one,
        replica(redis, url) as other,
    ):
        await calls(one, "act", 2)
        await until_failures(other, 2)
        yield one, other


@pytest.mark.requirement("gateway.breaker-shared")
async def test_failures_add_up_over_all_routers(redis_process: RedisProcess) -> None:
    """Two at one and one at the other are three in a row; both leave the server alone."""
    mood = Mood(error=sick())
    async with two_with_failures(redis_process, mood) as (one, other):
        assert await calls(other, "act", 2) == ["UPSTREAM_UNAVAILABLE", "CIRCUIT_OPEN"]
        await until_state(one, "a", "open")
        assert await calls(one, "act", 1) == ["CIRCUIT_OPEN"]
        assert mood.begun == 3
        here, there = await breaker(one, "a"), await breaker(other, "a")
        assert here["lastFailureTime"] == there["lastFailureTime"]
        assert abs(here["resets_in_s"] - there["resets_in_s"]) < 5


@pytest.mark.requirement("gateway.breaker-shared")
async def test_a_success_anywhere_begins_the_count_anew(redis_process: RedisProcess) -> None:
    """Failures in a row are in a row over all of them."""
    mood = Mood(error=sick())
    async with two_with_failures(redis_process, mood) as (one, other):
        mood.error = None
        assert await calls(other, "act", 1) == ["ok"]
        await until_failures(one, 0)


@pytest.mark.requirement("gateway.breaker-shared")
async def test_a_router_that_starts_knows(redis_process: RedisProcess) -> None:
    """How many failures there were, or that the breaker is open, and for how long."""
    mood = Mood(error=sick())
    async with (
        running(Scripted(answer=mood)) as url,
        replica(redis_process, url) as one,
    ):
        await calls(one, "act", 2)
        async with replica(redis_process, url) as second:
            await until_failures(second, 2)
            await calls(second, "act", 1)
        async with replica(redis_process, url) as third:
            await until_state(third, "a", "open")
            assert await calls(third, "act", 1) == ["CIRCUIT_OPEN"]
            assert (await breaker(third, "a"))["resets_in_s"] > 200


@pytest.mark.requirement("gateway.breaker-shared")
async def test_one_call_of_all_routers_finds_out(redis_process: RedisProcess) -> None:
    """And what it finds out holds for all of them."""
    mood, clock = Mood(error=sick()), StandingClock()
    async with (
        asyncio.timeout(20),
        running(Scripted(answer=mood)) as url,
        replica(redis_process, url, clock) as one,
        replica(redis_process, url, clock) as other,
        asyncio.TaskGroup() as tasks,
    ):
        await calls(one, "act", 3)
        await until_state(other, "a", "open")
        clock.advance(331)
        mood.error, mood.held = None, asyncio.Event()
        finding = tasks.create_task(call_modern(one.port, "act"))
        await mood.seen(4)
        assert await calls(other, "act", 3) == ["CIRCUIT_OPEN"] * 3
        assert mood.begun == 4
        mood.held.set()
        await finding
        await until_state(other, "a", "closed")
        assert await calls(other, "act", 1) == ["ok"]


@pytest.mark.requirement("gateway.breaker-shared")
async def test_without_the_store_each_router_goes_by_its_own(redis_process: RedisProcess) -> None:
    """Calls, counts and probes go on; back again, it is told what the store has lost."""
    mood, clock = Mood(error=sick()), StandingClock()
    async with (
        asyncio.timeout(30),
        running(Scripted(answer=mood)) as url,
        replica(redis_process, url, clock) as one,
    ):
        redis_process.kill()
        assert await calls(one, "act", 4) == ["UPSTREAM_UNAVAILABLE"] * 3 + ["CIRCUIT_OPEN"]
        clock.advance(331)
        mood.error = None
        assert await calls(one, "act", 2) == ["ok", "ok"]
        assert (await breaker(one, "a"))["state"] == "closed"


@pytest.mark.requirement("gateway.breaker-shared")
async def test_what_the_store_has_lost_is_told_anew(redis_process: RedisProcess) -> None:
    """A Redis that begins empty hears of the open breaker from the router that knows it."""
    mood = Mood(error=sick())
    async with (
        asyncio.timeout(30),
        running(Scripted(answer=mood)) as url,
        replica(redis_process, url) as one,
    ):
        await calls(one, "act", 3)
        redis_process.kill()
        redis_process.start()
        async with replica(redis_process, url) as other:
            await until_state(other, "a", "open")
