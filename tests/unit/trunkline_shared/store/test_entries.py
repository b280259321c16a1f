"""Large values that may vanish, and who is about to make one, in every store."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from anyio.lowlevel import checkpoint

from tests.redis_process import RedisProcess, running_redis
from tests.unit.trunkline_shared.store.record_stores import settings_of, two_stores
from trunkline_shared.store.entry_port import Entries
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.redis_entries import LARGEST

pytestmark = pytest.mark.anyio

Two = tuple[Entries, Entries]


@pytest.fixture
async def any_store(kind: str, tmp_path: Path) -> AsyncIterator[Two]:
    """Two who may share entries."""
    with settings_of("files" if kind == "memory" else kind, tmp_path) as settings:
        async with two_stores(kind, settings) as (one, other), asyncio.timeout(30):
            yield one.entries, other.entries


@pytest.fixture
async def two(redis_process: RedisProcess) -> AsyncIterator[Two]:
    """Two processes that share entries."""
    async with two_stores("redis", redis_process.settings) as (one, other), asyncio.timeout(30):
        yield one.entries, other.entries


@pytest.mark.requirement("cache.entries")
async def test_nothing_is_there_and_nobody_is_waited_for_at_first(any_store: Two) -> None:
    """Whoever comes first leads; letting go of nothing does nothing."""
    one, other = any_store
    assert await one.get("nothing") is None
    await one.settled("nothing", within_s=20)
    assert await other.lead("key", for_s=20)
    await one.let_go("nothing")
    await other.let_go("key")
    await other.let_go("key")
    assert await one.lead("key", for_s=20)


@pytest.mark.requirement("cache.entries")
async def test_what_is_put_is_got_or_lost_but_never_another(any_store: Two) -> None:
    """A store that nobody shares keeps nothing."""
    one, other = any_store
    await one.put("key", b"\x00\xff\r\n" * 1000, life_s=60)
    for entries in (one, other):
        entry = await entries.get("key")
        assert entry is None or entry.data == b"\x00\xff\r\n" * 1000


@pytest.mark.requirement("cache.entries")
async def test_what_one_puts_the_others_get(two: Two) -> None:
    """With the time that it is kept yet; the last one counts, and an empty one is one."""
    one, other = two
    await one.put("key", b"first", life_s=60)
    await other.put("key", b"second", life_s=90)
    await one.put("empty", b"", life_s=60)
    entry = await one.get("key")
    assert entry is not None
    assert entry.data == b"second"
    assert 60 < entry.left_s <= 90
    empty = await other.get("empty")
    assert empty is not None
    assert empty.data == b""


@pytest.mark.requirement("cache.entries")
async def test_an_entry_ends_with_its_life(two: Two) -> None:
    """One without any is not kept at all."""
    one, other = two
    await one.put("key", b"value", life_s=0.05)
    await one.put("dead", b"value", life_s=0)
    while await other.get("key") is not None:
        await checkpoint()
    assert await other.get("dead") is None


@pytest.mark.requirement("cache.entries")
async def test_what_is_too_large_is_not_kept(two: Two) -> None:
    """Eight megabytes are the most; what was there stays."""
    one, other = two
    await one.put("key", b"x" * LARGEST, life_s=60)
    entry = await other.get("key")
    assert entry is not None
    assert len(entry.data) == LARGEST
    assert len(repr(entry)) < 100
    await one.put("larger", b"x" * (LARGEST + 1), life_s=60)
    assert await other.get("larger") is None


@pytest.mark.requirement("cache.entries")
async def test_of_many_one_leads(two: Two) -> None:
    """Over the whole mesh; each key has a leader of its own."""
    leads = await asyncio.gather(*(entries.lead("key", for_s=60) for entries in two * 20))
    assert sum(leads) == 1
    assert await two[0].lead("other", for_s=60)


@pytest.mark.requirement("cache.entries")
async def test_nobody_ends_the_lead_of_another(two: Two) -> None:
    """Not even one whose own has ended by itself."""
    one, other = two
    assert await one.lead("key", for_s=0.02)
    while not await other.lead("key", for_s=60):
        await checkpoint()
    await one.let_go("key")
    assert not await one.lead("key", for_s=60)
    await other.let_go("key")
    assert await one.lead("key", for_s=60)


@pytest.mark.requirement("cache.entries")
async def test_who_is_cancelled_while_asking_for_the_lead_leaves_none_behind(two: Two) -> None:
    """At whatever moment it happens: nobody would let go of it."""
    one, other = two
    await one.get("key")
    for turns in range(20):
        asking = asyncio.ensure_future(one.lead(f"key {turns}", for_s=20))
        for _ in range(turns):
            await asyncio.sleep(0)
        asking.cancel()
        with suppress(asyncio.CancelledError):
            await asking
            await one.let_go(f"key {turns}")
        async with asyncio.timeout(5):
            await other.settled(f"key {turns}", within_s=20)
        assert await other.lead(f"key {turns}", for_s=1)


@pytest.mark.requirement("cache.entries")
async def test_who_waits_goes_on_when_the_leader_lets_go(two: Two) -> None:
    """Soon after, and not before."""
    one, other = two
    assert await one.lead("key", for_s=60)
    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(other.settled("key", within_s=60))
        while await other.lead("key", for_s=60):
            pytest.fail("there is a leader")
        assert not waiting.done()
        await one.let_go("key")
        async with asyncio.timeout(2):
            await waiting


@pytest.mark.requirement("cache.entries")
async def test_who_waits_goes_on_when_the_leader_dies_or_takes_too_long(two: Two) -> None:
    """A lead ends by itself, and so does patience."""
    one, other = two
    assert await one.lead("short", for_s=0.1)
    async with asyncio.timeout(5):
        await other.settled("short", within_s=60)
    assert await one.lead("long", for_s=60)
    began = time.monotonic()
    await other.settled("long", within_s=0.2)
    assert 0.15 < time.monotonic() - began < 2


@pytest.mark.requirement("cache.entries")
@pytest.mark.parametrize("fault", ["killed", "paused", "full"])
async def test_a_store_that_is_away_has_nothing_and_everybody_leads(fault: str) -> None:
    """Nothing raises, and nobody waits for longer than a second."""
    options = ("--maxmemory", "1", "--maxmemory-policy", "noeviction") if fault == "full" else ()
    with running_redis(*options) as process:
        async with open_store(process.settings) as store, asyncio.timeout(10):
            if fault == "killed":
                process.kill()
            if fault == "paused":
                process.pause()
            assert await store.entries.get("key") is None
            await store.entries.put("key", b"value", life_s=60)
            assert await store.entries.lead("key", for_s=60)
            await store.entries.settled("key", within_s=60)
            await store.entries.let_go("key")


@pytest.mark.requirement("cache.entries")
async def test_what_is_no_entry_is_none(redis_process: RedisProcess) -> None:
    """A value without an end, or of another kind, is not ours."""
    async with open_store(redis_process.settings) as store:
        with redis_process.look() as client:
            client.set("trunkline:1:entry:endless", "value")
            client.rpush("trunkline:1:entry:list", "value")
        assert await store.entries.get("endless") is None
        assert await store.entries.get("list") is None
