"""Calls that run now, and the end of those that the router's own end cannot wait for."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from trunkline_router.model import Call, Outcome
from trunkline_router.pipeline import Next
from trunkline_shared.ending import cut_short, shutting_down
from trunkline_shared.errors import Cancelled


@dataclass(slots=True, eq=False)
class _Running:
    """A call and the task that makes it; `cut` once it is to come to no end."""

    call: Call
    task: "asyncio.Task[Any]"
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Underway:
    """Knows each call until it is answered, but for what the cache has at hand.

    `on_cut` are told when what waits for something else than its server is to end, too.
    """

    on_cut: list[Callable[[], None]] = field(default_factory=list)
    _calls: set[_Running] = field(default_factory=set)
    _answered: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def running(self) -> int:
        """How many calls are not answered yet."""
        return len(self._calls)

    async def __call__(self, call: Call, onward: Next) -> Outcome:
        """Pass the call on. Raises Cancelled when it was cut short."""
        task = asyncio.current_task()
        assert task is not None
        running = _Running(call, task)
        self._calls.add(running)
        try:
            return await onward(call)
        except asyncio.CancelledError:
            # Whoever else has cancelled the task as well is to get its CancelledError.
            if running.cut and task.cancelling() == 1:
                raise _cut_short(call) from None
            raise
        finally:
            if running.cut:
                task.uncancel()
            self._calls.discard(running)
            if not self._calls:
                self._answered.set()

    async def answered(self) -> None:
        """Wait until no call runs, whoever is still there to hear its answer."""
        while self._calls:
            self._answered.clear()
            await self._answered.wait()

    def cut_short(self, *, waits_only: bool = False) -> None:
        """Let calls answer now that they have come to no end: all, or those that wait for long."""
        for running in list(self._calls):
            if (not waits_only or _waits(running.call)) and not running.cut:
                running.cut = True
                running.task.cancel()
        for tell in () if waits_only else self.on_cut:
            tell()


def _waits(call: Call) -> bool:
    return call.tool is not None and call.tool.policy.waits


def _cut_short(call: Call) -> Cancelled:
    if call.tool is None or not call.tool.writes:
        return shutting_down()
    return cut_short("router")
