"""What breaks a promise of the model without a rule breaks none in the cache itself."""

import pytest

from tests.model.cases import RULES, Missed
from tests.model.driving import Drive, driving
from tests.model.page import missed
from tests.model.reads import RETURNED, Step
from tests.redis_partition import Partition, partition
from tests.redis_process import RedisProcess
from tests.unit.trunkline_shared.store.routers import off, on, router, until
from trunkline_shared.clock import SystemClock
from trunkline_shared.store.memory_generations import MemoryGenerations
from trunkline_shared.store.no_entries import NoEntries
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.redis_member import REGISTRY
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

_BY_RULE = {one.rule: one for one in RULES}
OVER_REDIS = [
    *("footing_first", "strict", "bump_before", "bump_after", "bump_failed", "keyed_flights"),
    *("follower_checks", "told_tags", "stale_current"),
]
TIMED = ["doubt", "settle", "settled_flights"]
"""Redis has a clock of its own, which no test can move."""
CUT_OFF = ["silence", "waits", "rejoin_mints", "remembers", "nonces"]


async def _nothing(step: Step) -> None:
    """Nothing else happens in one process."""


async def _in_a_process(missing: Missed, deaf: frozenset[str] = frozenset()) -> Drive:
    clock = FakeClock()
    generations = MemoryGenerations(clock=clock)
    async with driving(missing.scenario, clock, pass_by=clock.advance, world=_nothing) as drive:
        for _ in "AB":
            drive.add(generations, NoEntries(), deaf)
        await drive.follow(missed(missing).history)
    return drive


@pytest.mark.requirement("cache.model-histories")
@pytest.mark.parametrize("rule", [*OVER_REDIS, *TIMED])
async def test_a_history_breaks_nothing_in_one_process(rule: str) -> None:
    """With the generations of a router that is alone."""
    drive = await _in_a_process(_BY_RULE[rule])
    assert drive.seen.fetches
    assert len(drive.seen.begun) == 2
    assert drive.broken == []


@pytest.mark.requirement("cache.model-histories")
async def test_a_history_is_really_driven() -> None:
    """Where the second bump gets lost on its way, the answer is as old as the model says."""
    drive = await _in_a_process(_BY_RULE["bump_after"], frozenset({"second"}))
    assert drive.broken == [RETURNED]


@pytest.mark.requirement("cache.model-histories")
@pytest.mark.parametrize("rule", [*OVER_REDIS, *CUT_OFF])
async def test_a_history_breaks_nothing_over_redis(rule: str, redis_process: RedisProcess) -> None:
    """With two routers, of which the one that writes can be cut off."""
    missing = _BY_RULE[rule]
    async with (
        partition(redis_process.socket) as between,
        router(between.settings, "a") as one,
        router(redis_process.settings, "b") as other,
        open_store(between.settings) as near,
        open_store(redis_process.settings) as far,
    ):
        await on(one)
        await on(other)

        async def happens(step: Step) -> None:
            if "silent for long" in step.action:
                await off(other)
            elif step.action == "rejoins" and step.at == 0:
                await on(one)
            elif step.action == "rejoins":
                await until(lambda: _is_registered(redis_process, "b"))
            else:
                _happens(step, between, redis_process)

        async with driving(missing.scenario, SystemClock(), world=happens) as drive:
            drive.add(one, near.entries, frozenset())
            drive.add(other, far.entries, frozenset())
            await drive.follow(missed(missing).history)
    assert drive.seen.fetches
    assert drive.broken == []


def _is_registered(redis: RedisProcess, name: str) -> bool:
    with redis.look() as look:
        return look.zscore(REGISTRY, name) is not None


def _happens(step: Step, between: Partition, redis: RedisProcess) -> None:
    if "is cut off" in step.action:
        between.cut()
    elif "reaches Redis" in step.action:
        between.mend()
    elif "flushed" in step.action:
        with redis.look() as look:
            look.flushdb()
    elif "evicts" in step.action:
        with redis.look() as look:
            for key in look.scan_iter("*=t:w:x"):
                look.delete(key)
