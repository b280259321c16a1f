"""Points at which a test holds a request until it lets it go on."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum


class Point(Enum):
    """Where a request can be held: before it does anything, or when all but the answer is done."""

    ARRIVED = "arrived"
    APPLIED = "applied"


@dataclass(slots=True)
class Gate:
    """Holds requests until `release`; `reached` returns as soon as enough of them wait here."""

    point: Point
    waiting: int = 0
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _open: asyncio.Event = field(default_factory=asyncio.Event)

    async def reached(self, by: int = 1) -> None:
        """Wait until `by` requests are held here."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.waiting >= by)

    def release(self) -> None:
        """Let go of all that wait here, and of all that come."""
        self._open.set()

    async def wait(self) -> None:
        """Hold the request that calls this."""
        async with self._changed:
            self.waiting += 1
            self._changed.notify_all()
        try:
            await self._open.wait()
        finally:
            self.waiting -= 1


async def pass_through(gates: Iterable[Gate], point: Point) -> None:
    """Wait at each gate that stands at this point, in order."""
    for gate in gates:
        if gate.point is point:
            await gate.wait()
