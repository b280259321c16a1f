"""A call's deadline bounds everything that it waits for."""

import pytest

from trunkline_shared.deadline import deadline_in, remaining
from trunkline_shared.errors import UpstreamTimeout


def test_without_a_deadline_a_step_has_its_own_limit() -> None:
    """Outside a call nothing is shortened."""
    assert remaining(7) == 7


def test_a_step_gets_no_more_than_the_call_has_left() -> None:
    """The smaller of the two counts."""
    with deadline_in(3):
        assert remaining(7) == pytest.approx(3, abs=0.5)
        assert remaining(1) == 1


def test_an_inner_deadline_never_reaches_beyond_the_outer() -> None:
    """Nesting narrows."""
    with deadline_in(3), deadline_in(60):
        assert remaining(60) <= 3


def test_a_passed_deadline_stops_the_next_step() -> None:
    """No work is begun for an answer that nobody awaits."""
    with deadline_in(0), pytest.raises(UpstreamTimeout):
        remaining(1)
    assert remaining(7) == 7
