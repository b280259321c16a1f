"""Pauses between starts."""

from trunkline_cli.backoff import HEALTHY_S, Backoff
from trunkline_shared.testing.fake_clock import FakeClock


def test_pauses_double_up_to_ten_seconds() -> None:
    """Failures in a row wait 1, 2, 4, 8, 10, 10 seconds."""
    backoff = Backoff(clock=FakeClock())
    pauses = []
    for _ in range(6):
        backoff.begin()
        pauses.append(backoff.pause())
    assert pauses == [1, 2, 4, 8, 10, 10]


def test_a_minute_of_service_is_forgiveness() -> None:
    """A failure after HEALTHY_S counts as a first one."""
    clock = FakeClock()
    backoff = Backoff(clock=clock)
    for _ in range(4):
        backoff.begin()
        backoff.pause()
    backoff.begin()
    clock.advance(HEALTHY_S)
    assert backoff.pause() == 1
