"""The lines of a diff that can be commented, as an agent reads them."""

from trunkline_inline_review.changed_lines import Seen
from trunkline_inline_review.diff_index import DiffIndex, FileLines
from trunkline_inline_review.inline_models import CommentableFile, CommentableLines
from trunkline_inline_review.paths import closest, find
from trunkline_shared.errors import NotFound


def commentable(seen: Seen, path: str) -> CommentableLines:
    """Return the lines of one file, or of all. Raises NotFound for a file that is not changed."""
    index = seen.index
    files = [_named(index, path)] if path else list(index.files.values())
    return CommentableLines(
        files=[_shown(file) for file in files],
        head_sha=index.head_sha,
        base_sha=index.base_sha,
        truncated=index.truncated,
    )


def _named(index: DiffIndex, path: str) -> FileLines:
    match = find(index, path)
    if match is not None:
        return match.file
    likely = closest(path, index.files)
    raise NotFound(
        f"{path[:200]!r} is not a file that the pull request changes.",
        hint=f"Did you mean {likely!r}?" if likely else "Leave path out to see all of them.",
        details={"reason": "path_not_in_diff", "nearest_path": likely or None},
    )


def _shown(file: FileLines) -> CommentableFile:
    return CommentableFile(
        path=file.path,
        status=file.status,
        previous_filename=file.previous_path,
        right=list(file.ranges("RIGHT")),
        left=list(file.ranges("LEFT")),
        patch_missing=file.spans is None,
    )
