"""Rate limits: which answers are one, and how long to wait."""

from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.trunkline_shared.github.answers import NOW, answer
from trunkline_shared.errors import RateLimited
from trunkline_shared.github.failures import failure
from trunkline_shared.github.limits import left_of, retry_after
from trunkline_shared.quota import Left
from trunkline_shared.vendor.retry_after import announced_wait

SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes."


def limited(status: int, message: str = "x", **headers: object) -> RateLimited:
    error = failure(answer(status, {"message": message}, **headers))
    assert isinstance(error, RateLimited)
    return error


@pytest.mark.requirement("github.limits")
@pytest.mark.parametrize("status", [403, 429])
def test_an_exhausted_quota_is_waited_for_until_its_reset(status: int) -> None:
    """Both statuses are used for the primary limit."""
    error = limited(status, x_ratelimit_remaining=0, x_ratelimit_reset=int(NOW) + 90)
    assert error.retry_after == 90
    assert error.details["reason"] == "primary_rate_limit"


def test_the_quota_is_named() -> None:
    """The router closes exactly that window."""
    error = limited(429, x_ratelimit_remaining=0, x_ratelimit_resource="search")
    assert error.details["throttle"] == {
        "resource": "search",
        "kind": "primary",
        "announced": True,
    }


@pytest.mark.requirement("github.limits")
@pytest.mark.parametrize("status", [403, 429])
def test_a_secondary_limit_is_known_by_its_words(status: int) -> None:
    """Without any wait announced it is at least a minute; the reset belongs to another quota."""
    error = limited(
        status, SECONDARY, x_ratelimit_remaining=4000, x_ratelimit_reset=int(NOW) + 3000
    )
    assert error.retry_after == 60
    assert error.details["reason"] == "secondary_rate_limit"


def test_abuse_detection_is_the_old_name_of_it() -> None:
    """Enterprise Server still says so."""
    assert limited(403, "You have triggered an abuse detection mechanism").retry_after == 60


def test_a_403_with_an_announced_wait_is_a_limit() -> None:
    """Nothing else announces one."""
    assert limited(403, retry_after=30).retry_after == 30


def test_a_plain_403_is_none() -> None:
    """Remaining quota and no wait: a permission."""
    assert failure(answer(403, {}, x_ratelimit_remaining=4999)).code == "PERMISSION_DENIED"


def test_the_announced_wait_stands_over_the_reset() -> None:
    """The header first."""
    error = limited(403, retry_after=30, x_ratelimit_remaining=0, x_ratelimit_reset=int(NOW) + 3000)
    assert error.retry_after == 30


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("30", 30),
        ("0", 1),
        ("-5", 1),
        ("1.2", 2),
        (" 7 ", 7),
        ("86400", 3600),
        ("inf", 60),
        ("nan", 60),
        (formatdate(NOW + 42, usegmt=True), 42),
        (formatdate(NOW - 42, usegmt=True), 1),
        ("", None),
        ("soon", None),
    ],
)
def test_an_announced_wait_is_seconds_or_a_date(header: str, seconds: int | None) -> None:
    """Rounded up, between one second and an hour."""
    assert announced_wait(answer(429, retry_after=header)) == seconds


@pytest.mark.parametrize("reset", ["", "x", "-1", "٣"])
def test_an_unusable_reset_is_a_minute(reset: str) -> None:
    """The cautious default."""
    assert retry_after(answer(403, x_ratelimit_remaining=0, x_ratelimit_reset=reset)) == 60


def test_a_past_reset_is_one_second() -> None:
    """Our clocks may differ a little."""
    assert retry_after(answer(403, x_ratelimit_remaining=0, x_ratelimit_reset=1)) == 1


@given(st.text() | st.integers().map(str) | st.floats().map(str), st.text(max_size=12))
def test_every_wait_is_whole_and_bounded(header: str, reset: str) -> None:
    """Whatever the headers say."""
    wait = retry_after(
        answer(403, retry_after=header, x_ratelimit_remaining=0, x_ratelimit_reset=reset)
    )
    assert isinstance(wait, int)
    assert 1 <= wait <= 3600


def test_what_is_left_is_told_by_the_headers() -> None:
    """Of the quota that the request counted against, until it is renewed."""
    told = answer(
        200,
        [],
        x_ratelimit_limit=30,
        x_ratelimit_remaining=29,
        x_ratelimit_reset=int(NOW) + 40,
        x_ratelimit_resource="search",
    )
    assert left_of(told) == {"search": Left(limit=30, remaining=29, resets_in_s=40)}


@pytest.mark.parametrize("reset", ["", "soon", "9" * 5000, "\u0661"])
def test_a_reset_that_is_no_moment_tells_nothing(reset: str) -> None:
    """A proxy may have cut the headers, or made them up."""
    told = answer(200, [], x_ratelimit_limit=1, x_ratelimit_remaining=1, x_ratelimit_reset=reset)
    assert left_of(told) == {}
