"""Work that outlives the connection it was asked over; it ends with the router."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from trunkline_shared import wire


@dataclass(frozen=True, slots=True)
class Background:
    """Starts work, whose failure is its own; whoever runs the router opens it."""

    _open: list[tuple[asyncio.TaskGroup, "set[asyncio.Task[None]]"]] = field(default_factory=list)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Take work for the length of the block, and cancel what is left of it at the end."""
        work: set[asyncio.Task[None]] = set()
        async with asyncio.TaskGroup() as tasks:
            self._open.append((tasks, work))
            try:
                yield
            finally:
                self._open.pop()
                for task in tuple(work):
                    task.cancel()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Let work be done."""
        self.started(work).set_name("session")

    def started(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Let work be done that may have to be cancelled."""
        tasks, under_way = self._open[-1]
        task = tasks.create_task(_survived(work))
        under_way.add(task)

        def ended(task: "asyncio.Task[None]") -> None:
            under_way.discard(task)
            # One that is cancelled before its first step leaves its work without an end.
            work.close()

        task.add_done_callback(ended)
        return task


async def _survived(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception as bug:  # noqa: BLE001 - one session's failure must not end the router
        wire.unexpected(bug, doing="serving a session")
