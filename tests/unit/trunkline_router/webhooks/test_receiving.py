"""A delivery is done when it has taken effect, and not before."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace

import pytest

from trunkline_router.cache.bumps import Bumps
from trunkline_router.cache.counters import Counters
from trunkline_router.cache.hooks import Hooked
from trunkline_router.configuration.cache_entry import CacheEntry
from trunkline_router.webhooks.delivery import Told
from trunkline_router.webhooks.receiving import Receiving
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.generation_port import Membership, Reading
from trunkline_shared.store.kept_port import Kept
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("webhook.once")]

TOLD = Told(id="1", event="issues", tags=("gh:acme/widgets#7",))


@dataclass
class Waiting:
    """Generations whose bumps take effect when a test says so."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    free: asyncio.Event = field(default_factory=asyncio.Event)
    bumped: int = 0

    async def read(self, names: Sequence[str]) -> Reading | None:
        return None

    async def bump(self, names: Sequence[str], *, hold_s: float) -> None:
        self.asked.set()
        await self.free.wait()
        self.bumped += 1

    def joined(self, terms: Membership) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    def state(self) -> Mapping[str, object]:
        return {}


class Away:
    """A store that does not answer."""

    async def get(self, key: str) -> bytes | None:
        raise UpstreamUnavailable("away")

    async def put(self, key: str, value: bytes, *, ttl_s: float) -> None:
        raise UpstreamUnavailable("away")

    async def claim(self, key: str, *, ttl_s: float) -> bool:
        raise UpstreamUnavailable("away")

    async def drop(self, key: str) -> None:
        raise UpstreamUnavailable("away")


@asynccontextmanager
async def receiving(
    generations: Waiting, kept: Kept | None = None, patience_s: float = 5
) -> AsyncIterator[Receiving]:
    """Take deliveries over these generations."""
    clock = FakeClock()
    store = in_process_store(clock)
    store = replace(store, kept=kept or store.kept)
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        yield Receiving(
            bumps=Bumps(generations=generations, counters=Counters()),
            hooked=Hooked(store=store, terms=CacheEntry, clock=clock),
            kept=store.kept,
            tasks=lambda: tasks,
            patience_s=patience_s,
        )


async def test_a_sender_that_leaves_takes_nothing_back() -> None:
    """What it delivered is carried out, and known as done only then."""
    generations = Waiting()
    async with receiving(generations) as takes, asyncio.TaskGroup() as tasks:
        first = tasks.create_task(takes.receive("github", TOLD))
        await generations.asked.wait()
        first.cancel()
        await asyncio.wait({first})
        again = tasks.create_task(takes.receive("github", TOLD))
        generations.free.set()
        assert await again == "done", "the first was not done when it came"
        assert await takes.receive("github", TOLD) == "duplicate"
    assert generations.bumped == 2


async def test_one_that_takes_long_goes_on() -> None:
    """The vendor is answered in time; what it sends again meanwhile is carried out as well."""
    generations = Waiting()
    async with receiving(generations, patience_s=0.01) as takes:
        assert await takes.receive("github", TOLD) == "pending"
        generations.free.set()
        assert await takes.receive("github", TOLD) == "done"
    assert generations.bumped == 2


async def test_without_the_store_each_is_carried_out() -> None:
    """To bump twice costs a fetch; not to bump costs the truth."""
    generations = Waiting()
    generations.free.set()
    async with receiving(generations, Away()) as takes:
        assert await takes.receive("github", TOLD) == "done"
        assert await takes.receive("github", TOLD) == "done"
    assert generations.bumped == 2


async def test_the_same_id_of_another_vendor_is_another_delivery() -> None:
    """Their numbers have nothing to do with each other."""
    generations = Waiting()
    generations.free.set()
    async with receiving(generations) as takes:
        assert await takes.receive("github", TOLD) == "done"
        assert await takes.receive("jira", TOLD) == "done"
