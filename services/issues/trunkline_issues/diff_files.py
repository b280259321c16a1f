"""The files of a diff: what is done to each, where it stands, and which of them are asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from trunkline_issues.diff_lines import Line
from trunkline_issues.diff_names import named
from trunkline_issues.diff_page import DiffPage
from trunkline_issues.diff_pieces import Hunk
from trunkline_shared.untrusted import visible_escapes

_BINARY = (b"Binary files ", b"GIT binary patch")


@dataclass(slots=True, kw_only=True)
class DiffFile:
    """A file of a diff: what is done to it, and from where to where it stands in the diff.

    One that is `missing` is changed, and its lines are not in the diff.
    """

    path: str
    previous: str | None = None
    status: str
    begin: int
    end: int
    additions: int = 0
    deletions: int = 0
    missing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which part of a diff: these files or folders (none: all), from an offset on."""

    paths: Sequence[str] = ()
    offset: int = 0
    max_size: int = 0

    def has(self, *names: str | None) -> bool:
        """Whether one of the names of a file is asked for, as it is or as it is shown."""
        if not self.paths:
            return True
        given = [name for name in names if name is not None]
        known = {*given, *(visible_escapes(name)[0] for name in given)}
        return any(
            name == asked or name.startswith(f"{asked.rstrip('/')}/")
            for name in known
            for asked in self.paths
        )


@dataclass(slots=True, kw_only=True)
class DiffFiles:
    """Keeps account of the files that are asked for, and hands what stands in them to a page.

    `size` is what they take together, in bytes: offsets count in it, over the diff as GitHub
    sends it.
    """

    wanted: Wanted
    page: DiffPage
    size: int = 0
    entries: list[DiffFile] = field(default_factory=list)
    _present: DiffFile | None = None

    def file(self, header: Sequence[bytes], length: int) -> None:
        found = named(header)
        self._present = None
        if not self.wanted.has(found.path, found.previous):
            return
        self._present = DiffFile(
            path=found.path,
            previous=found.previous,
            status=found.status,
            begin=self.size,
            end=self.size,
            missing=any(line.startswith(_BINARY) for line in header),
        )
        self.entries.append(self._present)
        self.page.file(header, self.size)
        self._advance(length)

    def hunk(self, hunk: Hunk, length: int) -> None:
        if self._present is not None:
            self.page.hunk(hunk, self.size)
            self._advance(length)

    def line(self, line: Line, old: int, new: int) -> None:
        present = self._present
        if present is not None:
            present.additions += new > old
            present.deletions += old > new
            self.page.line(line, old, new, self.size)
            self._advance(line.length)

    def _advance(self, length: int) -> None:
        self.size += length
        if self._present is not None:
            self._present.end = self.size
