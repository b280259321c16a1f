"""Hunks and pieces of them: what their headers count, and what a piece's header must say."""

import re
from dataclasses import dataclass, replace

_HEADER = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A run of lines of one file; one without lines stands behind the line `start`."""

    start: int
    count: int

    def __str__(self) -> str:
        return f"{self.start}" if self.count == 1 else f"{self.start},{self.count}"

    def first(self, count: int) -> "Span":
        """Return the first `count` lines of it."""
        if self.count and not count:
            return Span(start=self.start - 1, count=0)
        return replace(self, count=count)

    def after(self, count: int) -> "Span":
        """Return what is left of it after `count` lines."""
        if not self.count:
            return self
        rest = Span(start=self.start + count, count=self.count)
        return rest.first(self.count - count)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """What a hunk's header says; `section` is what stands behind its second `@@`."""

    old: Span
    new: Span
    section: bytes = b""

    def header(self) -> bytes:
        return f"@@ -{self.old} +{self.new} @@".encode() + self.section

    def first(self, old: int, new: int) -> "Hunk":
        """Return the beginning of it, with that many lines of each file."""
        return replace(self, old=self.old.first(old), new=self.new.first(new))

    def after(self, old: int, new: int) -> "Hunk":
        """Return what is left of it after that many lines of each file."""
        return replace(self, old=self.old.after(old), new=self.new.after(new))


def hunk_of(header: bytes | bytearray) -> Hunk | None:
    """Read a hunk's header line, its end included; None for another line."""
    found = _HEADER.match(header)
    if found is None:
        return None
    old_start, old_count, new_start, new_count = found.groups()
    return Hunk(
        old=_span(old_start, old_count),
        new=_span(new_start, new_count),
        section=bytes(header[found.end() :]),
    )


def _span(start: bytes, count: bytes | None) -> Span:
    return Span(start=int(start), count=1 if count is None else int(count))
