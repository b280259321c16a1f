"""Points at which a test holds a request until it lets it go on."""

import asyncio
from dataclasses import dataclass, field
from enum import Enum


class Point(Enum):
    """Where a request can be held: before it does anything, or when all but the answer is done."""

    ARRIVED = "arrived"
    APPLIED = "applied"


@dataclass(slots=True)
class Gate:
    """Holds requests until `release`; `reached` returns as soon as one waits here."""

    point: Point
    waiting: int = 0
    _reached: asyncio.Event = field(default_factory=asyncio.Event)
    _open: asyncio.Event = field(default_factory=asyncio.Event)

    async def reached(self) -> None:
        await self._reached.wait()

    def release(self) -> None:
        self._open.set()

    async def wait(self) -> None:
        """Hold the request that calls this."""
        self.waiting += 1
        self._reached.set()
        try:
            await self._open.wait()
        finally:
            self.waiting -= 1
