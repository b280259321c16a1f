"""From a diff that was read to what an agent gets of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from trunkline_issues.diff_fetching import Source
from trunkline_issues.diff_files import DiffFile, DiffFiles, Wanted
from trunkline_issues.diff_models import Diff, FileOfDiff
from trunkline_issues.diff_page import DiffPage
from trunkline_issues.diff_stat import stat
from trunkline_issues.pull_finding import Found
from trunkline_shared.errors import InvalidInput
from trunkline_shared.github.pull_models import PullRequest
from trunkline_shared.trimming import cut_bytes, streamed
from trunkline_shared.untrusted import visible_escapes

Format = Literal["diff", "stat", "files"]
_KIB = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffRead:
    """A diff that was read: what was wanted, what came of it, and the head after it."""

    found: Found
    after: PullRequest
    wanted: Wanted
    files: DiffFiles
    source: Source

    @property
    def moved(self) -> bool:
        """Whether the head or the base moved while the diff was read."""
        before, after = self.found.pull, self.after
        return (before.head.sha, before.base.sha) != (after.head.sha, after.base.sha)


def result(read: DiffRead, form: Format) -> Diff:
    """Return the page and what is around it.

    Raises InvalidInput for an offset at which no page begins.
    """
    page, entries = read.files.page, read.files.entries
    _require_beginning(read)
    end = page.end if form == "diff" else None
    shown = page.text() if form == "diff" else ""
    _note_the_rest(read, shown)
    return Diff(
        pr_number=read.found.pull.number,
        diff=stat(entries) if form == "stat" else shown,
        truncated=end is not None,
        warning="; ".join(_warnings(read, end)) or None,
        original_size_bytes=read.files.size,
        files=[_file(one, page, form) for one in entries if _is_ahead(one, page.begin)],
        base_sha=read.after.base.sha,
        head_sha=read.after.head.sha,
        head_moved=read.moved,
        source=read.source,
        next_offset=end,
        hidden_characters=page.hidden,
        shortened_lines=page.shortened,
        other_pull_requests=list(read.found.others),
    )


def _note_the_rest(read: DiffRead, shown: str) -> None:
    if read.source == "diff":
        streamed("truncation", read.files.size, shown)
    else:
        cut_bytes(read.files.size - len(shown.encode(errors="replace")))


def _require_beginning(read: DiffRead) -> None:
    """Check that a page begins at the offset. Raises InvalidInput."""
    page = read.files.page
    if page.found or not page.begin:
        return
    problem = "is not where a page of this diff begins"
    raise InvalidInput(
        f"offset {page.begin} {problem}: the diff has {read.files.size} bytes.",
        hint=f"Pass next_offset of a page of the same paths and head; it is {read.after.head.sha} "
        "now. Begin again with offset 0 if it moved.",
        details={
            "head_sha": read.after.head.sha,
            "field_errors": [{"field": "offset", "problem": problem, "kind": "offset"}],
        },
    )


def _warnings(read: DiffRead, end: int | None) -> Iterator[str]:
    """Yield what an agent must know before it trusts the diff to be all of it."""
    if end is not None:
        yield f"Diff truncated at {read.wanted.max_size // _KIB}KB"
    if missing := sum(one.missing for one in read.files.entries):
        yield f"GitHub leaves out the lines of {missing} files that are binary or too large"
    if read.wanted.paths and not read.files.entries:
        yield "No file of the pull request is in paths"
    listed, changed = len(read.files.entries), read.after.changed_files
    if not read.wanted.paths and not read.moved and listed < changed:
        yield f"GitHub lists {listed} of the {changed} files"
    if read.files.page.shortened:
        yield "Lines longer than the page are shortened"
    if read.moved:
        yield "The head or the base moved while the diff was read: begin again with offset 0"


def _is_ahead(file: DiffFile, begin: int) -> bool:
    return file.begin >= begin or file.end > begin


def _file(file: DiffFile, page: DiffPage, form: Format) -> FileOfDiff:
    page_end = file.end if page.end is None else page.end
    included = form == "diff" and not file.missing and file.begin < page_end
    whole = page.begin <= file.begin and file.end <= page_end
    return FileOfDiff(
        path=visible_escapes(file.path)[0],
        previous_path=None if file.previous is None else visible_escapes(file.previous)[0],
        status=file.status,
        additions=file.additions,
        deletions=file.deletions,
        included=included,
        partial=included and not whole,
    )
