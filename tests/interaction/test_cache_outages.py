"""Redis that is away, slow, full or refuses: calls go through, and one warning says why."""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest

from tests.interaction.caching import call
from tests.interaction.caching_redis import Shared, over_redis, until_kept, until_on
from tests.redis_process import RedisProcess

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]


class Outage:
    """What happens to Redis, and how it ends."""

    def __init__(self, redis: RedisProcess, shared: Shared) -> None:
        self._redis, self._shared = redis, shared

    def dead(self) -> None:
        self._redis.kill()

    def not_dead(self) -> None:
        self._redis.start()

    def paused(self) -> None:
        self._redis.pause()

    def not_paused(self) -> None:
        self._redis.resume()

    def slow(self) -> None:
        for cable in self._shared.cables:
            cable.delay_s = 2.0

    def not_slow(self) -> None:
        for cable in self._shared.cables:
            cable.delay_s = 0.0

    def full(self) -> None:
        self._configure("maxmemory-policy", "noeviction")
        self._configure("maxmemory", "1")

    def not_full(self) -> None:
        self._configure("maxmemory", "0")

    def locked(self) -> None:
        self._configure("requirepass", "another-one")
        for cable in self._shared.cables:
            cable.cut()
            cable.mend()

    def not_locked(self) -> None:
        with self._redis.look("another-one") as client:
            client.config_set("requirepass", "")

    def _configure(self, name: str, value: str) -> None:
        with self._redis.look() as client:
            client.config_set(name, value)


OUTAGES = ("dead", "paused", "slow", "full", "locked")


@contextmanager
def one_warning(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Hold the block to one warning about the store at most for each router."""
    with caplog.at_level(logging.WARNING):
        yield
    told = [record.message for record in caplog.records if "is away" in record.message]
    assert len(told) <= 2, told


@asynccontextmanager
async def shared_over(redis: RedisProcess) -> AsyncIterator[Shared]:
    """Two routers that use what is kept, and keep an answer already."""
    async with over_redis(redis) as shared:
        for router in shared.routers:
            await until_on(router.port)
            await call(router, "look")
        yield shared


@pytest.mark.requirement("cache.outages")
@pytest.mark.parametrize("kind", OUTAGES)
async def test_calls_are_answered_whatever_becomes_of_redis(
    redis_process: RedisProcess, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    """Reads and writes reach the server, a read after a write is fresh, and it mends by itself."""
    async with shared_over(redis_process) as shared:
        outage = Outage(redis_process, shared)
        with one_warning(caplog):
            getattr(outage, kind)()
            assert (await call(shared.one, "look")).version == 0
            assert not (await call(shared.one, "change")).failed
            for router in shared.routers:
                assert (await call(router, "look")).version == 1
            assert not (await call(shared.other, "change")).failed
            for router in shared.routers:
                assert (await call(router, "look")).version == 2
            told = await until_on(shared.one.port, on=False)
            assert told["reason"]
        getattr(outage, f"not_{kind}")()
        for router in shared.routers:
            await until_on(router.port)
            assert (await call(router, "look")).version == 2


@pytest.mark.requirement("cache.outages")
async def test_what_is_kept_is_used_again_after_an_outage(redis_process: RedisProcess) -> None:
    """Nothing that was kept before is, but new answers are kept as before."""
    async with shared_over(redis_process) as shared:
        redis_process.kill()
        await until_on(shared.one.port, on=False)
        shared.documents.versions["1"] += 1
        redis_process.start()
        for router in shared.routers:
            await until_on(router.port)
            assert (await call(router, "look")).version == 1
            await until_kept(router)


@pytest.mark.requirement("cache.outages")
async def test_routers_start_without_redis(
    redis_process: RedisProcess, caplog: pytest.LogCaptureFixture
) -> None:
    """They answer from the start, and use it when it comes."""
    redis_process.kill()
    with one_warning(caplog):
        async with over_redis(redis_process) as shared:
            assert (await call(shared.one, "look")).source == "upstream"
            await call(shared.one, "change")
            assert (await call(shared.other, "look")).version == 1
            await until_on(shared.one.port, on=False)
            redis_process.start()
            for router in shared.routers:
                await until_on(router.port)
            await until_kept(shared.one)
            assert (await call(shared.one, "look")).version == 1


@pytest.mark.requirement("cache.outages")
async def test_a_write_through_a_router_that_is_cut_off_counts_everywhere(
    redis_process: RedisProcess,
) -> None:
    """It returns only when the others cannot answer from what they have kept any more."""
    async with shared_over(redis_process) as shared:
        shared.cables[0].cut()
        await call(shared.one, "change")
        seen = await call(shared.other, "look")
        assert (seen.source, seen.version) == ("upstream", 1)
        told = await until_on(shared.other.port, on=False)
        assert len(told["silent"]) == 1
        shared.cables[0].mend()
        for router in shared.routers:
            await until_on(router.port)
            assert (await call(router, "look")).version == 1


@pytest.mark.requirement("cache.outages")
async def test_a_store_that_was_flushed_brings_nothing_back(redis_process: RedisProcess) -> None:
    """Neither what was kept before, nor what a write had spoiled."""
    async with shared_over(redis_process) as shared:
        await call(shared.one, "change")
        with redis_process.look() as client:
            client.flushall()
        for router in shared.routers:
            assert (await call(router, "look")).version == 1
            await until_on(router.port)
            assert (await call(router, "look")).version == 1
