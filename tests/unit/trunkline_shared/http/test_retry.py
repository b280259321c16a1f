"""What is sent again, after how long, and what a cut write says."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.standing_clock import StandingClock
from trunkline_shared.deadline import deadline_in
from trunkline_shared.errors import (
    InvalidInput,
    NetworkError,
    NotFound,
    RateLimited,
    TrunklineError,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.exchange import Endpoint, Request, Response
from trunkline_shared.http.retry import ATTEMPTS, LONGEST_S, SHORTEST_S, THROTTLED, Retry
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.vendor.limit_windows import LimitWindows

pytestmark = pytest.mark.anyio

CONNECT = NetworkError("refused", details={"phase": "connect"})
RESET = NetworkError("cut", details={"phase": "exchange"})
SLOW = UpstreamTimeout("slow", details={"phase": "exchange"})
HELD = RateLimited("paced", retry_after=1, details={"phase": "held"})
LIMITED = RateLimited("limited", retry_after=7, details={"http_status": 429})
MALFORMED = UpstreamUnavailable("odd", retryable=False, details={"http_status": 200})


def down(status: int = 502, retry_after: float | None = None) -> UpstreamUnavailable:
    return UpstreamUnavailable("down", retry_after=retry_after, details={"http_status": status})


def endpoint(method: str = "GET", *, repeatable: bool | None = None) -> Endpoint[str]:
    def read(_: Response) -> str:
        return "done"

    again = method != "POST" if repeatable is None else repeatable
    return Endpoint(request=Request(method=method, path="/x"), read=read, repeatable=again)


def failing(*errors: TrunklineError) -> Callable[[int], Awaitable[str]]:
    """Fail with each error in turn, then succeed with the number of attempts."""
    left = list(errors)

    async def attempt(earlier: int) -> str:
        if left:
            raise left.pop(0)
        return f"attempt {earlier + 1}"

    return attempt


async def final(asked: Endpoint[str], *errors: TrunklineError) -> TrunklineError:
    with pytest.raises(TrunklineError) as caught:
        await Retry(clock=FakeClock()).run(asked, failing(*errors))
    return caught.value


@pytest.mark.parametrize("method", ["GET", "PATCH", "PUT", "DELETE"])
@pytest.mark.parametrize("error", [down(500), down(503), RESET, CONNECT, SLOW])
async def test_what_does_no_harm_twice_is_sent_again(method: str, error: TrunklineError) -> None:
    """Server failures, cut connections and timeouts: up to three attempts."""
    retry = Retry(clock=FakeClock())
    assert await retry.run(endpoint(method), failing(error, error)) == "attempt 3"


async def test_after_three_attempts_the_last_failure_stands() -> None:
    """The caller reads what happened last."""
    assert await final(endpoint(), RESET, SLOW, last := down()) is last


@pytest.mark.parametrize("error", [RESET, SLOW, down(), down(504)])
async def test_a_post_that_may_have_arrived_is_never_sent_again(error: TrunklineError) -> None:
    """The failure says that it may have happened, and is not retryable."""
    clock = FakeClock()
    with pytest.raises(TrunklineError) as caught:
        await Retry(clock=clock).run(endpoint("POST"), failing(error))
    assert clock.slept == []
    assert caught.value.details["may_have_happened"] is True
    assert not caught.value.retryable


@pytest.mark.parametrize("error", [RESET, SLOW])
async def test_a_cut_or_late_write_is_a_timeout(error: TrunklineError) -> None:
    """Whichever way the answer was lost, the outcome is unknown: TIMEOUT."""
    assert (await final(endpoint("POST"), error)).code == "TIMEOUT"


async def test_a_post_that_was_never_written_is_sent_again() -> None:
    """A refused connection harms nobody."""
    assert await Retry(clock=FakeClock()).run(endpoint("POST"), failing(CONNECT)) == "attempt 2"


async def test_a_post_that_was_refused_for_its_rate_is_sent_again() -> None:
    """A limit is a promise that nothing happened."""
    clock = FakeClock()
    assert await Retry(clock=clock).run(endpoint("POST"), failing(LIMITED)) == "attempt 2"
    assert clock.slept == [7]


async def test_an_idempotent_write_that_may_have_happened_says_so_and_stays_retryable() -> None:
    """Also when the last attempt did not even connect."""
    error = await final(endpoint("PATCH"), RESET, CONNECT, CONNECT)
    assert error.details["may_have_happened"] is True
    assert error.retryable


async def test_a_read_never_may_have_happened() -> None:
    """There is nothing to happen."""
    assert "may_have_happened" not in (await final(endpoint(), RESET, RESET, RESET)).details


async def test_a_clear_answer_after_a_lost_one_stands() -> None:
    """A 404 to the second attempt is what the caller reads."""
    assert isinstance(await final(endpoint("PATCH"), RESET, NotFound("gone")), NotFound)


@pytest.mark.parametrize("error", [InvalidInput("no"), MALFORMED, HELD])
async def test_what_cannot_succeed_now_is_not_repeated(error: TrunklineError) -> None:
    """The caller's mistakes, malformed answers, and what our own limits hold back."""
    clock = FakeClock()
    with pytest.raises(type(error)):
        await Retry(clock=clock).run(endpoint(), failing(error))
    assert clock.slept == []


