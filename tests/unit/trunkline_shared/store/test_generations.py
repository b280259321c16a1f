"""Generations in every store: what is read is replaced by each bump, and never comes back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from anyio.lowlevel import checkpoint

from tests.unit.trunkline_shared.store.record_stores import settings_of
from tests.unit.trunkline_shared.store.routers import NAME, TERMS, nonce, on, two_routers
from trunkline_shared.clock import SystemClock
from trunkline_shared.store.generation_port import Generations
from trunkline_shared.store.memory_generations import MemoryGenerations

pytestmark = pytest.mark.anyio

OTHER = "=gh:acme/gadgets"
Two = tuple[Generations, Generations]


@asynccontextmanager
async def _two(kind: str, folder: Path) -> AsyncIterator[Two]:
    if kind == "memory":
        generations = MemoryGenerations(clock=SystemClock())
        async with generations.joined(TERMS):
            yield generations, generations
        return
    with settings_of(kind, folder) as settings:
        async with two_routers(settings) as both:
            yield both


@pytest.fixture
async def two(kind: str, tmp_path: Path) -> AsyncIterator[Two]:
    """Two who share generations, or twice the same where nobody else can."""
    async with _two(kind, tmp_path) as both, asyncio.timeout(30):
        yield both


@pytest.mark.requirement("cache.generations")
async def test_a_generation_stays_until_it_is_bumped(two: Two) -> None:
    """Whoever reads it, and however often."""
    first = await nonce(two[0])
    assert [await nonce(one) for one in (*two, *two)] == [first] * 4
    await two[1].bump([NAME], hold_s=0)
    assert await nonce(two[0]) == await nonce(two[1]) != first


@pytest.mark.requirement("cache.generations")
async def test_names_have_generations_of_their_own(two: Two) -> None:
    """Of what is bumped together all is new, and of the rest nothing."""
    before = await on(two[0], "=a", "=b", "=c")
    await two[1].bump(["=a", "=b"], hold_s=0)
    after = await on(two[0], "=a", "=b", "=c")
    same = {name for name in ("=a", "=b", "=c") if before.by_name[name] == after.by_name[name]}
    assert same == {"=c"}
    assert after.root == before.root
    assert len({one.nonce for found in (before, after) for one in found.by_name.values()}) == 5


@pytest.mark.requirement("cache.generations")
async def test_a_thousand_bumps_have_a_thousand_generations(two: Two) -> None:
    """None comes back."""
    seen = set()
    for number in range(300):
        await two[number % 2].bump([NAME], hold_s=0)
        seen.add(await nonce(two[(number + 1) % 2]))
    assert len(seen) == 300


@pytest.mark.requirement("cache.generations")
async def test_readers_who_mint_at_the_same_moment_have_one_generation(two: Two) -> None:
    """What one has kept the others find."""
    found = await asyncio.gather(*(nonce(one) for one in two * 20))
    assert len(set(found)) == 1


@pytest.mark.requirement("cache.generations")
async def test_a_name_that_was_never_bumped_is_not_held(two: Two) -> None:
    """It has not been bumped for ever."""
    found = (await on(two[0], NAME)).by_name[NAME]
    assert (found.bumped_s, found.held_s) == (float("inf"), 0)


@pytest.mark.requirement("cache.generations")
async def test_a_bump_is_known_with_its_time_and_its_hold(two: Two) -> None:
    """Also of a name that nobody had read."""
    await two[1].bump([NAME], hold_s=60)
    found = (await on(two[0], NAME, OTHER)).by_name
    assert 0 <= found[NAME].bumped_s < 10
    assert 50 < found[NAME].held_s <= 60
    assert found[OTHER].held_s == 0


@pytest.mark.requirement("cache.generations")
async def test_a_shorter_hold_does_not_end_a_longer_one(two: Two) -> None:
    """A longer one takes its place."""
    await two[0].bump([NAME], hold_s=60)
    await two[1].bump([NAME], hold_s=10)
    assert (await on(two[0], NAME)).by_name[NAME].held_s > 45
    await two[1].bump([NAME], hold_s=100)
    assert (await on(two[0], NAME)).by_name[NAME].held_s > 85


@pytest.mark.requirement("cache.generations")
async def test_a_hold_ends_by_itself(two: Two) -> None:
    """The time since the bump goes on."""
    await two[0].bump([NAME], hold_s=0.05)
    while (found := (await on(two[1], NAME)).by_name[NAME]).held_s:
        await checkpoint()
    assert found.bumped_s >= 0.04


@pytest.mark.requirement("cache.generations")
async def test_any_name_is_a_name(two: Two) -> None:
    """Those of other alphabets, with spaces and line breaks, too."""
    names = ["=gh:acme/wïdgets", "=a b\r\nc", "=" + "x" * 5000, "={gen}", "=日本"]
    before = await on(two[0], *names)
    await two[1].bump(names, hold_s=0)
    after = await on(two[0], *names)
    assert [name for name in names if before.by_name[name] == after.by_name[name]] == []


@pytest.mark.requirement("cache.generations")
async def test_nothing_and_the_same_twice_can_be_asked_for(two: Two) -> None:
    """A bump of nothing changes nothing."""
    before = await on(two[0], NAME, NAME)
    await two[0].bump([], hold_s=10)
    assert (await two[0].read([])) is not None
    assert await on(two[1], NAME) == before
    await two[0].bump([NAME, NAME], hold_s=0)
    assert await on(two[1], NAME, NAME) != before


@pytest.mark.requirement("cache.generations")
async def test_many_names_are_one_question(two: Two) -> None:
    """As a page of search results may have."""
    names = [f"=gh:acme/widgets#{number}" for number in range(1500)]
    await two[0].bump(names[:750], hold_s=30)
    found = (await on(two[1], *names)).by_name
    assert len({one.nonce for one in found.values()}) == 1500
    assert sum(one.held_s > 0 for one in found.values()) == 750


@pytest.mark.requirement("cache.generations")
async def test_it_says_that_it_is_on(two: Two) -> None:
    """For `/status`."""
    await on(two[0])
    assert two[0].state()["on"] is True
