"""Routers that share generations: who is known, who is silent, and who owes a change."""

import asyncio
import time
from contextlib import AsyncExitStack
from typing import Any

import pytest

from tests.redis_partition import partition
from tests.redis_process import RedisProcess, running_redis
from tests.unit.trunkline_shared.store.routers import (
    NAME,
    NOTICED_S,
    nonce,
    off,
    on,
    router,
    two_routers,
    until,
)
from trunkline_shared.settings import load
from trunkline_shared.store.generation_port import Generations
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.outage import PAUSE_S
from trunkline_shared.store.settings import StoreSettings

pytestmark = pytest.mark.anyio


async def bumped(generations: Generations, hold_s: float = 0) -> float:
    """Bump, and return how many seconds it took."""
    began = time.monotonic()
    async with asyncio.timeout(20):
        await generations.bump([NAME], hold_s=hold_s)
    return time.monotonic() - began


@pytest.mark.requirement("cache.routers")
async def test_who_has_not_joined_reads_nothing_but_changes_what_others_read(
    redis_process: RedisProcess,
) -> None:
    """As a service does, or the command line: nobody waits for a sign of those."""
    async with open_store(redis_process.settings) as store, router(redis_process.settings) as one:
        before = await nonce(one)
        assert await store.generations.read([NAME]) is None
        assert store.generations.state()["on"] is False
        await store.generations.bump([NAME], hold_s=0)
        assert await nonce(one) != before
        assert one.state()["routers"] == ["a"]


@pytest.mark.requirement("cache.routers")
async def test_each_knows_the_others(redis_process: RedisProcess) -> None:
    """Whatever they are called, and until they leave."""
    async with router(redis_process.settings, "a b:ü") as one:
        async with router(redis_process.settings, "c") as other:
            await on(other)
            assert other.state()["routers"] == ["a b:ü", "c"]
            await until(lambda: one.state()["routers"] == ["a b:ü", "c"])
        before = await nonce(one)
        await until(lambda: one.state()["routers"] == ["a b:ü"])
        assert await nonce(one) == before


@pytest.mark.requirement("cache.routers")
async def test_while_one_is_silent_nothing_that_was_kept_is_used(
    redis_process: RedisProcess,
) -> None:
    """It may have changed something, and could not say so; with its next sign all is well."""
    async with AsyncExitStack() as opened:
        between = await opened.enter_async_context(partition(redis_process.socket))
        one = await opened.enter_async_context(router(redis_process.settings))
        other = await opened.enter_async_context(router(between.settings, "cut off"))
        before = await nonce(one)
        await on(other)
        between.cut()
        await off(one)
        await until(lambda: one.state()["silent"] == ["cut off"])
        assert one.state()["on"] is False
        assert one.state()["reason"] == "a router gives no sign"
        await off(other)
        between.mend()
        assert await nonce(one) == before
        assert await nonce(other) == before


@pytest.mark.requirement("cache.routers")
async def test_a_change_that_cannot_be_made_known_waits_until_its_router_is_noticed(
    redis_process: RedisProcess,
) -> None:
    """No read that begins after it is answered from before it; when it is back all is spoiled."""
    async with AsyncExitStack() as opened:
        between = await opened.enter_async_context(partition(redis_process.socket))
        one = await opened.enter_async_context(router(redis_process.settings))
        other = await opened.enter_async_context(router(between.settings, "b"))
        before = await nonce(one)
        await on(other)
        between.cut()
        assert await bumped(other) <= NOTICED_S + 1
        assert [await one.read([NAME]) for _ in range(100)] == [None] * 100
        assert await other.read([NAME]) is None
        assert other.state()["reason"] == "a change could not be made known to the other routers"
        assert await bumped(other) < 0.5
        between.mend()
        assert await nonce(one) != before
        assert await nonce(one) == await nonce(other)


@pytest.mark.requirement("cache.routers")
async def test_a_change_is_made_up_for_as_soon_as_redis_answers(
    redis_process: RedisProcess,
) -> None:
    """Nobody waits longer than that; what is read next is held as long as the change asked for."""
    async with AsyncExitStack() as opened:
        between = await opened.enter_async_context(partition(redis_process.socket))
        one = await opened.enter_async_context(router(redis_process.settings))
        other = await opened.enter_async_context(router(between.settings, "b"))
        before = await nonce(one)
        await on(other)
        between.cut()
        async with asyncio.TaskGroup() as tasks:
            bumping = tasks.create_task(bumped(other, hold_s=60))
            await until(lambda: other.state()["on"] is False)
            between.mend()
        assert bumping.result() < NOTICED_S
        found = await on(one)
        assert found.root + found.by_name[NAME].nonce != before
        assert found.by_name[NAME].bumped_s < 10
        assert found.by_name[NAME].held_s > 40


@pytest.mark.requirement("cache.routers")
async def test_what_arrives_late_is_no_sign(redis_process: RedisProcess) -> None:
    """What a router said before it was given up does not make it look alive."""
    async with AsyncExitStack() as opened:
        between = await opened.enter_async_context(partition(redis_process.socket))
        one = await opened.enter_async_context(router(redis_process.settings))
        other = await opened.enter_async_context(router(between.settings, "b"))
        await on(one)
        await on(other)
        between.stall()
        await bumped(other)
        assert await one.read([NAME]) is None
        before = await _scores(redis_process)
        between.cut()
        between.flow()
        for _ in range(200):
            assert await one.read([NAME]) is None
        assert (await _scores(redis_process))["b"] == before["b"]
        between.mend()
        await on(one)


