"""Every part of a store is used once, as two processes would."""

import asyncio

from tests.unit.trunkline_shared.store.routers import NAME, TERMS, nonce
from trunkline_shared.store.bucket_port import Bucket
from trunkline_shared.store.port import Rhythm, Turn, Wish
from trunkline_shared.store.store import Store


async def use(one: Store, other: Store) -> None:
    """Fail unless every part of the store is there and shared."""
    async with asyncio.timeout(30):
        await _use_small_parts(one, other)
        await _use_records_and_turns(one, other)
        async with one.bus.heard("topic") as heard:
            await other.bus.publish("topic", b"message")
            assert await anext(heard) == b"message"
        await _use_cache(one, other)


async def _use_small_parts(one: Store, other: Store) -> None:
    for number in range(20):
        await one.kept.put(f"kept-{number}", b"value", ttl_s=60)
        assert await other.kept.get(f"kept-{number}") == b"value"
    assert await one.kept.claim("claimed", ttl_s=60)
    assert not await other.kept.claim("claimed", ttl_s=60)
    wanted = [Bucket(key=key, size=1, per_s=0.001) for key in ("one", "two", "three")]
    assert await one.buckets.take(wanted) is None
    assert await other.buckets.take(wanted) is not None
    place = await one.places.enter("place", 1, ttl_s=60)
    assert place is not None
    assert await other.places.enter("place", 1, ttl_s=60) is None
    await one.places.leave(place)


async def _use_records_and_turns(one: Store, other: Store) -> None:
    async with one.records.held("record", wait_s=1) as record:
        await record.write(b"written")
    assert await other.records.read("record") == b"written"
    wish = Wish(key="k", rhythm=Rhythm(interval_s=20), latest_s=60)
    assert isinstance(await one.turns.reserve(wish), Turn)
    second = await other.turns.reserve(Wish(key="k", rhythm=wish.rhythm, latest_s=60))
    assert second.wait_s > 10


async def _use_cache(one: Store, other: Store) -> None:
    async with one.generations.joined(TERMS):
        before = await nonce(one.generations)
        await other.generations.bump([NAME, ">gh:acme"], hold_s=0)
        assert await nonce(one.generations) != before
    for number in range(20):
        await one.entries.put(f"entry-{number}", b"answer", life_s=60)
        entry = await other.entries.get(f"entry-{number}")
        assert entry is not None
        assert entry.data == b"answer"
    assert await one.entries.lead("entry", for_s=60)
    assert not await other.entries.lead("entry", for_s=60)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(other.entries.settled("entry", within_s=60))
        await one.entries.let_go("entry")
