"""Numbered lines of a log, and the last of them, bounded in number and bytes."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Line(NamedTuple):
    """A raw line with its number in the log, from 1; `matches` is false for mere context."""

    number: int
    raw: bytes
    matches: bool = True


class Batch(NamedTuple):
    """Raw lines that arrived together, and their numbers."""

    numbers: Sequence[int]
    raw: Sequence[bytes]

    def last(self, count: int) -> list[Line]:
        """Return the last `count` lines: of many, only those that can stay become objects."""
        return [*map(Line, self.numbers[-count:], self.raw[-count:])] if count else []


@dataclass(slots=True, kw_only=True)
class Ring:
    """Keeps at most `lines` lines, and of these the last `most_bytes` bytes, but at least one."""

    lines: int
    most_bytes: int
    kept: deque[Line] = field(default_factory=deque)
    _held: int = 0

    def extend(self, lines: Sequence[Line]) -> None:
        """Add lines at the end; the oldest fall out."""
        last = lines[-self.lines :]
        self.kept.extend(last)
        self._held += sum(len(line.raw) for line in last)
        while self._overflows():
            self._held -= len(self.kept.popleft().raw)

    def _overflows(self) -> bool:
        too_many = len(self.kept) > self.lines
        return too_many or (self._held > self.most_bytes and len(self.kept) > 1)
