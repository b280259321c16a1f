"""A write goes on, paced, whatever becomes of Redis, and the log says so once."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest

from tests.redis_process import RedisProcess, running_redis
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.outage import PAUSE_S
from trunkline_shared.store.port import Rhythm, TooLate, Turn, Turns, Wish
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.store.shared_turns import SharedTurns
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

APART = Rhythm(interval_s=20.0, limits=((100, 3600.0),))


@asynccontextmanager
async def turns_of(redis: RedisProcess, clock: FakeClock | None = None) -> AsyncIterator[Turns]:
    async with open_store(redis.settings, clock or FakeClock()) as store:
        with anyio.fail_after(10):
            yield store.turns


async def wait_of(turns: Turns, rhythm: Rhythm = APART) -> float:
    answer = await turns.reserve(Wish(key="k", rhythm=rhythm, latest_s=60))
    assert isinstance(answer, Turn)
    return answer.wait_s


def seconds(expected: float) -> object:
    """Return a wait that may have shrunk while the test ran."""
    return pytest.approx(expected, abs=3)


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [seen.getMessage() for seen in caplog.records if seen.levelno == logging.WARNING]


async def test_a_redis_that_dies_leaves_the_process_with_what_it_knows(
    redis_process: RedisProcess, caplog: pytest.LogCaptureFixture
) -> None:
    """The next turn comes after the last, as if nothing had been; one warning for all."""
    async with turns_of(redis_process) as turns:
        await wait_of(turns)
        redis_process.kill()
        assert [await wait_of(turns), await wait_of(turns)] == [seconds(20), seconds(40)]
    (warning,) = warnings(caplog)
    assert f"the store at {redis_process.url} is away" in warning


async def test_a_redis_that_is_back_is_asked_again_and_told_what_it_missed(
    redis_process: RedisProcess, caplog: pytest.LogCaptureFixture
) -> None:
    """It starts empty; another process sees the turns of the outage in it."""
    caplog.set_level(logging.INFO, logger="trunkline_shared")
    clock = FakeClock()
    async with turns_of(redis_process, clock) as turns, turns_of(redis_process) as other:
        await wait_of(turns)
        redis_process.kill()
        await wait_of(turns)
        redis_process.start()
        clock.advance(PAUSE_S)
        assert await wait_of(turns) == seconds(40 - PAUSE_S)
        assert len(redis_process.starts("k")) == 3
        assert await wait_of(other) == seconds(60 - PAUSE_S)
    assert len(warnings(caplog)) == 1
    assert "is back" in caplog.records[-1].getMessage()


async def test_a_flushed_redis_learns_of_the_turns_again(redis_process: RedisProcess) -> None:
    """From whoever asks next and remembers."""
    async with turns_of(redis_process) as turns, turns_of(redis_process) as other:
        await wait_of(turns)
        with redis_process.look() as client:
            client.flushall()
            client.script_flush()
        assert await wait_of(turns) == seconds(20)
        assert await wait_of(other) == seconds(40)


async def test_a_redis_that_hangs_costs_one_write_a_second(
    redis_process: RedisProcess, caplog: pytest.LogCaptureFixture
) -> None:
    """Those after it do not ask; what Redis does once it goes on is no second turn."""
    clock = FakeClock()
    async with turns_of(redis_process, clock) as turns:
        await wait_of(turns)
        redis_process.pause()
        began = time.monotonic()
        assert await wait_of(turns) == seconds(20)
        first = time.monotonic() - began
        await wait_of(turns)
        assert first < 2
        assert time.monotonic() - began - first < 0.5
        redis_process.resume()
        clock.advance(PAUSE_S)
        await wait_of(turns)
    assert len(redis_process.starts("k")) == 4
    assert len(warnings(caplog)) == 1


async def test_a_redis_that_hangs_from_the_start_costs_no_more(
    redis_process: RedisProcess,
) -> None:
    """It takes the connection and says nothing."""
    redis_process.pause()
    async with turns_of(redis_process) as turns:
        began = time.monotonic()
        assert await wait_of(turns) == 0
        assert time.monotonic() - began < 2


async def test_what_a_hanging_redis_took_is_gone_from_the_callers_time(
    redis_process: RedisProcess,
) -> None:
    """A turn that would now come too late is refused."""
    redis_process.pause()
    async with open_store(redis_process.settings) as store:
        answer = await store.turns.reserve(Wish(key="k", rhythm=APART, latest_s=0.5))
    assert isinstance(answer, TooLate)


async def test_a_redis_that_dies_in_the_middle_of_an_answer_fails_nobody(
    redis_process: RedisProcess,
) -> None:
    """The turn comes from the process's memory."""
    waits: list[float] = []

    async def ask(turns: Turns) -> None:
        waits.append(await wait_of(turns))

    async with turns_of(redis_process) as turns:
        await wait_of(turns)
        redis_process.pause()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(ask(turns))
            await anyio.wait_all_tasks_blocked()
            redis_process.kill()
    assert waits == [seconds(20)]


