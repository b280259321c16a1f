"""A unified diff as what happens in it: a file, a hunk, a line; read once, line by line."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from trunkline_issues.diff_lines import Line
from trunkline_issues.diff_pieces import Hunk, hunk_of

_FILE, _HUNK, _NOTE = b"diff --git ", b"@@ ", b"\\"
_CONTEXT, _ADDED, _REMOVED = b" \r\n", b"+", b"-"
_LONGEST_HEADER = 64
"""Lines: git writes at most a dozen, so what goes on is no header."""


class Listener(Protocol):
    """Who is told what happens; a length is what it takes in the diff, in bytes."""

    def file(self, header: Sequence[bytes], length: int) -> None: ...

    def hunk(self, hunk: Hunk, length: int) -> None: ...

    def line(self, line: Line, old: int, new: int) -> None:
        """Take a line that stands for `old` and `new` lines; a note stands for none."""


@dataclass(slots=True)
class DiffEvents:
    """Tells a listener what a diff holds.

    What belongs to a hunk is decided by the counts in its header: a removed line that begins
    with `--` looks like a header too.
    """

    listener: Listener
    _header: list[Line] = field(default_factory=list)
    _in_file: bool = False
    _old_left: int = 0
    _new_left: int = 0

    def line(self, line: Line) -> None:
        """Take the next line."""
        if self._in_hunk(line):
            return
        if line.kept.startswith(_FILE):
            self.end()
            self._header.append(line)
        elif line.kept.startswith(_HUNK) and (self._header or self._in_file):
            self._begin_hunk(line)
        elif self._header and len(self._header) < _LONGEST_HEADER:
            self._header.append(line)

    def end(self) -> None:
        """Tell of a file without a hunk; of the present file nothing more comes."""
        self._tell_file()
        self._in_file = False
        self._old_left = self._new_left = 0

    def _in_hunk(self, line: Line) -> bool:
        sign = line.kept[:1]
        if sign == _NOTE and self._in_file:
            self.listener.line(line, 0, 0)
            return True
        if not self._old_left and not self._new_left:
            return False
        old, new = int(sign in _CONTEXT or sign == _REMOVED), int(sign != _REMOVED)
        if sign not in _CONTEXT + _ADDED + _REMOVED:
            self._old_left = self._new_left = 0
            return False
        self._old_left = max(0, self._old_left - old)
        self._new_left = max(0, self._new_left - new)
        self.listener.line(line, old, new)
        return True

    def _begin_hunk(self, line: Line) -> None:
        hunk = hunk_of(line.kept)
        if hunk is None:
            return
        self._tell_file()
        self._old_left, self._new_left = hunk.old.count, hunk.new.count
        self.listener.hunk(hunk, line.length)

    def _tell_file(self) -> None:
        if self._header:
            length = sum(line.length for line in self._header)
            self.listener.file([bytes(line.kept) for line in self._header], length)
            self._header.clear()
            self._in_file = True
