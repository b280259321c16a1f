"""A value that is replaced as a whole while it is used."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
Made = TypeVar("Made")


class Live(Generic[T]):
    """Holds what holds at this moment: whoever uses it reads `now` each time, and keeps no copy."""

    def __init__(self, now: T) -> None:
        self.now = now
        self._replaced = asyncio.Event()

    def replace(self, value: T) -> None:
        """Let another value hold from now on, and wake who waits for it."""
        self.now = value
        waiting, self._replaced = self._replaced, asyncio.Event()
        waiting.set()

    async def changed(self, since: T) -> T:
        """Wait until the value is another one than `since`, and return it."""
        while self.now is since:
            await self._replaced.wait()
        return self.now


class Derived(Generic[T, Made]):
    """What is made of a live value, once for each value that it has had when somebody asked."""

    def __init__(self, live: Live[T], make: Callable[[T], Made]) -> None:
        self._live = live
        self._make = make
        self._of = live.now
        self._made = make(live.now)

    @property
    def now(self) -> Made:
        of = self._live.now
        if of is not self._of:
            self._made = self._make(of)
            self._of = of
        return self._made
