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
    """Raw lines that arrived together, and their numbers: most of them never become objects."""

    numbers: Sequence[int]
    raw: Sequence[bytes]

    def lines(self) -> list[Line]:
        """Return the lines as objects."""
        return [*map(Line, self.numbers, self.raw)]

    def last(self, count: int) -> list[Line]:
        """Return the last `count` lines as objects."""
        return Batch(self.numbers[-count:], self.raw[-count:]).lines() if count else []


@dataclass(slots=True, kw_only=True)
class Ring:
    """Keeps the last `lines` lines, and of these the last `most_bytes` bytes, but at least one."""

    lines: int
    most_bytes: int
    _batches: deque[tuple[int, Batch | Sequence[Line]]] = field(default_factory=deque)
    _count: int = 0
    _bytes: int = 0

    def add(self, batch: Batch) -> None:
        """Add lines at the end; older batches that are no longer needed fall out."""
        self._add(sum(map(len, batch.raw)), len(batch.raw), batch)

    def add_lines(self, lines: Sequence[Line]) -> None:
        """Add lines that are objects already."""
        self._add(sum(len(line.raw) for line in lines), len(lines), lines)

    def kept(self) -> list[Line]:
        """Return the lines that are kept, in their order."""
        held = [line for _, batch in self._batches for line in _objects(batch)][-self.lines :]
        size = 0
        for at in range(len(held) - 1, -1, -1):
            size += len(held[at].raw)
            if size > self.most_bytes:
                return held[at + 1 :] or held[-1:]
        return held

    def _add(self, size: int, count: int, batch: Batch | Sequence[Line]) -> None:
        if not count:
            return
        self._batches.append((size, batch))
        self._bytes += size
        self._count += count
        while self._first_is_spare():
            size, first = self._batches.popleft()
            self._bytes -= size
            self._count -= _length(first)

    def _first_is_spare(self) -> bool:
        size, first = self._batches[0]
        enough_lines = self._count - _length(first) >= self.lines
        return enough_lines or self._bytes - size > self.most_bytes


def _length(batch: Batch | Sequence[Line]) -> int:
    return len(batch.raw) if isinstance(batch, Batch) else len(batch)


def _objects(batch: Batch | Sequence[Line]) -> Sequence[Line]:
    return batch.lines() if isinstance(batch, Batch) else batch
