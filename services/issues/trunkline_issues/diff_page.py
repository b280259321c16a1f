"""A page of a diff: the part from an offset on that fits, cut where a reader can go on."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from trunkline_issues.diff_lines import Line
from trunkline_issues.diff_pieces import Hunk
from trunkline_shared.untrusted import visible_escapes

_GROWTH = 8
"""Bytes that a hunk's header may grow by when its counts are corrected."""
_LEAST_OF_A_LINE = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    """A place to cut at: in the diff, in the page, and how far the present hunk is shown."""

    offset: int
    size: int
    hidden: int
    old: int = 0
    new: int = 0


@dataclass(slots=True, kw_only=True)
class _Piece:
    """A hunk, or what is left of one, whose header stands in the page at `at`."""

    hunk: Hunk
    at: int
    length: int
    old: int = 0
    new: int = 0
    changes: int = 0

    def grow(self, old: int, new: int) -> None:
        self.old += old
        self.new += new
        self.changes += old != new


@dataclass(slots=True, kw_only=True)
class DiffPage:
    """Takes what stands in a diff from the offset `begin` on, up to `max_size` bytes of UTF-8.

    It ends at a file's end, else at a hunk's, if that leaves it half full at least; else between
    lines, best where both parts of the hunk hold a change: git refuses those without. The header
    of a cut hunk counts the lines that are shown. The headers before a page's first line are
    shown whatever their length; that line is shortened when no room is left for it. Characters
    that cannot be seen are shown as escapes and counted in `hidden`.
    """

    begin: int
    max_size: int
    end: int | None = None
    hidden: int = 0
    shortened: int = 0
    found: bool = False
    _text: bytearray = field(default_factory=bytearray)
    _header: Sequence[bytes] = ()
    _hunk: Hunk | None = None
    _old: int = 0
    _new: int = 0
    _piece: _Piece | None = None
    _of_file: _Mark | None = None
    _of_hunk: _Mark | None = None
    _of_change: _Mark | None = None
    _of_line: _Mark | None = None

    def text(self) -> str:
        return self._text.decode()

    def file(self, header: Sequence[bytes], at: int) -> None:
        """Take a file's header, which stands in the diff at the offset `at`."""
        self._header, self._hunk, self._piece = header, None, None
        if not self._takes(at):
            return
        if self._text:
            self._of_file = self._mark(at)
        self._of_hunk = self._of_change = self._of_line = None
        self._put_header()

    def hunk(self, hunk: Hunk, at: int) -> None:
        """Take a hunk's header."""
        first = self._hunk is None
        self._hunk, self._old, self._new = hunk, 0, 0
        before = self.found
        if not self._takes(at):
            return
        if not before:
            self._put_header()
        elif not first:
            self._of_hunk = self._mark(at)
        self._of_change = self._of_line = None
        self._put_hunk(hunk)

    def line(self, line: Line, old: int, new: int, at: int) -> None:
        """Take a line that stands for `old` and `new` lines; a note stands for none."""
        before = self.found
        takes = self._hunk is not None and (old or new or before) and self._takes(at)
        if takes and self._hunk is not None:
            if not before:
                self._put_header()
                self._put_hunk(self._hunk.after(self._old, self._new))
            if old or new:
                self._mark_line(at, changed=old != new)
            self._put_line(line, old, new)
        self._old += old
        self._new += new

    def _takes(self, at: int) -> bool:
        self.found = self.found or at == self.begin
        return self.found and self.end is None

    def _mark(self, at: int) -> _Mark:
        piece = self._piece
        return _Mark(
            offset=at,
            size=len(self._text),
            hidden=self.hidden,
            old=piece.old if piece else 0,
            new=piece.new if piece else 0,
        )

    def _mark_line(self, at: int, *, changed: bool) -> None:
        piece = self._piece
        if piece is None or not (piece.old or piece.new):
            return
        if self._of_line is not None and len(self._text) + _GROWTH > self.max_size:
            return
        self._of_line = self._mark(at)
        if changed and piece.changes:
            self._of_change = self._of_line

    def _put_header(self) -> None:
        self._put(b"".join(self._visible(line) for line in self._header))

    def _put_hunk(self, hunk: Hunk) -> None:
        header = self._visible(hunk.header())
        self._piece = _Piece(hunk=hunk, at=len(self._text), length=len(header))
        self._put(header)

    def _put(self, header: bytes | bytearray) -> None:
        if not self._fits(len(header)) and self._closed():
            return
        self._text += header

    def _put_line(self, line: Line, old: int, new: int) -> None:
        shown = self._visible(line.kept)
        if line.length > len(line.kept) or not self._fits(len(shown)):
            if self._closed():
                return
            shown = self._shortened(shown, whole=line.length == len(line.kept))
        self._text += shown
        if self._piece is not None:
            self._piece.grow(old, new)

    def _fits(self, size: int) -> bool:
        return len(self._text) + size <= self.max_size

    def _shortened(self, shown: bytes | bytearray, *, whole: bool) -> bytes | bytearray:
        room = max(self.max_size - len(self._text), _LEAST_OF_A_LINE)
        if whole and len(shown) <= room:
            return shown
        self.shortened += 1
        return shown[: room - 1].decode(errors="ignore").encode() + b"\n"

    def _closed(self) -> bool:
        """Cut the page at its best place; false when there is none."""
        whole = [mark for mark in (self._of_file, self._of_hunk) if mark is not None]
        filled = [mark for mark in whole if mark.size * 2 >= self.max_size]
        within = [mark for mark in (self._of_change, self._of_line) if mark is not None]
        mark = next(iter((*filled, *within, *whole)), None)
        if mark is None:
            return False
        del self._text[mark.size :]
        if mark in within and self._piece is not None:
            self._count(self._piece, mark)
        self.end, self.hidden = mark.offset, mark.hidden
        return True

    def _count(self, piece: _Piece, mark: _Mark) -> None:
        header = self._visible(piece.hunk.first(mark.old, mark.new).header())
        self._text[piece.at : piece.at + piece.length] = header

    def _visible(self, line: bytes | bytearray) -> bytes | bytearray:
        if line.isascii():
            return line
        shown, hidden = visible_escapes(line.decode(errors="replace"))
        self.hidden += hidden
        return shown.encode()
