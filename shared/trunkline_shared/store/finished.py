"""Work in a thread whose end is seen, whatever becomes of the caller."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def finished(work: Callable[[], T]) -> T:
    """Run short blocking work in a thread; a caller who is cancelled leaves when it is done.

    So what it opened can be closed, and what it writes is written while it is still allowed to.
    """
    running = asyncio.get_running_loop().run_in_executor(None, work)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        while not running.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({running})
        raise
