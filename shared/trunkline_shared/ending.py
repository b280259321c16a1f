"""The end of a server, told to what waits: a long call answers before it is cut off."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from trunkline_shared.clock import Clock
from trunkline_shared.errors import Cancelled


@dataclass(frozen=True, slots=True)
class Ending:
    """Whether a server is about to end; its listener says so."""

    _begun: asyncio.Event = field(default_factory=asyncio.Event)

    def begin(self) -> None:
        """Let every wait give up."""
        self._begun.set()

    async def wait(self) -> None:
        """Wait until the server is about to end."""
        await self._begun.wait()

    @property
    def begun(self) -> bool:
        return self._begun.is_set()


_ending: ContextVar[Ending | None] = ContextVar("trunkline_ending", default=None)


@contextmanager
def ended_by(ending: Ending) -> Iterator[None]:
    """Let the waits of the block give up when `ending` begins."""
    token = _ending.set(ending)
    try:
        yield
    finally:
        _ending.reset(token)


async def sleep(clock: Clock, seconds: float) -> None:
    """Wait for `seconds`; raises Cancelled as soon as the call's server is about to end."""
    ending = _ending.get()
    if ending is None:
        await clock.sleep(seconds)
        return
    async with asyncio.TaskGroup() as tasks:
        nap = tasks.create_task(clock.sleep(seconds))
        alarm = tasks.create_task(ending.wait())
        await asyncio.wait({nap, alarm}, return_when=asyncio.FIRST_COMPLETED)
        nap.cancel()
        alarm.cancel()
    if ending.begun:
        raise shutting_down()


def shutting_down() -> Cancelled:
    """Return the answer of a wait that its server's end has cut short."""
    return Cancelled(
        "The server is shutting down; the wait ended early.",
        hint="Call again: another server, or this one once it is back, goes on waiting.",
        retryable=True,
        details={"reason": "shutting_down"},
    )
