"""Holds over Redis: whoever comes after one that holds everything does not end that."""

import asyncio

import pytest

from tests.redis_partition import partition
from tests.redis_process import RedisProcess
from tests.unit.trunkline_shared.store.routers import NAME, on, router
from trunkline_shared.store.generation_port import Generations

pytestmark = pytest.mark.anyio


async def _held_s(generations: Generations) -> float:
    return (await on(generations)).by_name[NAME].held_s


async def test_a_hold_that_was_owed_outlasts_a_restart_of_another_router(
    redis_process: RedisProcess,
) -> None:
    """A write that may still happen is not forgotten with the root that stood for it."""
    async with (
        asyncio.timeout(30),
        partition(redis_process.socket) as between,
        router(between.settings, "a") as one,
        router(redis_process.settings, "b") as other,
    ):
        await on(one)
        between.cut()
        await one.bump([NAME], hold_s=60)
        between.mend()
        assert await _held_s(one) > 50
        async with router(redis_process.settings, "b"):
            assert await _held_s(one) > 50
            assert await _held_s(other) > 50


async def test_a_hold_of_everything_outlasts_a_router_that_leaves_owing(
    redis_process: RedisProcess,
) -> None:
    """The shorter hold that it leaves does not take the longer one's place."""
    async with (
        asyncio.timeout(30),
        router(redis_process.settings, "b") as other,
        partition(redis_process.socket) as between,
    ):
        for hold_s in (60, 0):
            async with router(between.settings, "a") as one:
                await on(one)
                between.cut()
                await one.bump([NAME], hold_s=hold_s)
                between.mend()
        assert await _held_s(other) > 50


async def test_nothing_is_held_in_a_redis_that_is_new(redis_process: RedisProcess) -> None:
    """Who starts for the first time, and finds nothing, has lost nothing."""
    async with router(redis_process.settings, "a") as one:
        assert await _held_s(one) == 0
