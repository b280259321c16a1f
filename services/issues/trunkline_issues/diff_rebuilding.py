"""A file's part of a unified diff, rebuilt from GitHub's list of files, which has hunks only."""

from collections.abc import Iterator

from trunkline_issues.diff_names import quoted
from trunkline_issues.diff_pieces import Hunk as Piece
from trunkline_issues.diff_pieces import Span, hunk_of
from trunkline_shared.github.hunks import Hunk, parsed
from trunkline_shared.github.pull_models import PullFile

_NOWHERE = "/dev/null"


def rebuilt(file: PullFile) -> str | None:
    """Return the file's part of `git diff`; None when GitHub leaves its lines out.

    It leaves them out of binary and of very large files; only a mere renaming has none.
    """
    if file.patch is None and (file.status != "renamed" or file.changes):
        return None
    return "\n".join((*_header(file), *_sides(file), *_hunks(file.patch or ""), ""))


def _header(file: PullFile) -> Iterator[str]:
    old = file.previous_filename or file.filename
    yield f"diff --git {quoted(f'a/{old}')} {quoted(f'b/{file.filename}')}"
    match file.status:
        case "added":
            yield "new file mode 100644"
        case "removed":
            yield "deleted file mode 100644"
        case "renamed" | "copied":
            verb = "rename" if file.status == "renamed" else "copy"
            if not file.changes:
                yield "similarity index 100%"
            yield f"{verb} from {quoted(old)}"
            yield f"{verb} to {quoted(file.filename)}"
        case _:
            pass


def _sides(file: PullFile) -> Iterator[str]:
    if not file.patch:
        return
    old = file.previous_filename or file.filename
    yield f"--- {_NOWHERE if file.status == 'added' else _name(f'a/{old}')}"
    yield f"+++ {_NOWHERE if file.status == 'removed' else _name(f'b/{file.filename}')}"


def _name(path: str) -> str:
    """Return a name as it stands behind `---`: a tab tells where one with a space ends."""
    name = quoted(path)
    return f"{name}\t" if " " in name and name == path else name


def _hunks(patch: str) -> Iterator[str]:
    for hunk in parsed(patch):
        yield _true_header(hunk)
        yield from hunk.lines


def _true_header(hunk: Hunk) -> str:
    """Return the header with the counts of the lines that are there: GitHub may cut a patch."""
    said = hunk_of(hunk.header.encode())
    assert said is not None
    if (said.old.count, said.new.count) == (hunk.old_count, hunk.new_count):
        return hunk.header
    true = Piece(
        old=Span(start=hunk.old_start, count=said.old.count).first(hunk.old_count),
        new=Span(start=hunk.new_start, count=said.new.count).first(hunk.new_count),
        section=said.section,
    )
    return true.header().decode()
