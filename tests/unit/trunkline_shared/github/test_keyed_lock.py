"""One at a time per key."""

import asyncio

import pytest

from trunkline_shared.github.keyed_lock import KeyedWrites

pytestmark = pytest.mark.anyio

ONE, OTHER = ("acme/widgets", 1, "a"), ("acme/widgets", 1, "b")


async def test_holders_of_a_key_take_turns_and_others_do_not_wait() -> None:
    """The second holder of a key comes in when the first has left, another key's at once."""
    marked, entered, leave = KeyedWrites(), asyncio.Event(), asyncio.Event()
    order: list[str] = []

    async def hold() -> None:
        async with marked.alone(ONE):
            entered.set()
            await leave.wait()
            order.append("first")

    async def follow() -> None:
        async with marked.alone(ONE):
            order.append("second")

    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        tasks.create_task(hold())
        await entered.wait()
        tasks.create_task(follow())
        async with marked.alone(OTHER):
            order.append("other")
        leave.set()
    assert order == ["other", "first", "second"]


async def test_a_holder_that_fails_or_is_cancelled_frees_the_key() -> None:
    """Whatever ends the block, the next one comes in."""
    marked = KeyedWrites()
    with pytest.raises(RuntimeError):
        async with marked.alone(ONE):
            raise RuntimeError
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0), marked.alone(ONE):
            await asyncio.Event().wait()
    async with asyncio.timeout(5), marked.alone(ONE):
        pass


def test_a_comment_is_remembered_until_it_is_forgotten() -> None:
    """The memory bridges a list that lags behind."""
    marked = KeyedWrites()
    assert marked.recall(ONE) is None
    marked.remember(ONE, 7)
    assert (marked.recall(ONE), marked.recall(OTHER)) == (7, None)
    marked.forget(ONE)
    assert marked.recall(ONE) is None
