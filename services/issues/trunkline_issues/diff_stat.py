"""What a diff does to each file as a table, like `git diff --stat`."""

from collections.abc import Sequence

from trunkline_issues.diff_files import DiffFile
from trunkline_shared.untrusted import visible_escapes

_WIDEST = 40


def stat(files: Sequence[DiffFile]) -> str:
    """Return one line per file, with its added and removed lines, and their sum."""
    most = max((one.additions + one.deletions for one in files), default=0)
    scale = min(1.0, _WIDEST / most) if most else 0.0
    lines = [_line(one, scale) for one in files]
    added, removed = sum(one.additions for one in files), sum(one.deletions for one in files)
    return "".join((
        *lines,
        f" {len(files)} files changed, {added} insertions(+), {removed} deletions(-)\n",
    ))


def _line(file: DiffFile, scale: float) -> str:
    path, _ = visible_escapes(file.path)
    name = path if file.previous is None else f"{visible_escapes(file.previous)[0]} => {path}"
    plus, minus = round(file.additions * scale), round(file.deletions * scale)
    bar = "+" * max(plus, file.additions > 0) + "-" * max(minus, file.deletions > 0)
    return f" {name} | {file.additions + file.deletions} {bar}".rstrip() + "\n"