async def _scores(redis: RedisProcess) -> dict[str, float]:
    with redis.look() as client:
        found: Any = client.zrange("trunkline:1:{gen}:routers", 0, -1, withscores=True)
    return dict(found)


@pytest.mark.requirement("cache.routers")
async def test_a_router_that_is_back_under_its_name_spoils_what_was_kept(
    redis_process: RedisProcess,
) -> None:
    """Whoever died may have owed a change."""
    async with AsyncExitStack() as opened:
        between = await opened.enter_async_context(partition(redis_process.socket))
        one = await opened.enter_async_context(router(redis_process.settings))
        before = await nonce(one)
        async with router(between.settings, "b") as dying:
            await on(dying)
            between.cut()
        await off(one)
        between.mend()
        async with router(between.settings, "b"):
            assert await nonce(one) != before


@pytest.mark.requirement("cache.routers")
async def test_a_router_that_leaves_in_order_is_not_missed(redis_process: RedisProcess) -> None:
    """Nothing is spoiled by it, nor by its coming back."""
    async with router(redis_process.settings) as one:
        before = await nonce(one)
        for _ in range(2):
            async with router(redis_process.settings, "b") as other:
                assert await nonce(other) == before
        assert await one.read([NAME]) is not None
        assert await nonce(one) == before


@pytest.mark.requirement("cache.routers")
async def test_a_router_that_is_silent_for_long_is_taken_for_gone(
    redis_process: RedisProcess,
) -> None:
    """Everything that was kept is spoiled then: it may have changed anything."""
    async with AsyncExitStack() as opened:
        between = await opened.enter_async_context(partition(redis_process.socket))
        one = await opened.enter_async_context(router(redis_process.settings, forget_s=3))
        other = await opened.enter_async_context(router(between.settings, "b"))
        before = await nonce(one)
        await on(other)
        between.cut()
        await off(one)
        assert await nonce(one) != before
        assert one.state()["routers"] == ["a"]
        spoiled = await nonce(one)
        between.mend()
        await on(other)
        assert await nonce(one) != spoiled


@pytest.mark.requirement("cache.routers")
async def test_a_router_that_owes_leaves_nothing_behind(redis_process: RedisProcess) -> None:
    """It spoils everything with its last word."""
    async with AsyncExitStack() as opened:
        between = await opened.enter_async_context(partition(redis_process.socket))
        one = await opened.enter_async_context(router(redis_process.settings))
        before = await nonce(one)
        async with router(between.settings, "b") as other:
            await on(other)
            between.cut()
            await bumped(other)
            between.mend()
        assert await nonce(one) != before
        await until(lambda: one.state()["silent"] == [])


@pytest.mark.requirement("cache.routers")
async def test_many_changes_at_once_are_waited_for_together(redis_process: RedisProcess) -> None:
    """Each as long as one alone."""
    async with AsyncExitStack() as opened:
        between = await opened.enter_async_context(partition(redis_process.socket))
        other = await opened.enter_async_context(router(between.settings, "b"))
        await on(other)
        between.cut()
        took = await asyncio.gather(*(bumped(other) for _ in range(20)))
        assert max(took) <= NOTICED_S + 1


@pytest.mark.requirement("cache.routers")
async def test_calls_are_not_held_up_by_a_redis_that_hangs(redis_process: RedisProcess) -> None:
    """One waits for a second; the others do not ask."""
    async with two_routers(redis_process.settings) as (one, __):
        redis_process.pause()
        began = time.monotonic()
        async with asyncio.timeout(20):
            assert await one.read([NAME]) is None
        assert time.monotonic() - began < PAUSE_S / 2
        began = time.monotonic()
        assert [await one.read([NAME]) for _ in range(1000)] == [None] * 1000
        assert time.monotonic() - began < 0.5
        redis_process.resume()


@pytest.mark.requirement("cache.routers")
async def test_many_calls_wait_for_one_connection_together() -> None:
    """One that is accepted and then hears nothing costs all of them a second, not each one."""
    async with AsyncExitStack() as opened:
        redis = opened.enter_context(running_redis("--requirepass", "right"))
        between = await opened.enter_async_context(partition(redis.socket))
        url = f"unix://:right@{between.socket}"
        one = await opened.enter_async_context(router(load(StoreSettings, {"redis_url": url})))
        await on(one)
        between.stall()
        between.cut()
        between.accept()
        began = time.monotonic()
        async with asyncio.timeout(20):
            found = await asyncio.gather(*(one.read([NAME]) for _ in range(50)))
        assert found == [None] * 50
        assert time.monotonic() - began < PAUSE_S / 2
        between.mend()


@pytest.mark.requirement("cache.routers")
async def test_while_redis_hangs_only_the_first_change_waits(redis_process: RedisProcess) -> None:
    """Those after it are owed as well, and are made up for together."""
    async with two_routers(redis_process.settings) as (one, other):
        before = await nonce(one)
        redis_process.pause()
        await bumped(other)
        took = [await bumped(other) for _ in range(20)]
        assert sum(took) < NOTICED_S + 2
        redis_process.resume()
        assert await nonce(one) != before
