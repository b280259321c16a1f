"""Time as a collaborator, so that tests decide what time it is."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """What the time is and how to wait."""

    def now(self) -> float:
        """Seconds since the epoch."""

    def monotonic(self) -> float:
        """Seconds on a clock that never goes back."""

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        return time.time()  # noqa: TID251 - the one place that may ask the system

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
