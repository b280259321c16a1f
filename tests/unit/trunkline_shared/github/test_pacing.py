"""Writes of one credential: one at a time, apart, within the content limits."""

import asyncio
from typing import Any

import anyio
import pytest

from trunkline_shared.deadline import deadline_in
from trunkline_shared.errors import Overloaded, RateLimited, TrunklineError, UpstreamTimeout
from trunkline_shared.github.pacing import WritePace
from trunkline_shared.store.port import Rhythm, Wish
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

ME = "a1b2"


def paced(clock: FakeClock, **given: Any) -> WritePace:
    return WritePace(store=in_process_store(clock), clock=clock, **given)


async def write(pace: WritePace, times: int = 1) -> None:
    for _ in range(times):
        async with pace.turn(ME):
            pass


async def test_the_first_write_waits_for_nothing() -> None:
    """Pacing costs only those who hurry."""
    clock = FakeClock()
    await write(paced(clock))
    assert clock.slept == []


async def test_writes_keep_a_second_between_the_end_of_one_and_the_next() -> None:
    """However long a write takes."""
    clock = FakeClock()
    pace = paced(clock)
    async with pace.turn(ME):
        clock.advance(5)
    clock.advance(0.25)
    await write(pace)
    assert clock.slept == [0.75]


async def test_a_later_write_waits_for_nothing() -> None:
    """The second has passed by itself."""
    clock = FakeClock()
    pace = paced(clock)
    await write(pace)
    clock.advance(1)
    await write(pace)
    assert clock.slept == []


async def test_only_one_write_is_in_flight() -> None:
    """Others stand in line and keep their order."""
    pace = paced(FakeClock())
    order: list[str] = []

    async def named(name: str) -> None:
        async with pace.turn(ME):
            order.append(f"{name} begins")
            await asyncio.sleep(0)
            order.append(f"{name} ends")

    with anyio.fail_after(5):
        async with asyncio.TaskGroup() as tasks:
            for name in "abc":
                tasks.create_task(named(name))
    assert order == [f"{name} {what}" for name in "abc" for what in ("begins", "ends")]


async def test_a_failed_write_gives_its_turn_back() -> None:
    """The next one is not stuck."""
    pace = paced(FakeClock())
    with pytest.raises(ZeroDivisionError):
        async with pace.turn(ME):
            _ = 1 / 0
    with anyio.fail_after(5):
        await write(pace)


async def test_the_content_limit_of_a_minute_is_kept() -> None:
    """The write beyond it waits until the first is a minute old."""
    clock = FakeClock()
    pace = paced(clock, interval_s=0.001, limits=((3, 10.0),))
    await write(pace, 3)
    began = clock.now()
    await write(pace)
    assert clock.now() - began == pytest.approx(10, abs=0.01)


async def test_writes_of_long_ago_do_not_count() -> None:
    """The memory holds no more than the longest window."""
    clock = FakeClock()
    pace = paced(clock, limits=((1, 10.0),))
    await write(pace)
    clock.advance(11)
    await write(pace)
    assert clock.slept == []


async def test_a_content_limit_beyond_the_deadline_is_refused_at_once() -> None:
    """RATE_LIMITED with the wait, nothing sent, nothing slept."""
    clock = FakeClock()
    pace = paced(clock, limits=((1, 3600.0),))
    await write(pace)
    with pytest.raises(RateLimited) as caught:
        await write(pace)
    assert caught.value.retry_after == 3600
    assert caught.value.details == {"reason": "write_pace", "phase": "held"}
    assert clock.slept == []


async def test_a_pause_beyond_the_deadline_is_refused_at_once() -> None:
    """OVERLOADED."""
    pace = paced(FakeClock(), interval_s=5)
    await write(pace)
    with deadline_in(2), pytest.raises(Overloaded) as caught:
        await write(pace)
    assert caught.value.retry_after == 5


