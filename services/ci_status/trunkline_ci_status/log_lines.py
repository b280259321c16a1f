"""A log's bytes as lines, whatever the chunks: each line bounded, nothing held but the open one."""

import re
from dataclasses import dataclass

LINE_CAP = 16 * 1024
"""The most bytes that are kept of one line; single lines of megabytes exist."""

_BOM = b"\xef\xbb\xbf"
_STAMP_ROOM = 64
_ESCAPE_ROOM = 64
_BROKEN_CHARACTER = re.compile(rb"[\xc0-\xff][\x80-\xbf]{0,2}\Z")
STAMP = rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z(?: |(?=\r|\n|\Z))"
_STAMP = re.compile(STAMP)


class CutLine(bytes):
    """A line of which the rest was dropped; it ends with a mark that says how much."""

    __slots__ = ()


@dataclass(slots=True)
class LineSplitter:
    """Cuts chunks into lines at line feeds, which are not part of them.

    A line longer than LINE_CAP keeps GitHub's timestamp and what follows its last carriage
    return (the last state of a progress bar), as far as that fits.
    """

    _open: bytes = b""
    _dropped: int = 0
    _begun: bool = False

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the lines that `chunk` ends."""
        lines = (self._open + chunk).split(b"\n")
        if not self._begun and not self._past_bom(lines):
            self._open = lines[0]
            return []
        self._open = lines.pop()
        if lines and (self._dropped or max(map(len, lines)) > LINE_CAP):
            lines = [self._finished(lines[0]), *map(_bounded, lines[1:])]
            self._dropped = 0
        if len(self._open) > 2 * LINE_CAP:
            self._open, self._dropped = _shortened(self._open, self._dropped)
        return lines

    def rest(self) -> list[bytes]:
        """Return the last line, if it lacks its line feed."""
        last, self._open = self._open, b""
        return [self._finished(last)] if last or self._dropped else []

    def _past_bom(self, lines: list[bytes]) -> bool:
        """Drop the byte order mark of the log; false while it may still come."""
        if len(lines) == 1 and len(lines[0]) < len(_BOM):
            return False
        lines[0] = lines[0].removeprefix(_BOM)
        self._begun = True
        return True

    def _finished(self, line: bytes) -> bytes:
        kept, dropped = _shortened(line, self._dropped)
        return _marked(kept.rstrip(b"\r"), dropped) if dropped else kept


def _bounded(line: bytes) -> bytes:
    if len(line) <= LINE_CAP:
        return line
    kept, dropped = _shortened(line, 0)
    return _marked(kept.rstrip(b"\r"), dropped) if dropped else kept


def _shortened(line: bytes, dropped: int) -> tuple[bytes, int]:
    """Return the last state of a line, cut to LINE_CAP, and how many bytes of that are dropped.

    `dropped` bytes are missing already behind the first LINE_CAP. A carriage return at the end
    stays: what follows it is not known yet.
    """
    body = line.rstrip(b"\r")
    end = b"\r" if len(body) < len(line) else b""
    before, returned, state = body.rpartition(b"\r")
    if returned:
        stamp = _STAMP.match(before, 0, _STAMP_ROOM)
        body, dropped = (stamp[0] if stamp else b"") + state, 0
    if len(body) <= LINE_CAP:
        return body + end, dropped
    return body[:LINE_CAP] + end, dropped + len(body) - LINE_CAP


def _marked(kept: bytes, dropped: int) -> CutLine:
    """Say how much is missing, after the last whole character and escape sequence."""
    escape = kept.rfind(b"\x1b", max(0, len(kept) - _ESCAPE_ROOM))
    whole = _BROKEN_CHARACTER.sub(b"", kept if escape < 0 else kept[:escape])
    missing = dropped + len(kept) - len(whole)
    return CutLine(whole + b" [... %d bytes cut]" % missing)
