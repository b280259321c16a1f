"""What a diff flows into: one page of it, and what it does to each of its files."""

from dataclasses import dataclass, field

from trunkline_issues.diff_events import DiffEvents
from trunkline_issues.diff_files import DiffFiles, Wanted
from trunkline_issues.diff_lines import Lines
from trunkline_issues.diff_page import DiffPage

_LONGEST_NAME = 8_192


@dataclass(slots=True)
class DiffSink:
    """Reads a diff once, chunk by chunk; holds a page, a line, and the files' names.

    A `max_size` of 0 takes no page.
    """

    wanted: Wanted
    files: DiffFiles = field(init=False)
    _events: DiffEvents = field(init=False)
    _lines: Lines = field(init=False)

    def __post_init__(self) -> None:
        page = DiffPage(begin=self.wanted.offset, max_size=self.wanted.max_size)
        page.end = None if self.wanted.max_size else self.wanted.offset
        self.files = DiffFiles(wanted=self.wanted, page=page)
        self._events = DiffEvents(self.files)
        self._lines = Lines(max(self.wanted.max_size, _LONGEST_NAME))

    def feed(self, chunk: bytes) -> bool:
        """Take the next bytes; all are wanted, since a page tells how much there is beyond it."""
        for line in self._lines.feed(chunk):
            self._events.line(line)
        return True

    def end_file(self) -> None:
        """Finish what stands there so far: another file begins, or none."""
        for line in self._lines.rest():
            self._events.line(line)
        self._events.end()

    def result(self) -> DiffFiles:
        """Return the files of the diff, and the page of it."""
        self.end_file()
        return self.files
