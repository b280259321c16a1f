"""Footings that are remembered: until anything is changed, forgotten or found to be otherwise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.trunkline_router.cache.samples import question
from trunkline_router.cache.footing import Footing, names_for
from trunkline_router.cache.known_footings import KnownFootings
from trunkline_router.cache.tags import names_to_bump
from trunkline_shared.store.memory_generations import MemoryGenerations
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

ASKED = question()
TAGS = st.sampled_from(["gh", "gh:a/b", "gh:a/b#1", "gh:a/b#1:comments", "gh:c/d", "jira:x"])


async def learnt(generations: MemoryGenerations, known: KnownFootings) -> Footing:
    """Return a footing of the question as it is now, which is remembered."""
    names, wanted = names_for(ASKED, ASKED.exact)
    reading = await generations.read(wanted)
    assert reading is not None
    footing = Footing(question=ASKED, tags=ASKED.exact, names=names, reading=reading)
    known.learn(footing, footing.key)
    return footing


@pytest.mark.requirement("cache.same-answer")
@given(st.lists(TAGS, max_size=3))
async def test_what_is_remembered_is_what_would_be_read(bumped: list[str]) -> None:
    """After any bump the question has to be looked at anew, and has the key that is read then."""
    generations = MemoryGenerations(clock=FakeClock())
    known = KnownFootings(generations=generations)
    before = await learnt(generations, known)
    found = known.of(ASKED)
    assert found == (before, before.key)
    for tag in bumped:
        await generations.bump(names_to_bump([tag]), hold_s=10)
        assert known.of(ASKED) is None
    after = await learnt(generations, known)
    assert known.of(ASKED) == (after, after.key)


async def test_what_turns_out_to_depend_on_something_else_is_forgotten() -> None:
    """Its next answer stands on the tags that are known then."""
    generations = MemoryGenerations(clock=FakeClock())
    known = KnownFootings(generations=generations)
    await learnt(generations, known)
    known.forget(ASKED)
    assert known.of(ASKED) is None


async def test_nothing_is_remembered_of_generations_that_others_change() -> None:
    """What several routers share may have changed since it was read."""
    known = KnownFootings(generations=None)
    await learnt(MemoryGenerations(clock=FakeClock()), known)
    assert known.of(ASKED) is None


async def test_a_name_that_is_forgotten_has_changed() -> None:
    """It has another nonce when it is read again."""
    generations = MemoryGenerations(clock=FakeClock())
    known = KnownFootings(generations=generations)
    await learnt(generations, known)
    await generations.read([str(number) for number in range(100_001)])
    assert known.of(ASKED) is None
