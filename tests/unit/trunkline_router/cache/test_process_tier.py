"""Answers in the process: bounded in bytes, and gone when their time is over."""

from dataclasses import dataclass

from tests.unit.trunkline_router.cache.samples import stored
from trunkline_router.cache.process_tier import ProcessTier
from trunkline_router.model import Json
from trunkline_shared.testing.fake_clock import FakeClock

ANSWER: Json = {"content": ["text"], "structuredContent": {"text": "x" * 10_000}}


@dataclass
class Room:
    bytes: int = 50_000


def test_an_answer_comes_with_its_age() -> None:
    """Counted from when it was fetched, wherever it was kept before."""
    clock = FakeClock()
    tier = ProcessTier(clock=clock, most=lambda: 50_000)
    tier.put("a", stored(ANSWER, age_s=2))
    clock.advance(3)
    kept = tier.get("a")
    assert kept is not None
    assert kept.age_s == 5
    clock.advance(10)
    assert tier.get("a") is None
    assert (len(tier), tier.used) == (0, 0)


def test_what_was_used_longest_ago_goes_first() -> None:
    """As many go as have to, and a use counts."""
    room = Room()
    tier = ProcessTier(clock=FakeClock(), most=lambda: room.bytes)
    for key in "abcd":
        tier.put(key, stored(ANSWER))
    tier.get("a")
    tier.put("e", stored(ANSWER))
    assert [key for key in "abcde" if tier.get(key)] == ["a", "c", "d", "e"]
    assert tier.used <= room.bytes
    room.bytes = 25_000
    tier.put("f", stored({"content": []}))
    assert tier.used <= room.bytes


def test_one_answer_never_drives_out_all_others() -> None:
    """What is larger than a quarter of the room is not kept."""
    tier = ProcessTier(clock=FakeClock(), most=lambda: 20_000)
    tier.put("small", stored({"content": []}))
    tier.put("large", stored(ANSWER))
    assert tier.get("large") is None
    assert tier.get("small") is not None


def test_no_room_keeps_nothing() -> None:
    """A bound of nothing is a way to switch it off."""
    tier = ProcessTier(clock=FakeClock(), most=lambda: 0)
    tier.put("a", stored({"content": []}))
    assert tier.get("a") is None


def test_an_answer_in_the_place_of_another_is_counted_once() -> None:
    """Or the room would shrink with each time that it is fetched anew."""
    tier = ProcessTier(clock=FakeClock(), most=lambda: 50_000)
    tier.put("a", stored(ANSWER))
    used = tier.used
    tier.put("a", stored(ANSWER))
    assert tier.used == used