async def test_a_write_behind_a_long_line_is_refused_at_once() -> None:
    """Those before it would use up its deadline."""
    pace = paced(FakeClock(), interval_s=1)
    release = asyncio.Event()

    async def hold() -> None:
        async with pace.turn(ME):
            await release.wait()

    with anyio.fail_after(5):
        async with asyncio.TaskGroup() as tasks:
            for _ in range(4):
                tasks.create_task(hold())
            await anyio.wait_all_tasks_blocked()
            with deadline_in(2), pytest.raises(Overloaded, match="3 writes"):
                await write(pace)
            release.set()


async def test_a_write_whose_turn_does_not_come_in_time_is_refused() -> None:
    """The one before it hangs."""
    pace = paced(FakeClock(), interval_s=1)
    async with pace.turn(ME):
        with deadline_in(0.05), pytest.raises(Overloaded):
            await write(pace)
    with anyio.fail_after(5):
        await write(pace)


async def test_a_caller_that_leaves_the_line_leaves_no_trace() -> None:
    """A cancelled wait neither holds a turn nor counts as waiting."""
    pace = paced(FakeClock(), interval_s=1)
    async with pace.turn(ME):
        with anyio.move_on_after(0.02):
            await write(pace)
    with anyio.fail_after(5), deadline_in(2):
        await write(pace)


async def test_pacing_can_be_switched_off() -> None:
    """For stand-ins that count nothing."""
    clock = FakeClock()
    await write(paced(clock, interval_s=0, limits=((1, 3600.0),)), 5)
    assert clock.slept == []


async def test_paces_over_one_store_are_one_pace() -> None:
    """Two servers of a process, one credential."""
    clock = FakeClock()
    store = in_process_store(clock)
    one, other = (WritePace(store=store, clock=clock) for _ in range(2))
    async with one.turn(ME):
        with deadline_in(0.05), pytest.raises(Overloaded):
            await write(other)
        clock.advance(5)
    await write(other)
    assert clock.slept == [1]


async def test_another_credential_has_its_own_pace() -> None:
    """GitHub counts for each."""
    clock = FakeClock()
    pace = paced(clock)
    async with pace.turn(ME), pace.turn("c3d4"):
        pass
    assert clock.slept == []


@pytest.mark.parametrize("failure", [Overloaded, RateLimited])
async def test_a_turn_in_which_nothing_was_sent_is_given_back(
    failure: type[TrunklineError],
) -> None:
    """A write that was held back afterwards costs the next one nothing."""
    clock = FakeClock()
    pace = paced(clock, limits=((1, 3600.0),))
    with pytest.raises(failure):
        async with pace.turn(ME):
            raise failure("held back", details={"phase": "held"})
    await write(pace)
    assert clock.slept == []


async def test_a_turn_whose_write_failed_counts() -> None:
    """GitHub has seen it, or may have."""
    clock = FakeClock()
    pace = paced(clock)
    with pytest.raises(UpstreamTimeout):
        async with pace.turn(ME):
            raise UpstreamTimeout("no answer", details={"phase": "exchange"})
    await write(pace)
    assert clock.slept == [1]


class StandingClock(FakeClock):
    """A clock on which a sleep never ends."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.get_running_loop().create_future()


async def test_a_caller_that_leaves_while_it_waits_gives_its_turn_back() -> None:
    """The store keeps nothing of it."""
    clock = StandingClock()
    pace = paced(clock)
    await write(pace)
    with anyio.move_on_after(0.02):
        await write(pace)
    answer = await pace.store.turns.reserve(
        Wish(key=f"github:writes:{ME}", rhythm=Rhythm(interval_s=1), latest_s=30)
    )
    assert answer.wait_s == 1


async def test_a_refusal_says_how_many_stand_before() -> None:
    """Also when they stand in another process."""
    clock = FakeClock()
    pace = paced(clock)
    for _ in range(3):
        await pace.store.turns.reserve(
            Wish(key=f"github:writes:{ME}", rhythm=Rhythm(interval_s=1), latest_s=30)
        )
    with deadline_in(2), pytest.raises(Overloaded, match="3 writes") as caught:
        await write(pace)
    assert caught.value.retry_after == 3
