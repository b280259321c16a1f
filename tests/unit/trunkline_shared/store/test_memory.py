"""What one process remembers of its turns, and for how long."""

import pytest

from trunkline_shared.store.memory import MemoryTurns
from trunkline_shared.store.port import Rhythm, Turn, Wish
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

RHYTHM = Rhythm(interval_s=1, limits=((2, 10.0),))


async def take(turns: MemoryTurns, key: str = "k") -> Turn:
    answer = await turns.reserve(Wish(key=key, rhythm=RHYTHM, latest_s=60))
    assert isinstance(answer, Turn)
    return answer


async def test_a_turn_is_remembered_as_long_as_it_matters() -> None:
    """And its key no longer either."""
    clock = FakeClock()
    turns = MemoryTurns(clock=clock)
    first = await take(turns)
    clock.advance(9)
    assert turns.ages("k") == {first.id: 9}
    clock.advance(1)
    assert turns.ages("k") == {}
    await take(turns, "another")
    assert list(turns.keys) == ["another"]


async def test_a_turn_ahead_has_an_age_below_zero() -> None:
    """It is known before it begins."""
    turns = MemoryTurns(clock=FakeClock())
    first, second = await take(turns), await take(turns)
    assert turns.ages("k") == {first.id: 0, second.id: -1}
    turns.give_back(second)
    assert turns.ages("k") == {first.id: 0}
