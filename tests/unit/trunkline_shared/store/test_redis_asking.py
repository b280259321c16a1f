"""What is asked of Redis ends when its caller is cancelled, whatever the client makes of that."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from redis.exceptions import RedisError

from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.outage import Outage
from trunkline_shared.store.redis_asking import RedisAsking
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio


async def _answered_all_the_same() -> str:
    with suppress(asyncio.CancelledError):
        await asyncio.Event().wait()
    return "answer"


async def _failed_all_the_same() -> str:
    raise RedisError(await _answered_all_the_same())


def _asking() -> RedisAsking:
    return RedisAsking(outage=Outage(where="here", clock=FakeClock()))


@pytest.mark.parametrize("command", [_answered_all_the_same, _failed_all_the_same])
async def test_a_cancellation_that_the_client_swallows_is_obeyed(
    command: Callable[[], Awaitable[str]],
) -> None:
    """`asyncio.wait_for` of Python 3.11 forgets one that comes in the moment of success."""
    asked = asyncio.ensure_future(_asking().ask(command))
    await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked


async def test_a_second_is_the_most_even_where_the_client_swallows_its_end() -> None:
    """The store counts as away then, as with any other that does not answer."""
    with pytest.raises(UpstreamUnavailable):
        await _asking().ask(_answered_all_the_same)


async def test_whoever_was_cancelled_before_may_still_ask() -> None:
    """As what cleans up after a cancelled call does."""
    answers: list[str] = []

    async def ready() -> str:
        return "answer"

    async def cleaning_up() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            answers.append(await _asking().ask(ready))

    task = asyncio.ensure_future(cleaning_up())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    assert answers == ["answer"]
