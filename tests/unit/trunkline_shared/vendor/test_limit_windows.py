"""After a rate limit, nothing is sent until its window has passed."""

import pytest

from trunkline_shared.errors import RateLimited
from trunkline_shared.exchange import Request
from trunkline_shared.github.limits import quota_resource
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.vendor.limit_windows import LimitWindows


def limited(resource: str, kind: str, seconds: float) -> RateLimited:
    throttle = {"resource": resource, "kind": kind}
    return RateLimited("no", retry_after=seconds, details={"throttle": throttle})


def test_a_closed_window_refuses_with_what_remains_of_it() -> None:
    """Without asking GitHub, and only until it opens."""
    clock = FakeClock()
    windows = LimitWindows(vendor="GitHub", clock=clock)
    windows.noted("me", limited("search", "primary", 30))
    clock.advance(10.5)
    with pytest.raises(RateLimited) as caught:
        windows.check("me", "search")
    assert caught.value.retry_after == 20
    assert caught.value.details["throttle"] == {"credential": "me", "resource": "search"}
    clock.advance(19.5)
    windows.check("me", "search")


def test_another_resource_and_another_credential_go_on() -> None:
    """A primary limit is one quota of one credential."""
    windows = LimitWindows(vendor="GitHub", clock=FakeClock())
    windows.noted("me", limited("search", "primary", 30))
    windows.check("me", "core")
    windows.check("you", "search")


def test_a_secondary_limit_closes_everything_of_its_credential() -> None:
    """It speaks of the integration's behaviour; continuing can get it banned."""
    windows = LimitWindows(vendor="GitHub", clock=FakeClock())
    windows.noted("me", limited("core", "secondary", 60))
    for resource in ("core", "search", "graphql"):
        with pytest.raises(RateLimited):
            windows.check("me", resource)
    windows.check("you", "core")


def test_the_credential_is_named_in_the_failure() -> None:
    """By its fingerprint, so that the router closes the same window for every server."""
    error = LimitWindows(vendor="GitHub", clock=FakeClock()).noted(
        "me", limited("core", "primary", 60)
    )
    assert error.details["throttle"] == {"resource": "core", "kind": "primary", "credential": "me"}


def untold() -> RateLimited:
    throttle = {"resource": "core", "kind": "secondary", "announced": False}
    return RateLimited("no", retry_after=60, details={"throttle": throttle})


def test_a_secondary_limit_without_a_wait_doubles_when_it_comes_again() -> None:
    """A minute, then two, then four; never more than an hour."""
    clock = FakeClock()
    windows = LimitWindows(vendor="GitHub", clock=clock)
    waits = []
    for _ in range(8):
        error = windows.noted("me", untold())
        assert error.retry_after is not None
        waits.append(error.retry_after)
        clock.advance(error.retry_after)
        windows.check("me", "core")
    assert waits == [60, 120, 240, 480, 960, 1920, 3600, 3600]
    assert "announced" not in str(windows.noted("me", untold()).details)


def test_requests_refused_together_are_one_strike() -> None:
    """Ten in flight do not make an hour of a minute."""
    clock = FakeClock()
    windows = LimitWindows(vendor="GitHub", clock=clock)
    for _ in range(10):
        assert windows.noted("me", untold()).retry_after == 60
        clock.advance(1)


def test_after_a_quiet_while_it_begins_with_a_minute_again() -> None:
    """Old strikes are forgotten, and another credential has its own."""
    clock = FakeClock()
    windows = LimitWindows(vendor="GitHub", clock=clock)
    windows.noted("me", untold())
    assert windows.noted("you", untold()).retry_after == 60
    clock.advance(180)
    assert windows.noted("me", untold()).retry_after == 60


def test_past_windows_are_forgotten() -> None:
    """The memory does not grow with the hours."""
    clock = FakeClock()
    windows = LimitWindows(vendor="GitHub", clock=clock)
    for hour in range(50):
        windows.noted(f"token-{hour}", limited("core", "primary", 60))
        windows.noted(f"token-{hour}", untold())
        clock.advance(3600)
    assert (len(windows.closed), len(windows.strikes)) == (2, 1)


@pytest.mark.parametrize(
    ("path", "resource"),
    [
        ("/repos/o/r/issues/1", "core"),
        ("/search/issues", "search"),
        ("/search/code", "code_search"),
        ("/graphql", "graphql"),
    ],
)
def test_a_request_counts_against_its_quota(path: str, resource: str) -> None:
    """GitHub's own names."""
    assert quota_resource(Request(method="GET", path=path)) == resource
