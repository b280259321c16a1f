"""Two Redis that both take writes, as in a fail-over that not everybody has noticed."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest

from tests.redis_partition import Partition, partition
from tests.redis_process import RedisProcess, running_redis
from tests.unit.trunkline_shared.store.routers import NAME, nonce, on, router, until
from trunkline_shared.store.generation_port import Generations

pytestmark = pytest.mark.anyio


def move(between: Partition, redis: RedisProcess) -> None:
    """Lead whoever connects from now on to another Redis."""
    between.cut()
    between.redis = redis.socket
    between.mend()


async def unread(generations: Generations) -> bool:
    """Say whether nothing that was kept is used, however often it is asked for."""
    return all([await generations.read([NAME]) is None for _ in range(50)])


@pytest.mark.requirement("cache.routers")
async def test_a_change_at_one_master_is_noticed_by_those_who_ask_the_other(
    redis_process: RedisProcess,
) -> None:
    """It ends when they miss the sign of the router that has gone, and use nothing any more."""
    async with AsyncExitStack() as opened:
        new = opened.enter_context(running_redis())
        between = await opened.enter_async_context(partition(redis_process.socket))
        one = await opened.enter_async_context(router(redis_process.settings, "a"))
        other = await opened.enter_async_context(router(between.settings, "b"))
        await on(one)
        before = await nonce(other)
        move(between, new)
        async with asyncio.timeout(20):
            await other.bump([NAME], hold_s=0)
        assert await unread(one)
        assert await unread(other)
        move(between, redis_process)
        async with asyncio.timeout(20):
            await other.bump([NAME], hold_s=0)
        assert await nonce(one) == await nonce(other) != before


@pytest.mark.requirement("cache.routers")
async def test_a_master_that_has_just_taken_over_waits_for_everybody(
    redis_process: RedisProcess,
) -> None:
    """The signs that it has copied were given to another: those routers may still change there."""
    async with AsyncExitStack() as opened:
        new = opened.enter_context(running_redis("--replicaof", "127.0.0.1 1"))
        between = await opened.enter_async_context(partition(redis_process.socket))
        one = await opened.enter_async_context(router(redis_process.settings, "a"))
        other = await opened.enter_async_context(router(between.settings, "b"))
        await on(one)
        await on(other)
        await until(lambda: other.state()["routers"] == ["a", "b"])
        with redis_process.look() as old, new.look() as client:
            client.replicaof("NO", "ONE")
            now: Any = old.zrange("trunkline:1:{gen}:routers", 0, -1, withscores=True)
            client.zadd("trunkline:1:{gen}:routers", dict(now))
            client.set("trunkline:1:{gen}:root", str(old.get("trunkline:1:{gen}:root")))
        move(between, new)
        await until(lambda: other.state()["silent"] == ["a"])
        assert await unread(other)
