"""One who watches what happens, and the bounded number of events that wait for him."""

import asyncio
from collections import deque
from typing import Final

from trunkline_router.wire.event import named_event

BACKLOG: Final = 500
PER_SECOND: Final = 50


_GAP = named_event(b"gap", {})


class Listener:
    """Is told of 50 calls a second, then how many were skipped; of states the newest alone.

    Who does not keep up has a gap in place of the calls that were too many.
    """

    def __init__(self) -> None:
        self.filled = asyncio.Event()
        self._calls: deque[bytes] = deque()
        self._state: bytes | None = None
        self._second = -1
        self._told = 0
        self._skipped = 0

    def room(self, second: int, many: int) -> int:
        """Return how many of so many calls of a second are to be told; count the others."""
        if second != self._second:
            self.settle()
            self._second, self._told = second, 0
        told = min(many, PER_SECOND - self._told)
        self._told += told
        self._skipped += many - told
        return told

    def call(self, frame: bytes) -> None:
        """Tell of a call."""
        if len(self._calls) >= BACKLOG:
            self._calls.clear()
            self._calls.append(_GAP)
        self._calls.append(frame)
        self.filled.set()

    def state(self, frame: bytes) -> None:
        """Tell how everything stands now."""
        self.settle()
        self._state = frame
        self.filled.set()

    def settle(self) -> None:
        """Say how many calls were skipped, if any were."""
        if self._skipped:
            skipped, self._skipped = self._skipped, 0
            self.call(named_event(b"skipped", {"calls": skipped}))

    def take(self) -> bytes:
        """Return all that waits, as it is to be written."""
        self.filled.clear()
        frames = [*self._calls, *(() if self._state is None else (self._state,))]
        self._calls.clear()
        self._state = None
        return b"".join(frames)
