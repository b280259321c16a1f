"""The end of a server, told to its calls: each of them answers before it is cut off."""

import asyncio
from collections.abc import Awaitable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

from trunkline_shared.clock import Clock
from trunkline_shared.errors import Cancelled

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ending:
    """Whether a server is about to end; its listener says so, and when it waits no longer."""

    _begun: asyncio.Event = field(default_factory=asyncio.Event)
    _calls: set[asyncio.Timeout] = field(default_factory=set)
    _streams: set[asyncio.Timeout] = field(default_factory=set)

    def begin(self) -> None:
        """Let every wait give up, and every stream end."""
        self._begun.set()
        _cut(self._streams)

    def cut_short(self) -> None:
        """Let calls answer now that they have come to no end."""
        _cut(self._calls)

    async def wait(self) -> None:
        """Wait until the server is about to end."""
        await self._begun.wait()

    @property
    def begun(self) -> bool:
        return self._begun.is_set()

    async def call(self, call: Awaitable[T], *, writes: bool = False) -> T:
        """Return what a call comes to. Raises Cancelled when it was cut short."""
        try:
            return await _cuttable(call, self._calls)
        except _CutShort:
            raise cut_short("server") if writes else shutting_down() from None

    async def stream(self, stream: Awaitable[T]) -> T | None:
        """Return what a stream comes to; None for one that was ended, in peace, by the end."""
        with suppress(_CutShort):
            return await _cuttable(stream, self._streams, at_once=self.begun)
        return None


class _CutShort(Exception):
    """The block was left because of the end."""


async def _cuttable(work: Awaitable[T], kept: set[asyncio.Timeout], *, at_once: bool = False) -> T:
    """Return what work comes to. Raises _CutShort when it was cut, as it is `at_once`."""
    cut = asyncio.timeout(0 if at_once else None)
    try:
        async with cut:
            kept.add(cut)
            return await work
    except TimeoutError:
        if not cut.expired():
            raise
        raise _CutShort from None
    finally:
        kept.discard(cut)


def _cut(kept: Iterable[asyncio.Timeout]) -> None:
    now = asyncio.get_running_loop().time()
    for one in list(kept):
        if not one.expired():
            one.reschedule(now)


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


def cut_short(who: str) -> Cancelled:
    """Return the answer of a write whose end nobody saw, because `who` has ended."""
    return Cancelled(
        f"The {who} is shutting down; it did not wait for the end of this call.",
        hint="Look whether it took effect before calling again.",
        details={"reason": "shutting_down", "may_have_happened": True},
    )
