"""The way out of a connection, for several who write to one stream."""

import asyncio

import pytest

from trunkline_router.edges.http1.writing import Writing

pytestmark = pytest.mark.anyio


async def test_all_who_wait_go_on_once_the_client_has_taken_what_was_written() -> None:
    """What changed, what was updated and a keep-alive are told by tasks of their own."""
    writing = Writing(asyncio.Transport())
    writing.pause()
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        waiting = [tasks.create_task(writing.taken()) for _ in range(3)]
        await asyncio.sleep(0)
        assert not any(one.done() for one in waiting)
        writing.resume()


async def test_whoever_waits_goes_on_waiting_when_it_is_too_much_again() -> None:
    """Before it has come to write."""
    writing = Writing(asyncio.Transport())
    writing.pause()
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(writing.taken())
        await asyncio.sleep(0)
        writing.resume()
        writing.pause()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not waiting.done()
        writing.resume()
