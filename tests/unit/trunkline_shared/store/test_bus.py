"""Messages to whoever listens, in every store that the whole mesh may share."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from tests.redis_process import RedisProcess
from tests.unit.trunkline_shared.store.record_stores import two_stores
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.memory_bus import BACKLOG, MemoryBus
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.redis_bus import RedisBus
from trunkline_shared.store.settings import StoreSettings

pytestmark = pytest.mark.anyio


async def some(heard: AsyncIterator[bytes], number: int) -> list[bytes]:
    """Return the next messages."""
    return [await anext(heard) for _ in range(number)]


@pytest.mark.requirement("store.bus")
async def test_every_listener_hears_what_is_published_while_it_listens(
    kind: str, settings: StoreSettings
) -> None:
    """In order, under all of its topics and no other, from both sides."""
    async with two_stores(kind, settings) as (one, other), asyncio.timeout(10):
        await one.bus.publish("a", b"too early")
        async with one.bus.heard("a", "b") as here, other.bus.heard("a") as there:
            for message in (b"1", b"\x00\xff", b""):
                await other.bus.publish("a", message)
            await one.bus.publish("b", b"of b")
            await one.bus.publish("c", b"of c")
            assert await some(here, 4) == [b"1", b"\x00\xff", b"", b"of b"]
            assert await some(there, 3) == [b"1", b"\x00\xff", b""]


@pytest.mark.requirement("store.bus")
async def test_who_has_left_is_forgotten(kind: str, settings: StoreSettings) -> None:
    """Its end does not end the others."""
    async with (
        asyncio.timeout(10),
        two_stores(kind, settings) as (one, other),
        one.bus.heard("a") as staying,
    ):
        async with other.bus.heard("a") as leaving:
            await one.bus.publish("a", b"1")
            assert await anext(leaving) == b"1"
        await one.bus.publish("a", b"2")
        assert await some(staying, 2) == [b"1", b"2"]


async def test_who_falls_behind_is_cut_off() -> None:
    """A listener that does not listen costs a bounded number of messages."""
    bus = MemoryBus()
    async with bus.heard("a") as heard, asyncio.timeout(10):
        for number in range(BACKLOG + 10):
            await bus.publish("a", b"%d" % number)
        assert len([message async for message in heard]) == BACKLOG


@pytest.mark.requirement("store.bus")
async def test_listening_ends_when_redis_goes(redis_process: RedisProcess) -> None:
    """The iterator ends, publishing fails at once, and listening anew works when it is back."""
    async with open_store(redis_process.settings) as store, asyncio.timeout(20):
        async with store.bus.heard("a") as heard:
            redis_process.kill()
            assert [message async for message in heard] == []
        with pytest.raises(UpstreamUnavailable):
            await store.bus.publish("a", b"x")
        with pytest.raises(UpstreamUnavailable):
            async with store.bus.heard("a"):
                pytest.fail("nobody is there to be heard")
    redis_process.start()
    async with (
        asyncio.timeout(10),
        open_store(redis_process.settings) as store,
        store.bus.heard("a") as heard,
    ):
        await store.bus.publish("a", b"back")
        assert await anext(heard) == b"back"


@pytest.mark.requirement("store.bus")
async def test_listening_ends_when_redis_hangs(redis_process: RedisProcess) -> None:
    """A connection without a word is asked for one, and given up."""
    async with open_store(redis_process.settings) as store, asyncio.timeout(20):
        assert isinstance(store.bus, RedisBus)
        async with replace(store.bus, ping_s=0.1).heard("a") as heard:
            await store.bus.publish("a", b"1")
            assert await anext(heard) == b"1"
            redis_process.pause()
            assert [message async for message in heard] == []
            redis_process.resume()
