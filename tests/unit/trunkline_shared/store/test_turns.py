"""What every store must do with turns: in memory, through a real Redis, and with Redis away."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import anyio
import pytest

from tests.redis_process import running_redis
from trunkline_shared.settings import load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.port import Rhythm, TooLate, Turn, Turns, Wish
from trunkline_shared.store.settings import StoreSettings

pytestmark = pytest.mark.anyio

APART = Rhythm(interval_s=10.0)


@contextmanager
def settings_of(kind: str, folder: Path) -> Iterator[StoreSettings]:
    if kind == "redis":
        with running_redis() as process:
            yield process.settings
    else:
        url = f"unix://{folder}/nobody.sock" if kind == "away" else ""
        yield load(StoreSettings, {"redis_url": url})


@pytest.fixture(params=["memory", "redis", "away"])
async def two(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Turns, Turns]]:
    """Two who share turns: two processes where that is possible, else two servers in one."""
    with settings_of(request.param, tmp_path) as settings:
        async with AsyncExitStack() as opened:
            one = await opened.enter_async_context(open_store(settings))
            other = one
            if request.param == "redis":
                other = await opened.enter_async_context(open_store(settings))
            with anyio.fail_after(10):
                yield one.turns, other.turns


async def turn(turns: Turns, rhythm: Rhythm = APART, *, key: str = "k", after_s: float = 0) -> Turn:
    answer = await turns.reserve(Wish(key=key, rhythm=rhythm, latest_s=60, after_s=after_s))
    assert isinstance(answer, Turn)
    return answer


async def refusal(turns: Turns, rhythm: Rhythm = APART, *, latest_s: float) -> TooLate:
    answer = await turns.reserve(Wish(key="k", rhythm=rhythm, latest_s=latest_s))
    assert isinstance(answer, TooLate)
    return answer


def seconds(expected: float) -> object:
    """Return a wait that may have shrunk while the test ran."""
    return pytest.approx(expected, abs=2)


async def test_the_first_turn_is_now(two: tuple[Turns, Turns]) -> None:
    """Pacing costs only those who hurry."""
    assert (await turn(two[0])).wait_s == 0


async def test_turns_follow_each_other_in_the_order_of_asking(two: tuple[Turns, Turns]) -> None:
    """Whoever asks, each comes an interval after the last."""
    waits = [(await turn(turns)).wait_s for turns in (*two, *two)]
    assert waits == [seconds(0), seconds(10), seconds(20), seconds(30)]


async def test_a_turn_comes_no_earlier_than_wished(two: tuple[Turns, Turns]) -> None:
    """And the next one after it."""
    assert (await turn(two[0], after_s=7)).wait_s == seconds(7)
    assert (await turn(two[1])).wait_s == seconds(17)


async def test_no_stretch_holds_more_turns_than_its_limit(two: tuple[Turns, Turns]) -> None:
    """The third waits until the first is as old as the stretch is long."""
    rhythm = Rhythm(interval_s=0.001, limits=((2, 40.0), (100, 50.0)))
    waits = [(await turn(turns, rhythm)).wait_s for turns in (*two, *two)]
    assert waits == [seconds(0), seconds(0), seconds(40), seconds(40)]


async def test_a_turn_that_would_come_too_late_is_not_reserved(two: tuple[Turns, Turns]) -> None:
    """The refusal says when it would have come, and leaves it to the next."""
    await turn(two[0])
    refused = await refusal(two[1], latest_s=5)
    assert (refused.wait_s, refused.spent) == (seconds(10), False)
    assert (await turn(two[0])).wait_s == seconds(10)


async def test_a_refusal_tells_a_spent_limit_from_a_crowd(two: tuple[Turns, Turns]) -> None:
    """A limit needs another answer than a line does."""
    rhythm = Rhythm(interval_s=1, limits=((1, 40.0),))
    await turn(two[0], rhythm)
    refused = await refusal(two[1], rhythm, latest_s=30)
    assert (refused.wait_s, refused.spent) == (seconds(40), True)


async def test_nobody_reserves_further_ahead_than_a_minute(two: tuple[Turns, Turns]) -> None:
    """However patient."""
    rhythm = Rhythm(interval_s=40)
    for turns in two:
        await turn(turns, rhythm)
    assert (await refusal(two[0], rhythm, latest_s=1000)).wait_s == seconds(80)


async def test_a_turn_given_back_is_the_next_ones(two: tuple[Turns, Turns]) -> None:
    """Nothing is lost by a caller that leaves."""
    await turn(two[1])
    unused = await turn(two[0])
    two[0].give_back(unused)
    assert (await turn(two[0])).wait_s == seconds(10)


async def test_a_turn_given_back_twice_is_no_other_ones(two: tuple[Turns, Turns]) -> None:
    """It is known by its id."""
    unused = await turn(two[0])
    two[0].give_back(unused)
    await turn(two[0])
    two[0].give_back(unused)
    assert (await turn(two[0])).wait_s == seconds(10)


async def test_keys_do_not_wait_for_each_other(two: tuple[Turns, Turns]) -> None:
    """Each credential has its own pace."""
    await turn(two[0])
    assert (await turn(two[1], key="another")).wait_s == 0
