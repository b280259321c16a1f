"""Bumps as news: heard here at once, by the other routers over the bus, and never in silence."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from trunkline_router.cache.bump_feed import BACKLOG, TOPIC, BumpFeed, BumpNews
from trunkline_router.cache.bumps import Bumps, Cause
from trunkline_router.cache.counters import Counters
from trunkline_shared.clock import SystemClock
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.bus_port import Bus
from trunkline_shared.store.memory_bus import MemoryBus
from trunkline_shared.store.memory_generations import MemoryGenerations
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio


@dataclass(kw_only=True)
class Router:
    """A router's bumps, and all that is heard there."""

    bus: Bus
    clock: FakeClock = field(default_factory=FakeClock)
    news: "asyncio.Queue[BumpNews]" = field(default_factory=asyncio.Queue)
    gaps: "asyncio.Queue[None]" = field(default_factory=asyncio.Queue)

    def __post_init__(self) -> None:
        self.bumps = Bumps(generations=MemoryGenerations(clock=SystemClock()), counters=Counters())
        self.feed = BumpFeed(bumps=self.bumps, bus=self.bus, clock=self.clock)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run for the block, begun once the bus is heard."""
        heard = self.feed.heard_by(self.news.put_nowait, lambda: self.gaps.put_nowait(None))
        async with asyncio.timeout(5), self.feed.running():
            with heard:
                await self.gaps.get()
                yield


class Failing(MemoryBus):
    """A bus that cannot be published to for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.refusals = 2

    async def publish(self, topic: str, message: bytes) -> None:
        if self.refusals:
            self.refusals -= 1
            raise UpstreamUnavailable("away")
        await super().publish(topic, message)


@pytest.mark.requirement("cache.feed")
async def test_a_bump_is_heard_once_here_and_at_the_other_router() -> None:
    """With its tags, its cause and the time; whoever bumped hears no echo."""
    bus = MemoryBus()
    here, there = Router(bus=bus), Router(bus=bus)
    async with here.running(), there.running():
        await here.bumps.bump(("gh:a/b#1", "gh:a/b"), Cause.WRITE)
        mine, theirs = await here.news.get(), await there.news.get()
        assert mine == theirs
        assert (mine.tags, mine.cause) == (("gh:a/b#1", "gh:a/b"), "write")
        await there.bumps.bump(("gh:c/d",), Cause.EVENT)
        assert (await here.news.get()).tags == ("gh:c/d",)
        assert here.news.empty()


@pytest.mark.requirement("cache.feed")
async def test_what_could_not_be_told_is_told_when_the_bus_is_back() -> None:
    """In order: the others hear late, since nothing tells them that they missed it."""
    bus = Failing()
    here, there = Router(bus=bus), Router(bus=bus)
    async with here.running(), there.running():
        await here.bumps.bump(("a",), Cause.WRITE)
        await here.bumps.bump(("b",), Cause.WRITE)
        assert [(await here.news.get()).tags for _ in range(2)] == [("a",), ("b",)]
        assert [(await there.news.get()).tags for _ in range(2)] == [("a",), ("b",)]


@pytest.mark.requirement("cache.feed")
async def test_one_who_was_cut_off_is_told_of_the_gap() -> None:
    """A listener too slow for the bus begins anew, and what it missed may be anything."""
    bus = MemoryBus()
    router = Router(bus=bus)
    async with router.running():
        for _ in range(BACKLOG + 1):
            await bus.publish(TOPIC, b"nonsense")
        await router.gaps.get()
        assert router.news.empty()


async def test_a_router_that_ends_tells_what_it_still_has_to_tell() -> None:
    """The last write's bump is heard by those who stay."""
    bus = MemoryBus()
    here, there = Router(bus=bus), Router(bus=bus)
    async with there.running():
        async with here.running():
            await here.bumps.bump(("last",), Cause.WRITE)
        assert (await there.news.get()).tags == ("last",)
