"""After a rate limit, nothing is sent until its window has passed."""

import pytest

from trunkline_shared.errors import RateLimited
from trunkline_shared.exchange import Request
from trunkline_shared.github.limit_windows import LimitWindows, quota_resource
from trunkline_shared.testing.fake_clock import FakeClock


def limited(resource: str, kind: str, seconds: float) -> RateLimited:
    throttle = {"resource": resource, "kind": kind}
    return RateLimited("no", retry_after=seconds, details={"throttle": throttle})


def test_a_closed_window_refuses_with_what_remains_of_it() -> None:
    """Without asking GitHub, and only until it opens."""
    clock = FakeClock()
    windows = LimitWindows(clock=clock)
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
    windows = LimitWindows(clock=FakeClock())
    windows.noted("me", limited("search", "primary", 30))
    windows.check("me", "core")
    windows.check("you", "search")


def test_a_secondary_limit_closes_everything_of_its_credential() -> None:
    """It speaks of the integration's behaviour; continuing can get it banned."""
    windows = LimitWindows(clock=FakeClock())
    windows.noted("me", limited("core", "secondary", 60))
    for resource in ("core", "search", "graphql"):
        with pytest.raises(RateLimited):
            windows.check("me", resource)
    windows.check("you", "core")


def test_the_credential_is_named_in_the_failure() -> None:
    """By its fingerprint, so that the router closes the same window for every server."""
    error = LimitWindows(clock=FakeClock()).noted("me", limited("core", "primary", 60))
    assert error.details["throttle"] == {"resource": "core", "kind": "primary", "credential": "me"}


def test_past_windows_are_forgotten() -> None:
    """The memory does not grow with the hours."""
    clock = FakeClock()
    windows = LimitWindows(clock=clock)
    for hour in range(50):
        windows.noted(f"token-{hour}", limited("core", "primary", 60))
        clock.advance(3600)
    assert len(windows.closed) == 1


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
