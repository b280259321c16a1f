"""Readings of several workers, written, read and put together."""

from pathlib import Path

import pytest

from trunkline_router.gathering.ledger import Ledger
from trunkline_router.gathering.readings import together
from trunkline_router.gathering.written_readings import counted, read, written
from trunkline_router.measures import router as instruments
from trunkline_router.measures.instrument import (
    Distribution,
    Instrument,
    Kind,
    Number,
    Reading,
)

TIMED = Instrument(
    name="timed", kind=Kind.HISTOGRAM, description="", labels=("tool",), bounds=(1.0,)
)
BIG = 2**127 + 1


def reading(calls: float, counts: tuple[int, int] = (1, 0), at: float = 1.0) -> list[Reading]:
    exemplars = ((0.5, at, BIG, 7), None)
    return [
        Reading(instruments.CALLS, [Number(("a",), calls)]),
        Reading(TIMED, [Distribution(("act",), counts, 0.5, exemplars)]),
        Reading(instruments.IN_FLIGHT, [Number(("a",), 2)]),
        Reading(instruments.AVAILABLE, [Number(("a",), calls % 2)]),
    ]


@pytest.mark.requirement("workers.metrics")
def test_what_is_written_is_what_is_read() -> None:
    """Ids of traces have more bits than numbers of JSON."""
    known = {one.instrument.name: one.instrument for one in reading(3)}
    assert read(written(reading(3)), known) == reading(3)
    assert read(written(reading(3)), {}) == []
    with pytest.raises(ValueError, match="no point"):
        read(b'{"timed": [[1]]}', known)


@pytest.mark.requirement("workers.metrics")
def test_counts_are_added_and_states_are_the_worse() -> None:
    """The newest exemplar of each bucket stands."""
    calls, timed, in_flight, available = together([reading(3, at=1), reading(4, (0, 2), at=9)])
    assert calls.points == [Number(("a",), 7)]
    assert timed.points == [Distribution(("act",), (1, 2), 1.0, ((0.5, 9, BIG, 7), None))]
    assert in_flight.points == [Number(("a",), 4)]
    assert available.points == [Number(("a",), 0)]


@pytest.mark.requirement("workers.metrics")
def test_a_breakers_state_is_one_and_the_worst() -> None:
    """Two workers may see it differently for a moment."""

    def state(now: str) -> list[Reading]:
        states = ("open", "half-open", "closed")
        points = [Number(("a", one), float(one == now)) for one in states]
        return [Reading(instruments.BREAKER_STATE, points)]

    (told,) = together([state("closed"), state("open"), state("half-open")])
    assert told.points == state("open")[0].points


@pytest.mark.requirement("workers.metrics")
def test_the_next_in_a_place_goes_on_from_what_was_shown(tmp_path: Path) -> None:
    """Nothing that was shown is taken back; what is no total dies with its process."""
    first = Ledger(tmp_path, 0)
    first.shown(reading(3))
    first.shown(reading(5))
    other = Ledger(tmp_path, 1)
    assert other.of_silent(0, reading(0)) == counted(reading(5))
    calls, timed, in_flight, _ = Ledger(tmp_path, 0).shown(reading(1))
    assert calls.points == [Number(("a",), 6)]
    assert timed.points[0][1] == (2, 0)
    assert in_flight.points == [Number(("a",), 2)]
