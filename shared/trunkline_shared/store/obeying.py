"""Cancellations that the client of Redis swallows, obeyed all the same."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def obeying() -> Iterator[None]:
    """Raise CancelledError at the block's end if the task was cancelled within it.

    The client writes through `asyncio.wait_for`, which before Python 3.12 forgets a cancellation
    that comes in the moment of success (https://github.com/python/cpython/issues/86296).
    """
    task = asyncio.current_task()
    assert task is not None
    before = task.cancelling()
    try:
        yield
    finally:
        if task.cancelling() > before:
            raise asyncio.CancelledError
