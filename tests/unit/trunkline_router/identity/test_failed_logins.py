"""Who guesses keys has to wait, and nobody else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.identity.failed_logins import MOST, WINDOW_S, FailedLogins
from trunkline_shared.testing.fake_clock import FakeClock


def failing(failed: FailedLogins, peer: str, times: int) -> None:
    """Let logins from an address fail."""
    for _ in range(times):
        failed.note(peer)


@pytest.mark.requirement("seeing.login-limit")
def test_ten_failures_a_minute_and_then_a_wait_that_is_told() -> None:
    """The wait is over when the first of the ten is a minute old."""
    clock = FakeClock()
    failed = FailedLogins(clock)
    failing(failed, "10.0.0.1", 1)
    clock.advance(20)
    failing(failed, "10.0.0.1", MOST - 2)
    assert failed.wait_s("10.0.0.1") == 0
    failing(failed, "10.0.0.1", 1)
    assert failed.wait_s("10.0.0.1") == 40
    clock.advance(39.5)
    assert failed.wait_s("10.0.0.1") == 1
    clock.advance(0.5)
    assert failed.wait_s("10.0.0.1") == 0


@pytest.mark.requirement("seeing.login-limit")
@pytest.mark.parametrize("other", ["10.0.0.2", "::1", "2001:db8:1::1", "", "no address"])
def test_others_do_not_wait(other: str) -> None:
    """Each address is counted by itself."""
    failed = FailedLogins(FakeClock())
    failing(failed, "10.0.0.1", MOST)
    failing(failed, "2001:db8::1", MOST)
    assert failed.wait_s(other) == 0


def test_all_addresses_of_one_house_are_one() -> None:
    """A network of IPv6 has more addresses than anybody can count."""
    failed = FailedLogins(FakeClock())
    for number in range(MOST):
        failed.note(f"2001:db8::{number:x}")
    assert failed.wait_s("2001:db8::ffff%eth0") > 0


@pytest.mark.requirement("seeing.login-limit")
def test_addresses_of_the_older_version_are_told_apart_at_a_socket_for_both() -> None:
    """Such a socket shows them in IPv6, all in one network."""
    failed = FailedLogins(FakeClock())
    failing(failed, "::ffff:10.0.0.1", MOST)
    assert failed.wait_s("::ffff:10.0.0.2") == 0
    assert failed.wait_s("::ffff:10.0.0.1") == failed.wait_s("10.0.0.1") > 0


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 30)), max_size=60))
def test_no_address_ever_fails_more_than_ten_times_a_minute(tries: list[tuple[str, float]]) -> None:
    """Whatever the rhythm, among those who wait as they are told."""
    clock = FakeClock(0)
    failed = FailedLogins(clock)
    seen: dict[str, list[float]] = {}
    for peer, pause in tries:
        clock.advance(pause)
        if failed.wait_s(peer) == 0:
            failed.note(peer)
            seen.setdefault(peer, []).append(clock.now())
    for times in seen.values():
        assert all(
            late - early >= WINDOW_S for early, late in zip(times, times[MOST:], strict=False)
        )


def test_a_crowd_of_addresses_takes_bounded_memory() -> None:
    """The one that failed longest ago is forgotten first."""
    failed = FailedLogins(FakeClock())
    failing(failed, "10.0.0.1", MOST)
    for number in range(5000):
        failed.note(f"10.1.{number // 256}.{number % 256}")
    assert failed.wait_s("10.0.0.1") == 0