async def test_a_caller_that_leaves_while_redis_hangs_leaves_no_turn(
    redis_process: RedisProcess,
) -> None:
    """Redis may have reserved it; the next wish takes it back."""
    async with turns_of(redis_process) as turns:
        await wait_of(turns)
        redis_process.pause()
        with anyio.move_on_after(0.05):
            await wait_of(turns)
        redis_process.resume()
        assert await wait_of(turns) == seconds(20)
    assert len(redis_process.starts("k")) == 2


async def test_a_turn_given_back_while_another_is_asked_for_is_told_with_the_next(
    redis_process: RedisProcess,
) -> None:
    """What was sent before it cannot speak of it."""
    async with turns_of(redis_process) as turns:
        first = await turns.reserve(Wish(key="k", rhythm=APART, latest_s=60))
        assert isinstance(first, Turn)
        redis_process.pause()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(wait_of(turns))
            await anyio.wait_all_tasks_blocked()
            turns.give_back(first)
            redis_process.resume()
        assert len(redis_process.starts("k")) == 2
        await wait_of(turns)
    assert len(redis_process.starts("k")) == 2


async def test_a_long_outage_gathers_no_endless_list(redis_process: RedisProcess) -> None:
    """Beyond a thousand, a turn that was not used counts as one that was."""
    redis_process.kill()
    async with open_store(redis_process.settings, FakeClock()) as store:
        assert isinstance(store.turns, SharedTurns)
        for _ in range(1100):
            wish = Wish(key="k", rhythm=APART, latest_s=60)
            store.turns.give_back(Turn(key="k", id=wish.id, wait_s=0))
        assert len(store.turns.unused["k"]) == 1000


async def test_what_two_processes_used_meanwhile_counts_for_both(
    redis_process: RedisProcess,
) -> None:
    """Each paced itself by what it knew; Redis hears it with each one's next wish."""
    clock = FakeClock()
    rhythm = Rhythm(interval_s=0.001, limits=((4, 50.0),))
    async with turns_of(redis_process, clock) as one, turns_of(redis_process, clock) as other:
        redis_process.kill()
        for turns in (one, one, one, other, other, other):
            assert await wait_of(turns, rhythm) < 1
        redis_process.start()
        clock.advance(PAUSE_S)
        await wait_of(one, rhythm)
        assert [await wait_of(other, rhythm), await wait_of(one, rhythm)] == [
            seconds(50 - PAUSE_S),
            seconds(50 - PAUSE_S),
        ]


async def test_turns_are_forgotten_by_redis_after_an_hour(redis_process: RedisProcess) -> None:
    """Under our prefix and version, and nothing is kept longer than it matters."""
    async with turns_of(redis_process) as turns:
        await wait_of(turns)
    assert redis_process.keys() == ["trunkline:1:turns:k"]
    with redis_process.look() as client:
        assert 3600 <= int(str(client.ttl("trunkline:1:turns:k"))) <= 3700


async def test_a_clock_of_redis_that_was_set_back_stops_nobody(redis_process: RedisProcess) -> None:
    """Turns of its future are dropped."""
    async with turns_of(redis_process) as turns:
        with redis_process.look() as client:
            client.zadd("trunkline:1:turns:k", {"future": (time.monotonic() + 9e9) * 1e6})
        assert await wait_of(turns) == 0


async def test_a_redis_that_takes_no_writes_is_an_outage(caplog: pytest.LogCaptureFixture) -> None:
    """As a replica does, in the middle of a fail-over."""
    with running_redis("--replicaof", "127.0.0.1 1") as process:
        async with turns_of(process) as turns:
            assert [await wait_of(turns), await wait_of(turns)] == [seconds(0), seconds(20)]
    (warning,) = warnings(caplog)
    assert "read only replica" in warning


async def test_a_wrong_password_is_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    """The warning names the place alone."""
    with running_redis("--requirepass", "right") as process:
        url = f"unix://anna:wr0ng-secret@{process.socket}?db=0"
        async with open_store(load(StoreSettings, {"redis_url": url})) as store:
            assert await wait_of(store.turns) == 0
    (warning,) = warnings(caplog)
    assert f"unix://{process.socket} is away" in warning
    assert "wr0ng" not in caplog.text


async def test_many_may_ask_at_once(redis_process: RedisProcess) -> None:
    """More than there are connections; nobody is refused, no turn is given twice."""
    waits: list[float] = []
    rhythm = Rhythm(interval_s=1)

    async def ask(turns: Turns) -> None:
        waits.append((await turns.reserve(Wish(key="k", rhythm=rhythm, latest_s=60))).wait_s)

    async with turns_of(redis_process) as turns, asyncio.TaskGroup() as tasks:
        for _ in range(50):
            tasks.create_task(ask(turns))
    starts = redis_process.starts("k")
    assert len(starts) == 50
    assert starts[-1] - starts[0] == pytest.approx(49)


async def test_options_that_the_client_does_not_know_are_refused_at_the_start() -> None:
    """Not with the first write, and not with a stack trace."""
    settings = load(StoreSettings, {"redis_url": "redis://:hidden@127.0.0.1/0?colour=red"})
    with pytest.raises(ConfigurationError, match="TRUNKLINE_REDIS_URL") as caught:
        async with open_store(settings):
            pass
    assert "hidden" not in str(caught.value)
