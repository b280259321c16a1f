"""Slots under every interleaving that could lose or double one."""

import asyncio

import pytest

from trunkline_router.protection.bulkhead import Bulkhead
from trunkline_shared.errors import CircuitOpen

pytestmark = pytest.mark.anyio


def one() -> int:
    return 1


async def waiting(
    bulkhead: Bulkhead, tasks: asyncio.TaskGroup, number: int
) -> list["asyncio.Task[None]"]:
    """Let so many wait, in order."""
    found = []
    for _ in range(number):
        found.append(tasks.create_task(bulkhead.wait(one, 5)))
        await asyncio.sleep(0)
    return found


async def test_a_slot_that_is_given_to_one_who_leaves_goes_to_the_next() -> None:
    """Given and cancelled in the same moment, before the one who waits has run."""
    bulkhead = Bulkhead()
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        assert bulkhead.try_enter(1)
        first, second = await waiting(bulkhead, tasks, 2)
        bulkhead.leave(1)
        first.cancel()
        await second
        assert (bulkhead.in_use, bulkhead.queued) == (1, 0)
        bulkhead.leave(1)
        assert bulkhead.in_use == 0


async def test_nobody_overtakes_those_who_wait() -> None:
    """A slot that is free belongs to the one who has waited longest."""
    bulkhead = Bulkhead()
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        assert bulkhead.try_enter(1)
        (first,) = await waiting(bulkhead, tasks, 1)
        bulkhead.leave(1)
        assert not bulkhead.try_enter(1)
        await first


async def test_all_who_wait_are_refused_at_once() -> None:
    """And leave nothing behind."""
    bulkhead = Bulkhead()
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        assert bulkhead.try_enter(1)
        outcomes = [
            tasks.create_task(refused(bulkhead)),
            tasks.create_task(refused(bulkhead)),
        ]
        await asyncio.sleep(0)
        assert bulkhead.queued == 2
        bulkhead.refuse_all(lambda: CircuitOpen("open"))
        assert [await outcome for outcome in outcomes] == [True, True]
        assert (bulkhead.in_use, bulkhead.queued) == (1, 0)


async def refused(bulkhead: Bulkhead) -> bool:
    """Wait, and say whether that was refused."""
    try:
        await bulkhead.wait(one, 5)
    except CircuitOpen:
        return True
    return False


async def test_fewer_slots_hold_as_soon_as_calls_end() -> None:
    """More of them let in those who wait."""
    bulkhead = Bulkhead()
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        assert bulkhead.try_enter(2)
        assert bulkhead.try_enter(2)
        queued = await waiting(bulkhead, tasks, 2)
        bulkhead.leave(1)
        assert (bulkhead.in_use, bulkhead.queued) == (1, 2)
        bulkhead.leave(2)
        await asyncio.gather(*queued)
        assert bulkhead.in_use == 2


async def test_who_waits_too_long_gives_up_its_place() -> None:
    """TimeoutError, and the queue is empty."""
    bulkhead = Bulkhead()
    assert bulkhead.try_enter(1)
    with pytest.raises(TimeoutError):
        await bulkhead.wait(one, 0.01)
    assert (bulkhead.in_use, bulkhead.queued) == (1, 0)
