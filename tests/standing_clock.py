"""A clock at which whoever sleeps stands still until the test lets time pass."""

import asyncio
from dataclasses import dataclass, field

from trunkline_shared.testing.fake_clock import FakeClock


@dataclass(slots=True)
class _Sleepers:
    count: int = 0
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)


class StandingClock(FakeClock):
    """Time passes in `pass_by` only, for all who sleep together."""

    def __init__(self) -> None:
        super().__init__()
        self._sleepers = _Sleepers()

    async def sleep(self, seconds: float) -> None:
        """Stand still until so much time has passed."""
        self.slept.append(seconds)
        until = self.monotonic() + seconds
        async with self._sleepers.changed:
            self._sleepers.count += 1
            self._sleepers.changed.notify_all()
            await self._sleepers.changed.wait_for(lambda: self.monotonic() >= until)
            self._sleepers.count -= 1

    async def pass_by(self, seconds: float, *, sleepers: int) -> None:
        """Wait until so many sleep, then let time pass."""
        async with self._sleepers.changed:
            await self._sleepers.changed.wait_for(lambda: self._sleepers.count >= sleepers)
            self.advance(seconds)
            self._sleepers.changed.notify_all()
