"""Where the callers of one process stand in line, by key."""

import asyncio
from dataclasses import dataclass, field

from trunkline_shared.clock import Clock


@dataclass(slots=True)
class Line:
    """One at a time, in the order of coming; `ended` is when the last one was done."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    ended: float = float("-inf")

    def idle_since(self, moment: float) -> bool:
        return not self.lock.locked() and not self.waiting and self.ended < moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """The lines of a process; one that nobody needs any more is forgotten."""

    clock: Clock
    kept: dict[str, Line] = field(default_factory=dict)

    def at(self, key: str, *, remembered_s: float) -> Line:
        """Return the line of a key; what ended longer ago than `remembered_s` does not matter."""
        long_ago = self.clock.monotonic() - remembered_s
        for other in [other for other, line in self.kept.items() if line.idle_since(long_ago)]:
            del self.kept[other]
        return self.kept.setdefault(key, Line())
