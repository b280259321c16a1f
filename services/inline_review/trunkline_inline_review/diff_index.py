"""Which lines of which files a pull request's diff shows, for one base and one head."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from trunkline_shared.github import hunks
from trunkline_shared.github.pull_models import PullFile

Side = Literal["LEFT", "RIGHT"]
Range = tuple[int, int]

_SHOWN: Mapping[Side, str] = {"LEFT": "-", "RIGHT": "+"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One hunk: LEFT counts the base file's lines, RIGHT the head file's.

    `signs` has one character a line in the hunk's order: a space, `+` or `-`.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    signs: str

    def range(self, side: Side) -> Range | None:
        """Return the first and last line that the side shows here; None when it shows none."""
        start, count = (
            (self.old_start, self.old_count) if side == "LEFT" else (self.new_start, self.new_count)
        )
        return (start, start + count - 1) if count else None

    def holds(self, side: Side, line: int) -> bool:
        shown = self.range(side)
        return shown is not None and shown[0] <= line <= shown[1]

    def position(self, side: Side, line: int) -> int:
        """Return where in the hunk a line that it holds stands, counted from 0."""
        start = self.old_start if side == "LEFT" else self.new_start
        wanted = line - start
        seen = -1
        for position, sign in enumerate(self.signs):
            seen += sign in {" ", _SHOWN[side]}
            if seen == wanted:
                return position
        raise ValueError(f"line {line} is not in the hunk")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLines:
    """A changed file; `spans` is None where GitHub gives no patch (binary, huge, mode only)."""

    path: str
    status: str
    previous_path: str | None = None
    spans: tuple[Span, ...] | None = None

    def span_of(self, side: Side, line: int) -> Span | None:
        """Return the hunk that shows a line."""
        return next((span for span in self.spans or () if span.holds(side, line)), None)

    def ranges(self, side: Side) -> tuple[Range, ...]:
        """Return the lines that may be commented on a side, hunk by hunk."""
        found = (span.range(side) for span in self.spans or ())
        return tuple(one for one in found if one is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffIndex:
    """The changed files by path; `truncated` says that GitHub listed only the first 3,000."""

    base_sha: str
    head_sha: str
    files: Mapping[str, FileLines]
    truncated: bool = False

    @property
    def weight(self) -> int:
        """How much memory it takes, roughly, in files and hunks."""
        return 1 + sum(1 + len(file.spans or ()) for file in self.files.values())


def indexed(
    files: Iterable[PullFile], *, base_sha: str, head_sha: str, truncated: bool = False
) -> DiffIndex:
    """Return the index of a pull request's files."""
    return DiffIndex(
        base_sha=base_sha,
        head_sha=head_sha,
        files={file.filename: file_lines(file) for file in files},
        truncated=truncated,
    )


def file_lines(file: PullFile) -> FileLines:
    """Return what may be commented in one file."""
    spans = None if file.patch is None else tuple(_span(one) for one in hunks.parsed(file.patch))
    return FileLines(
        path=file.filename,
        status=file.status,
        previous_path=file.previous_filename,
        spans=spans or None,
    )


def _span(hunk: hunks.Hunk) -> Span:
    return Span(
        old_start=hunk.old_start,
        old_count=hunk.old_count,
        new_start=hunk.new_start,
        new_count=hunk.new_count,
        signs="".join([line[:1] or " " for line in hunk.lines if line[:1] != "\\"]),
    )
