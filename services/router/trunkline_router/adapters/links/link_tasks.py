"""Work of one link that outlives the request that began it: readers, parked calls, notices."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from trunkline_router.link import NeverSent

log = logging.getLogger(__name__)

T = TypeVar("T")


class LinkTasks:
    """Holds tasks so that none is collected while it runs, and ends all of them at once.

    A TaskGroup would end the link with its first failure; here each task's failure is its own.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Run `work` beside its caller."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work`, which nobody waits for."""
        task = self.start(work)
        assert not task.done(), "a task begins with the loop's next turn"

    async def close(self) -> None:
        """Cancel what runs, and wait until all of it has ended."""
        running = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.debug("work in the background failed", exc_info=task.exception())


async def joined(task: "asyncio.Task[T]") -> T:
    """Return what work comes to that others may wait for as well; whoever leaves does not end it.

    Raises NeverSent when it was ended together with its link.
    """
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        waiting = asyncio.current_task()
        if task.cancelled() and waiting is not None and not waiting.cancelling():
            raise NeverSent from None
        raise
