"""Token buckets in every store that the whole mesh may share."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.redis_process import RedisProcess
from tests.unit.trunkline_shared.store.record_stores import two_stores
from trunkline_shared.store.bucket_port import Bucket, Empty
from trunkline_shared.store.memory_buckets import MemoryBuckets
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

SLOW = 1 / 3600
"""A token in an hour: none comes while a test runs."""


@pytest.mark.requirement("store.buckets")
async def test_a_bucket_gives_what_it_holds_over_the_whole_mesh(
    kind: str, settings: StoreSettings
) -> None:
    """Of twenty at the same moment five get a token, whoever asks; the rest hear how long."""
    bucket = Bucket(key="ci-bot:calls", size=5, per_s=SLOW)
    async with two_stores(kind, settings) as (one, other):
        answers = await asyncio.gather(*(s.buckets.take([bucket]) for s in (one, other) * 10))
        refused = [answer for answer in answers if answer is not None]
        assert len(refused) == 15
        assert {answer.key for answer in refused} == {"ci-bot:calls"}
        assert all(3500 < answer.wait_s <= 3600 for answer in refused)
        assert await one.buckets.take([Bucket(key="other", size=1, per_s=SLOW)]) is None


@pytest.mark.requirement("store.buckets")
async def test_of_several_buckets_all_give_or_none_does(kind: str, settings: StoreSettings) -> None:
    """A write that is refused for the writes has not used up a call."""
    calls = Bucket(key="calls", size=2, per_s=SLOW)
    writes = Bucket(key="writes", size=1, per_s=SLOW)
    async with two_stores(kind, settings) as (one, other):
        assert await one.buckets.take([calls, writes]) is None
        refused = await other.buckets.take([calls, writes])
        assert refused is not None
        assert refused.key == "writes"
        assert await one.buckets.take([calls]) is None
        empty = await one.buckets.take([calls])
        assert empty is not None
        assert empty.key == "calls"


@pytest.mark.requirement("store.buckets")
async def test_a_token_comes_with_its_time(kind: str, settings: StoreSettings) -> None:
    """A bucket that is filled quickly gives again soon."""
    bucket = Bucket(key="quick", size=1, per_s=50)
    async with two_stores(kind, settings) as (one, __):
        assert await one.buckets.take([bucket]) is None
        while await one.buckets.take([bucket]) is not None:
            pass


@pytest.mark.requirement("store.buckets")
async def test_redis_forgets_a_bucket_that_is_full_again(redis_process: RedisProcess) -> None:
    """Nothing stays behind of a caller who has left."""
    async with open_store(redis_process.settings) as store:
        await store.buckets.take([Bucket(key="gone", size=60, per_s=1)])
    with redis_process.look() as client:
        (left,) = [client.pttl(name) for name in sorted(redis_process.keys())]
    assert 0 < left <= 61_000


@pytest.mark.requirement("store.buckets")
async def test_without_redis_a_process_counts_for_itself(redis_process: RedisProcess) -> None:
    """A store that is away lets nobody in for nothing, and stops nobody."""
    bucket = Bucket(key="ci-bot", size=2, per_s=SLOW)
    async with open_store(redis_process.settings) as store:
        redis_process.kill()
        assert await store.buckets.take([bucket]) is None
        assert await store.buckets.take([bucket]) is None
        assert isinstance(await store.buckets.take([bucket]), Empty)


@pytest.mark.requirement("store.buckets")
@given(
    size=st.integers(1, 20),
    per_s=st.floats(0.01, 10),
    waits=st.lists(st.floats(0, 30), max_size=40),
)
async def test_no_stretch_of_time_gives_more_than_a_bucket_and_what_came(
    size: int, per_s: float, waits: list[float]
) -> None:
    """Whatever the rhythm: what was given is never more than its size and its rate allow."""
    clock = FakeClock()
    buckets = MemoryBuckets(clock=clock)
    bucket = Bucket(key="a", size=size, per_s=per_s)
    began, given_out = clock.monotonic(), 0
    for wait in waits:
        clock.advance(wait)
        refused = await buckets.take([bucket])
        given_out += refused is None
        if refused is not None:
            clock.advance(refused.wait_s + 0.001)
            assert await buckets.take([bucket]) is None
            given_out += 1
    assert given_out <= size + (clock.monotonic() - began) * per_s + 0.01
