"""The part of a log that is asked for, taken from its stream in bounded memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from trunkline_ci_status.log_layout import lay_out
from trunkline_ci_status.log_lines import CutLine, LineSplitter
from trunkline_ci_status.log_matches import Matches
from trunkline_ci_status.log_pattern import Pattern
from trunkline_ci_status.log_ring import Batch, Ring
from trunkline_ci_status.log_window import Window, Within
from trunkline_shared.trimming import streamed

ERROR_MARK = b"##[error]"
_HELD_PER_SHOWN = 4
_LEAST_HELD = 256 * 1024
_BITE = 32 * 1024
"""How much is looked at together: lines of no length at all cost 200 bytes each meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which lines of a log, and at most how much: the last `lines` and `max_bytes` of them."""

    lines: int
    max_bytes: int
    pattern: Pattern | None = None
    context: int = 0
    window: Window | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What came of a log; lines are counted from 1, and `total_lines` are all it has.

    `selected_lines` are those of the step, or those that match with their context. `truncated`
    says that not all of these are in `text`, or not the whole of each.
    """

    text: str
    total_lines: int
    selected_lines: int
    returned_lines: int
    truncated: bool
    first_line: int | None
    first_error_line: int | None
    matches: int | None
    invisible: int


@dataclass(slots=True)
class LogReader:
    """A sink: takes a log as it comes, and makes an excerpt of it in the end."""

    wanted: Wanted
    _splitter: LineSplitter = field(default_factory=LineSplitter)
    _total: int = 0
    _bytes: int = 0
    _selected: int = 0
    _first_error: int | None = None
    _ring: Ring = field(init=False)
    _within: Within | None = field(init=False)
    _matches: Matches | None = field(init=False)

    def __post_init__(self) -> None:
        wanted, pattern = self.wanted, self.wanted.pattern
        # Raw lines shrink when they are shown: timestamps, colours and progress bars go.
        held = max(_HELD_PER_SHOWN * wanted.max_bytes, _LEAST_HELD)
        self._ring = Ring(lines=wanted.lines, most_bytes=held)
        self._within = Within(wanted.window) if wanted.window else None
        self._matches = Matches(pattern=pattern, context=wanted.context) if pattern else None

    def feed(self, chunk: bytes) -> bool:
        self._bytes += len(chunk)
        for start in range(0, len(chunk), _BITE):
            part = chunk[start : start + _BITE]
            self._take(self._splitter.feed(part), has_error=ERROR_MARK in part)
        return True

    def result(self) -> Excerpt:
        self._take(self._splitter.rest(), has_error=False)
        page = lay_out(self._ring.kept(), self.wanted.max_bytes, numbered=self._matches is not None)
        streamed("logs", self._bytes, page.text)
        return Excerpt(
            text=page.text,
            total_lines=self._total,
            selected_lines=self._selected,
            returned_lines=len(page.lines),
            truncated=page.cut
            or self._selected > len(page.lines)
            or any(isinstance(line.raw, CutLine) for line in page.lines),
            first_line=page.lines[0].number if page.lines else None,
            first_error_line=self._first_error,
            matches=self._matches.count if self._matches is not None else None,
            invisible=page.invisible,
        )

    def _take(self, raw: Sequence[bytes], *, has_error: bool) -> None:
        if not raw:
            return
        batch = Batch(range(self._total + 1, self._total + 1 + len(raw)), raw)
        self._total += len(raw)
        # A mark that two chunks share is in the first line that the second one ends.
        has_error = has_error or ERROR_MARK in raw[0]
        if self._within is not None:
            batch = self._within.pick(batch)
        if has_error and self._first_error is None:
            self._first_error = _first_error(batch)
        self._keep(batch)

    def _keep(self, batch: Batch) -> None:
        if self._matches is None:
            self._selected += len(batch.raw)
            self._ring.add(batch)
        else:
            picked = self._matches.pick(batch)
            self._selected += len(picked)
            self._ring.add_lines(picked)


def _first_error(batch: Batch) -> int | None:
    marked = (n for n, line in zip(*batch, strict=True) if ERROR_MARK in line)
    return next(marked, None)
