"""Generations in one process, when more names are asked for than are remembered."""

import pytest

from trunkline_shared.store.generation_port import Generation
from trunkline_shared.store.memory_generations import MemoryGenerations
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

NAME = "=gh:acme/widgets#12"


@pytest.mark.requirement("cache.generations")
async def test_a_hold_outlasts_the_memory_of_its_name() -> None:
    """Whoever asks for many other names does not end it; and it ends in its time."""
    clock = FakeClock()
    generations = MemoryGenerations(clock=clock)
    await generations.bump([NAME], hold_s=60)
    before = (await _seen(generations)).nonce
    clock.advance(20)
    await generations.read([f"=other:{number}" for number in range(100_001)])
    after = await _seen(generations)
    assert after.nonce != before
    assert (after.bumped_s, after.held_s) == (20, 40)
    clock.advance(50)
    assert (await _seen(generations)).held_s == 0


async def _seen(generations: MemoryGenerations) -> Generation:
    found = await generations.read([NAME])
    assert found is not None
    return found.by_name[NAME]