async def test_the_vendors_wait_is_kept_when_it_fits() -> None:
    """A Retry-After on a 503 replaces our own pause."""
    clock = FakeClock()
    await Retry(clock=clock).run(endpoint(), failing(down(503, retry_after=3)))
    assert clock.slept == [3]


async def test_a_wait_beyond_the_deadline_is_the_callers_to_wait() -> None:
    """RATE_LIMITED goes out at once, with the whole wait."""
    clock = FakeClock()
    with deadline_in(5), pytest.raises(RateLimited) as caught:
        await Retry(clock=clock).run(endpoint(), failing(LIMITED))
    assert (caught.value.retry_after, clock.slept) == (7, [])


async def test_a_long_wait_is_the_callers_also_without_a_deadline() -> None:
    """Nobody waits an hour inside a call."""
    hour = RateLimited("limited", retry_after=3600)
    assert await final(endpoint(), hour) is hour


async def test_a_passed_deadline_ends_the_attempts() -> None:
    """The vendor's failure is told, not the clock's."""
    with deadline_in(0):
        assert await final(endpoint(), last := down()) is last


@given(st.floats(0, 1), st.floats(0, 1))
async def test_pauses_are_jittered_within_their_bounds(first: float, second: float) -> None:
    """Between half a second and eight, the second range wider than the first."""
    draws = iter((first, second))
    clock = FakeClock()
    retry = Retry(clock=clock, uniform=lambda low, high: low + next(draws) * (high - low))
    await retry.run(endpoint(), failing(down(), down()))
    assert len(clock.slept) == ATTEMPTS - 1
    assert all(SHORTEST_S <= pause <= LONGEST_S for pause in clock.slept)
    assert clock.slept[0] <= 2


async def test_those_behind_the_one_that_was_refused_wait_as_long_as_it() -> None:
    """Of reads at once the limit met the first: none fails for a wait that all have time for."""
    clock = StandingClock()
    windows = LimitWindows(vendor="the vendor", clock=clock)
    refusals = [RateLimited("slow down", retry_after=2, details={"http_status": 429})]

    async def attempt(earlier: int) -> int:
        windows.check("me", "requests")
        if refusals:
            raise windows.noted("me", refusals.pop())
        return earlier

    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        reads = [tasks.create_task(Retry(clock=clock).run(endpoint(), attempt)) for _ in range(3)]
        await clock.pass_by(2, sleepers=3)
    assert [read.result() for read in reads] == [1, 1, 1]
    assert clock.slept == [2, 2, 2]


async def test_a_closed_window_is_not_waited_out_beyond_the_deadline() -> None:
    """Who has no time for it is told at once."""
    closed = RateLimited("closed", retry_after=7, details={"phase": "held", "reason": THROTTLED})
    clock = FakeClock()
    with deadline_in(5), pytest.raises(RateLimited):
        await Retry(clock=clock).run(endpoint(), failing(closed))
    assert not clock.slept
