"""A clock that stands until a test moves it."""

import asyncio


class FakeClock:
    """Time that passes only in `advance` and in `sleep`, which returns at once."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self._now = now
        self.slept: list[float] = []

    def now(self) -> float:
        return self._now

    def monotonic(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        self._now += seconds

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._now += seconds
        await asyncio.sleep(0)
