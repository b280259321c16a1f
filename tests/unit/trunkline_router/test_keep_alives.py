"""Streams that have nothing to tell are woken in turns, until they leave."""

import asyncio

import pytest

from trunkline_router.sessions.event_log import EventLog
from trunkline_router.sessions.keep_alives import KeepAlives

pytestmark = pytest.mark.anyio


def logs(number: int) -> list[EventLog]:
    """Return logs of streams without anything to tell."""
    return [EventLog(name="", nonce=str(one)) for one in range(number)]


async def test_each_is_stirred_once_in_a_period() -> None:
    """However many began at the same moment: again and again, and never all at once."""
    alive, standing = KeepAlives(period_s=0.3), logs(600)
    order: list[str] = []

    async def wait(log: EventLog) -> None:
        for _ in range(2):
            assert not await log.news(0)
            order.append(log.nonce)

    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        for log in standing:
            tasks.create_task(wait(log))
            alive.join(log)
    assert sorted(order[:600]) == sorted(order[600:])
    for log in standing:
        alive.leave(log)


async def test_one_that_has_left_has_no_turn() -> None:
    """Others go on, and with the last of them all ends."""
    alive, (left, other) = KeepAlives(period_s=0.05), logs(2)
    alive.join(left)
    alive.join(other)
    alive.leave(left)
    waiting = asyncio.ensure_future(left.news(0))
    async with asyncio.timeout(20):
        for _ in range(3):
            assert not await other.news(0)
    assert not waiting.done()
    alive.leave(other)
    left.tell(b"{}")
    assert await waiting


async def test_news_are_no_keep_alive() -> None:
    """A stream that is told something wakes for that, and one that ends for its end."""
    told, ended = logs(2)
    waiting = asyncio.gather(told.news(0), ended.news(0))
    await asyncio.sleep(0)
    told.tell(b"{}")
    ended.end()
    assert all(await waiting)
    assert [data for _, data in told.after(0)] == [b"{}"]


async def test_who_waits_no_longer_does_not_wake_others() -> None:
    """One reader that is cancelled leaves the others of the same stream waiting."""
    (log,) = logs(1)
    gone, stays = asyncio.ensure_future(log.news(0)), asyncio.ensure_future(log.news(0))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.wait([gone])
    assert not stays.done()
    log.tell(b"{}")
    assert await stays
