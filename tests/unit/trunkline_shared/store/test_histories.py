"""Any history of reservations keeps the interval, the limits, and everybody's place in line."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import pairwise

import anyio
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.redis_process import RedisProcess
from trunkline_shared.store.earliest import earliest
from trunkline_shared.store.memory import MemoryTurns
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.port import Rhythm, TooLate, Turn, Turns, Wish
from trunkline_shared.testing.fake_clock import FakeClock

CLOCK_S = 0.000_002
RHYTHMS = st.builds(
    Rhythm,
    interval_s=st.sampled_from([0.001, 0.01, 0.05]),
    limits=st.lists(
        st.tuples(st.integers(1, 6), st.sampled_from([0.02, 0.1, 0.5])), max_size=2
    ).map(tuple),
)


@dataclass(frozen=True, kw_only=True)
class Step:
    """One client asks; time passes before; a turn may be given back at once."""

    client: int
    pause_s: float
    after_s: float
    latest_s: float
    used: bool


STEPS = st.lists(
    st.builds(
        Step,
        client=st.integers(0, 2),
        pause_s=st.sampled_from([0, 0, 0.003, 0.2]),
        after_s=st.sampled_from([0, 0, 0.03]),
        latest_s=st.sampled_from([0.01, 0.3, 50]),
        used=st.sampled_from([True, True, True, False]),
    ),
    max_size=25,
)


def check(starts: Sequence[float], rhythm: Rhythm) -> None:
    """No two closer than the interval; no stretch with more than its limit."""
    ordered = sorted(starts)
    for before, after in pairwise(ordered):
        assert after - before >= rhythm.interval_s - CLOCK_S
    for count, span in rhythm.limits:
        for before, after in zip(ordered, ordered[count:], strict=False):
            assert after - before >= span - CLOCK_S


async def in_memory(rhythm: Rhythm, steps: Sequence[Step]) -> None:
    clock = FakeClock(now=1000)
    turns = MemoryTurns(clock=clock)
    kept: list[float] = []
    for step in steps:
        clock.advance(step.pause_s)
        now = clock.monotonic()
        wish = Wish(key="k", rhythm=rhythm, after_s=step.after_s, latest_s=step.latest_s)
        answer = await turns.reserve(wish)
        due = max(earliest(kept, rhythm)[0] - now, step.after_s, 0)
        assert abs(answer.wait_s - due) < CLOCK_S, "as early as it can be, and after all before it"
        assert isinstance(answer, TooLate) == (answer.wait_s >= step.latest_s)
        if isinstance(answer, Turn) and step.used:
            kept.append(now + answer.wait_s)
        elif isinstance(answer, Turn):
            turns.give_back(answer)
    assert kept == sorted(kept)
    check(kept, rhythm)


@given(rhythm=RHYTHMS, steps=STEPS)
def test_any_history_in_memory_keeps_the_rhythm(rhythm: Rhythm, steps: list[Step]) -> None:
    """And every turn is the earliest that the rhythm allows after those before it."""
    asyncio.run(in_memory(rhythm, steps))


async def play(turns: Turns, key: str, rhythm: Rhythm, steps: Sequence[Step]) -> None:
    for step in steps:
        wish = Wish(key=key, rhythm=rhythm, after_s=step.after_s, latest_s=step.latest_s)
        answer = await turns.reserve(wish)
        if isinstance(answer, Turn) and not step.used:
            turns.give_back(answer)


async def through_redis(
    redis: RedisProcess, key: str, rhythm: Rhythm, steps: Sequence[Step]
) -> None:
    """Let three processes' stores ask at the same time."""
    async with AsyncExitStack() as opened:
        stores = [await opened.enter_async_context(open_store(redis.settings)) for _ in range(3)]
        opened.enter_context(anyio.fail_after(10))
        tasks = await opened.enter_async_context(asyncio.TaskGroup())
        for number, store in enumerate(stores):
            mine = [step for step in steps if step.client == number]
            tasks.create_task(play(store.turns, key, rhythm, mine))


def test_any_history_of_three_processes_keeps_the_rhythm(redis_process: RedisProcess) -> None:
    """Whatever is given back meanwhile, and whoever comes first."""
    keys = iter(f"history-{number}" for number in range(10_000))

    @given(rhythm=RHYTHMS, steps=STEPS)
    @settings(max_examples=60)
    def holds(rhythm: Rhythm, steps: list[Step]) -> None:
        key = next(keys)
        asyncio.run(through_redis(redis_process, key, rhythm, steps))
        check(redis_process.starts(key), rhythm)

    holds()


def test_no_process_waits_longer_than_the_turns_before_it(redis_process: RedisProcess) -> None:
    """Thirty wishes at once take thirty intervals: no gap is wasted, nobody starves."""
    rhythm = Rhythm(interval_s=0.5)
    step = Step(client=0, pause_s=0, after_s=0, latest_s=50, used=True)
    steps = [Step(**{**vars(step), "client": number % 3}) for number in range(30)]
    asyncio.run(through_redis(redis_process, "k", rhythm, steps))
    starts = redis_process.starts("k")
    assert len(starts) == 30
    gaps = [after - before for before, after in pairwise(starts)]
    assert all(abs(gap - 0.5) < CLOCK_S for gap in gaps)
