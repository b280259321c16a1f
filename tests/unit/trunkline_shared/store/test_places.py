"""Places that only so many may hold at the same time, in every store that a mesh may share."""

import asyncio

import pytest

from tests.redis_process import RedisProcess
from tests.unit.trunkline_shared.store.record_stores import two_stores
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.settings import StoreSettings

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("store.buckets")
async def test_so_many_hold_a_place_over_the_whole_mesh(kind: str, settings: StoreSettings) -> None:
    """Of twenty at the same moment three enter; one that leaves lets one more in."""
    async with two_stores(kind, settings) as (one, other):
        entering = [store.places.enter("a", 3, ttl_s=60) for store in (one, other) * 10]
        held = [place for place in await asyncio.gather(*entering) if place is not None]
        assert len(held) == 3
        assert len({place.id for place in held}) == 3
        assert await other.places.enter("b", 1, ttl_s=60) is not None
        await one.places.leave(held[0])
        await one.places.leave(held[0])
        assert await other.places.enter("a", 3, ttl_s=60) is not None
        assert await one.places.enter("a", 3, ttl_s=60) is None


@pytest.mark.requirement("store.buckets")
async def test_who_dies_in_a_place_has_left_it_in_the_end(redis_process: RedisProcess) -> None:
    """Redis gives up a place whose time is over, and forgets a key that nobody uses."""
    async with open_store(redis_process.settings) as store:
        assert await store.places.enter("a", 1, ttl_s=0.05) is not None
        with redis_process.look() as client:
            (left,) = [client.pttl(name) for name in sorted(redis_process.keys())]
        assert 0 < left <= 1_100
        async with asyncio.timeout(5):
            while await store.places.enter("a", 1, ttl_s=60) is None:
                pass


@pytest.mark.requirement("store.buckets")
async def test_without_redis_a_process_counts_its_own(redis_process: RedisProcess) -> None:
    """A place that was taken before can be left all the same."""
    async with open_store(redis_process.settings) as store:
        before = await store.places.enter("a", 1, ttl_s=60)
        assert before is not None
        redis_process.kill()
        during = await store.places.enter("a", 1, ttl_s=60)
        assert during is not None
        assert await store.places.enter("a", 1, ttl_s=60) is None
        await store.places.leave(before)
        await store.places.leave(during)
        assert await store.places.enter("a", 1, ttl_s=60) is not None
