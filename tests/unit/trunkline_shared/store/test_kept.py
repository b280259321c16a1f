"""Small values with an end, in every store that the whole mesh may share."""

import asyncio

import pytest

from tests.redis_process import RedisProcess
from tests.unit.trunkline_shared.store.record_stores import two_stores
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.memory_kept import MemoryKept
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("store.kept")
async def test_what_one_puts_the_other_gets_until_it_is_dropped(
    kind: str, settings: StoreSettings
) -> None:
    """Bytes come back as they are, under their own key."""
    async with two_stores(kind, settings) as (one, other):
        assert await other.kept.get("a") is None
        await one.kept.put("a", b"\x00\xff", ttl_s=60)
        await one.kept.put("b", b"", ttl_s=60)
        assert await other.kept.get("a") == b"\x00\xff"
        assert await other.kept.get("b") == b""
        await other.kept.put("a", b"new", ttl_s=60)
        assert await one.kept.get("a") == b"new"
        await one.kept.drop("a")
        await one.kept.drop("a")
        assert await other.kept.get("a") is None


@pytest.mark.requirement("store.kept")
async def test_a_claim_is_made_once(kind: str, settings: StoreSettings) -> None:
    """Of twenty at the same moment one succeeds; after a drop one more may."""
    async with two_stores(kind, settings) as (one, other):
        claims = [store.kept.claim("probe", ttl_s=60) for store in (one, other) * 10]
        assert sorted(await asyncio.gather(*claims)) == [False] * 19 + [True]
        await one.kept.drop("probe")
        assert await other.kept.claim("probe", ttl_s=60) is True


@pytest.mark.requirement("store.kept")
async def test_a_value_in_redis_ends_with_its_time(redis_process: RedisProcess) -> None:
    """Redis itself forgets it, so that nothing stays behind."""
    async with open_store(redis_process.settings) as store:
        await store.kept.put("a", b"x", ttl_s=90)
        assert await store.kept.claim("c", ttl_s=90)
    with redis_process.look() as client:
        ends = [client.pttl(name) for name in sorted(redis_process.keys())]
    assert len(ends) == 2
    assert all(0 < end <= 90_000 for end in ends)


async def test_a_value_in_memory_ends_with_its_time() -> None:
    """Also one that was claimed."""
    clock = FakeClock()
    kept = MemoryKept(clock=clock)
    await kept.put("a", b"x", ttl_s=5)
    assert await kept.claim("c", ttl_s=5)
    clock.advance(4.9)
    assert await kept.get("a") == b"x"
    assert not await kept.claim("c", ttl_s=5)
    clock.advance(0.1)
    assert await kept.get("a") is None
    assert await kept.claim("c", ttl_s=5)


async def test_memory_holds_a_bounded_number_of_values() -> None:
    """What is over goes first, then what was set first."""
    clock = FakeClock()
    kept = MemoryKept(clock=clock)
    await kept.put("over", b"x", ttl_s=1)
    await kept.put("first", b"x", ttl_s=1000)
    clock.advance(2)
    for number in range(9_999):
        await kept.put(str(number), b"x", ttl_s=1000)
    assert await kept.get("first") == b"x"
    await kept.put("one more", b"x", ttl_s=1000)
    assert await kept.get("first") is None
    assert await kept.get("one more") == b"x"


async def test_memory_holds_values_of_each_kind() -> None:
    """Ten thousand sessions push out the first of them, and no delivery and no breaker."""
    kept = MemoryKept(clock=FakeClock())
    await kept.put("breaker:github", b"x", ttl_s=1000)
    assert await kept.claim("delivery:github:1", ttl_s=1000)
    for number in range(10_001):
        await kept.put(f"session:{number}", b"x", ttl_s=1000)
    assert await kept.get("session:0") is None
    assert await kept.get("session:10000") == b"x"
    assert await kept.get("breaker:github") == b"x"
    assert not await kept.claim("delivery:github:1", ttl_s=1000)


@pytest.mark.requirement("store.kept")
async def test_a_redis_that_is_gone_is_told_at_once(redis_process: RedisProcess) -> None:
    """UPSTREAM_UNAVAILABLE for each question, and no waiting."""
    async with open_store(redis_process.settings) as store, asyncio.timeout(10):
        redis_process.kill()
        for _ in range(50):
            with pytest.raises(UpstreamUnavailable):
                await store.kept.get("a")
        with pytest.raises(UpstreamUnavailable):
            await store.kept.put("a", b"x", ttl_s=1)
        with pytest.raises(UpstreamUnavailable):
            await store.kept.claim("a", ttl_s=1)
