"""Quantiles are nearly those of all durations, though few numbers are kept."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.telemetry.latencies import Latencies

DURATIONS = st.lists(st.floats(1e-5, 1000.0), min_size=1, max_size=60)


def of(durations: list[float]) -> Latencies:
    """Count durations."""
    latencies = Latencies()
    for one in durations:
        latencies.add(one)
    return latencies


def test_without_a_duration_there_is_no_quantile() -> None:
    """None, rather than 0."""
    assert Latencies().quantiles(0.5, 0.99) == [None, None]


def test_of_one_duration_every_quantile_is_it() -> None:
    """Exactly."""
    assert of([0.123]).quantiles(0.01, 0.5, 0.99) == [0.123] * 3


@given(DURATIONS, st.sampled_from([0.5, 0.95, 0.99]))
def test_a_quantile_is_within_three_percent(durations: list[float], share: float) -> None:
    """Of the duration at that rank."""
    exact = sorted(durations)[math.ceil(share * len(durations)) - 1]
    assert of(durations).quantiles(share) == [pytest.approx(exact, rel=0.03)]


@given(DURATIONS, DURATIONS)
def test_counts_of_several_are_as_if_counted_at_once(one: list[float], other: list[float]) -> None:
    """Quantiles of a filter's many cells are no means of means."""
    together = Latencies.of([of(one), of(other)])
    assert together.quantiles(0.5, 0.95, 0.99) == of(one + other).quantiles(0.5, 0.95, 0.99)


@pytest.mark.parametrize("odd", [0.0, -5.0, 1e12])
def test_odd_durations_do_no_harm(odd: float) -> None:
    """A clock that was set back, or forward by years."""
    assert of([odd]).quantiles(0.5)[0] is not None
