"""A watcher who reads slowly: what waits for it is bounded, and it is told of the gap."""

import asyncio

import pytest

from trunkline_router.cache.bump_feed import BumpFeed
from trunkline_router.cache.bumps import Bumps, Cause
from trunkline_router.cache.counters import Counters
from trunkline_router.edges.bump_stream import BACKLOG, BumpStream
from trunkline_router.wire.channel import EventStream
from trunkline_shared.store.memory_bus import MemoryBus
from trunkline_shared.store.memory_generations import MemoryGenerations
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio


class Reader(EventStream):
    """A client that reads when the test says so."""

    def __init__(self) -> None:
        self.response = None
        self.reads = asyncio.Event()
        self.read: asyncio.Queue[bytes] = asyncio.Queue()

    async def write(self, frame: bytes) -> None:
        if frame:
            self.read.put_nowait(frame)
            await self.reads.wait()


@pytest.mark.requirement("cache.watch")
async def test_a_slow_watcher_has_a_gap_in_place_of_what_was_too_much() -> None:
    """The newest are kept: what is written at once is bounded."""
    clock = FakeClock()
    bumps = Bumps(generations=MemoryGenerations(clock=clock), counters=Counters())
    feed, reader = BumpFeed(bumps=bumps, bus=MemoryBus(), clock=clock), Reader()
    async with asyncio.timeout(5), feed.running(), asyncio.TaskGroup() as tasks:
        telling = tasks.create_task(BumpStream(reader).tell(feed))
        assert await reader.read.get() == b": keep-alive\n\n"
        for number in range(BACKLOG + 5):
            await bumps.bump((f"doc:{number}",), Cause.WRITE)
        reader.reads.set()
        written = await reader.read.get()
        telling.cancel()
    events = written.split(b"\n\n")[:-1]
    assert events[0].startswith(b"event: gap")
    assert len(events) <= BACKLOG + 1
    assert f'"doc:{BACKLOG + 4}"'.encode() in events[-1]
