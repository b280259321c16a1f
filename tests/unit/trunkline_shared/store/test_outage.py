"""What is told of a store that is away: once, not often, and without secrets."""

import logging

import pytest

from trunkline_shared.store.outage import PAUSE_S, Outage
from trunkline_shared.testing.fake_clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def outage(clock: FakeClock, caplog: pytest.LogCaptureFixture) -> Outage:
    caplog.set_level(logging.INFO, logger="trunkline_shared")
    return Outage(where="redis://redis", clock=clock)


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [seen.levelname for seen in caplog.records]


def test_a_store_that_failed_is_left_alone_for_a_while(outage: Outage, clock: FakeClock) -> None:
    """So that one that hangs does not cost every write its second."""
    assert outage.worth_asking()
    outage.failed(OSError("no"))
    assert not outage.worth_asking()
    clock.advance(PAUSE_S)
    assert outage.worth_asking()


def test_a_store_that_has_answered_is_asked_again(outage: Outage) -> None:
    """Whoever had to ask it all the same has found out for everybody."""
    outage.failed(OSError("no"))
    outage.passed()
    assert outage.worth_asking()


def test_an_outage_is_told_once_and_so_is_its_end(
    outage: Outage, caplog: pytest.LogCaptureFixture
) -> None:
    """However many writes notice."""
    for _ in range(3):
        outage.failed(OSError("no"))
    for _ in range(3):
        outage.passed()
    assert told(caplog) == ["WARNING", "INFO"]


def test_a_store_that_comes_and_goes_is_told_of_once_a_minute(
    outage: Outage, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    """The log is for people."""
    for _ in range(24):
        outage.failed(OSError("no"))
        clock.advance(PAUSE_S)
        outage.passed()
    assert told(caplog) == ["WARNING", "INFO"] * 2


def test_a_failure_without_words_is_told_by_its_kind(
    outage: Outage, caplog: pytest.LogCaptureFixture
) -> None:
    """A timeout has nothing else to say."""
    outage.failed(TimeoutError())
    assert "(TimeoutError)" in caplog.text


def test_a_failure_is_told_without_what_looks_like_a_secret(
    outage: Outage, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever the other side says."""
    outage.failed(OSError("bearer abcdefghijklmnop"))
    assert "abcdefgh" not in caplog.text
