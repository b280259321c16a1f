"""A value that is replaced as a whole while it is used."""

import asyncio
from typing import Generic, TypeVar

T = TypeVar("T")


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
