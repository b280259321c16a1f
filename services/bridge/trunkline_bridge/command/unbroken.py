"""Work that is seen through, whoever is cancelled meanwhile."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

import anyio

T = TypeVar("T")


async def unbroken(work: Awaitable[T]) -> T:
    """Return what work comes to; a cancellation takes effect when it is done.

    It is short work: starting a process, ending one.
    """
    running = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    with anyio.CancelScope(shield=True):
        while not running.done():
            try:
                await asyncio.wait({running})
            except asyncio.CancelledError as error:
                cancelled = error
    if cancelled is not None:
        raise cancelled
    return running.result()
