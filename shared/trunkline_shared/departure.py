"""The end of a process, as far as it has come: the router's, or a server's of its own."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum


class Pace(Enum):
    """How a process ends: letting all finish, or without waiting long."""

    GENTLE = "gentle"
    QUICK = "quick"


@dataclass(slots=True)
class Departure:
    """Begun by whoever runs the process; a second word hurries what the first has begun."""

    _begun: asyncio.Event = field(default_factory=asyncio.Event)
    _hurried: asyncio.Event = field(default_factory=asyncio.Event)

    def begin(self, pace: Pace = Pace.QUICK) -> None:
        """Let the process end; who is asked twice waits for nothing any more."""
        if pace is Pace.QUICK or self.begun:
            self._hurried.set()
        self._begun.set()

    async def wait(self) -> None:
        """Wait until the process is to end."""
        await self._begun.wait()

    async def hurry(self) -> None:
        """Wait until there is no more time to wait for anything."""
        await self._hurried.wait()

    async def grace(self, seconds: float) -> None:
        """Wait for `seconds`, or until there is no more time for it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.hurry()

    @property
    def begun(self) -> bool:
        """Whether new requests had better go elsewhere."""
        return self._begun.is_set()

    @property
    def hurried(self) -> bool:
        return self._hurried.is_set()
