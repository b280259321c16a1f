"""Whether GitHub takes a comment where it is wanted; pure, from what the diff shows.

A range lies within one hunk, begins before it ends, and may begin on the other side only there.
"""

from dataclasses import replace
from typing import Literal

from trunkline_inline_review.anchors import Anchor, Reason, Rejection, Wanted
from trunkline_inline_review.diff_index import DiffIndex, FileLines, Span
from trunkline_inline_review.nearest import nearest
from trunkline_inline_review.paths import closest, find, normal

OnOutside = Literal["error", "file", "nearest"]


def malformed(wanted: Wanted) -> Rejection | None:
    """Return why a wanted anchor is wrong in itself, whatever the diff shows."""
    if wanted.path.strip() == "" or normal(wanted.path) is None:
        return Rejection(
            reason="path_leaves_repository",
            message=f"path {wanted.path[:120]!r} is no path inside the repository.",
            hint="Pass the path from the repository's root, such as src/app.py, without '..'.",
            wanted=wanted,
            path=wanted.path,
        )
    return _malformed_file(wanted) if wanted.whole_file else _malformed_lines(wanted)


def _malformed_file(wanted: Wanted) -> Rejection | None:
    if wanted.end is not None:
        return Rejection(
            reason="line_of_whole_file",
            message="subject_type 'file' comments on the whole file, and a line was given.",
            hint="Leave out line and startLine, or subject_type.",
            wanted=wanted,
            path=wanted.path,
        )
    return _suggested_for_file(wanted) if wanted.suggests else None


def _suggested_for_file(wanted: Wanted) -> Rejection:
    return Rejection(
        reason="suggestion_of_whole_file",
        message="A suggestion block replaces lines; a comment on a whole file has none.",
        hint="Give the line (and startLine) that it replaces, or write it without suggestion.",
        wanted=wanted,
        path=wanted.path,
    )


def _malformed_lines(wanted: Wanted) -> Rejection | None:
    if wanted.end is None:
        return Rejection(
            reason="no_line",
            message="line must be given.",
            hint="Pass line, and startLine for a range; or subject_type='file'.",
            wanted=wanted,
            path=wanted.path,
        )
    begin = wanted.begin
    if begin is not None and begin[0] == wanted.side and begin[1] > wanted.end:
        return Rejection(
            reason="start_after_line",
            message=f"startLine {begin[1]} is after line {wanted.end}.",
            hint="startLine is the first line of the range, line its last.",
            wanted=wanted,
            path=wanted.path,
        )
    if wanted.suggests and {wanted.side, begin[0] if begin else wanted.side} != {"RIGHT"}:
        return Rejection(
            reason="suggestion_not_on_right",
            message="A suggestion block replaces lines of the head file: side must be RIGHT.",
            hint="Use side RIGHT, or write the comment without a suggestion block.",
            wanted=wanted,
            path=wanted.path,
        )
    return None


def place(index: DiffIndex, wanted: Wanted, outside: OnOutside = "error") -> Anchor | Rejection:
    """Return the anchor to post, or why there is none.

    `outside` says what becomes of a place in a changed file that the diff does not show. A
    suggestion is never moved: it would replace other lines than those it was written for.
    """
    rejected = malformed(wanted)
    if rejected is not None:
        return rejected
    match = find(index, wanted.path)
    if match is None:
        return _unknown_path(index, wanted)
    found = _in_file(match.file, wanted, match.note)
    if isinstance(found, Anchor) or outside == "error" or wanted.suggests:
        return found
    return _moved(found, outside, match.note) or found


def _moved(rejection: Rejection, outside: OnOutside, note: str) -> Anchor | None:
    asked = f"{rejection.wanted.side} line {rejection.wanted.end} is not in the diff"
    if outside == "file":
        note = f"{note} {asked}: this comments on the whole file.".strip()
        return Anchor(path=rejection.path, note=note)
    near = rejection.nearest
    if near is None:
        return None
    note = f"{note} {asked}: this comments on {near.side} line {near.line}.".strip()
    return replace(near, note=note)


def _unknown_path(index: DiffIndex, wanted: Wanted) -> Rejection:
    likely = closest(wanted.path, index.files)
    file = index.files.get(likely)
    listed = "its first 3,000 changed files" if index.truncated else "its changed files"
    return Rejection(
        reason="path_not_in_diff",
        message=f"{wanted.path[:200]!r} is not a file of the pull request ({listed}).",
        hint=f"Did you mean {likely!r}?"
        if likely
        else "get_commentable_lines lists the files that can be commented.",
        wanted=wanted,
        path=wanted.path,
        ranges=file.ranges(wanted.side) if file else (),
        nearest=nearest(file, wanted) if file else None,
        nearest_path=likely,
    )


def _in_file(file: FileLines, wanted: Wanted, note: str) -> Anchor | Rejection:
    if wanted.whole_file:
        return Anchor(path=file.path, note=note)
    if file.spans is None:
        return _no_patch(file, wanted)
    assert wanted.end is not None
    span = file.span_of(wanted.side, wanted.end)
    if span is None:
        what = f"line {wanted.end} of {file.path} is not in the diff on side {wanted.side}"
        return _outside(file, wanted, "line_not_in_diff", what)
    if wanted.begin is None:
        return Anchor(path=file.path, line=wanted.end, side=wanted.side, note=note)
    return _range(file, wanted, span, note)


def _range(file: FileLines, wanted: Wanted, span: Span, note: str) -> Anchor | Rejection:
    assert wanted.begin is not None
    assert wanted.end is not None
    side, start = wanted.begin
    if file.span_of(side, start) is None:
        what = f"startLine {start} of {file.path} is not in the diff on side {side}"
        return _outside(file, wanted, "start_line_not_in_diff", what)
    if not span.holds(side, start):
        what = f"lines {start} to {wanted.end} of {file.path} are not in one hunk"
        return _outside(file, wanted, "range_across_hunks", what)
    if span.position(side, start) > span.position(wanted.side, wanted.end):
        what = f"{side} line {start} stands below {wanted.side} line {wanted.end} in the diff"
        return _outside(file, wanted, "start_below_line", what)
    return _joined(file.path, span, wanted, note)


def _joined(path: str, span: Span, wanted: Wanted, note: str) -> Anchor:
    """Return a range; the two names of one context line are a single line."""
    assert wanted.begin is not None
    assert wanted.end is not None
    side, start = wanted.begin
    if span.position(side, start) == span.position(wanted.side, wanted.end):
        return Anchor(path=path, line=wanted.end, side=wanted.side, note=note)
    return Anchor(
        path=path,
        line=wanted.end,
        side=wanted.side,
        start_line=start,
        start_side=side,
        note=note,
    )


def _no_patch(file: FileLines, wanted: Wanted) -> Rejection:
    return Rejection(
        reason="no_patch",
        message=f"GitHub shows no diff of {file.path} (binary, very large, or only its name or "
        "mode changed), so none of its lines can be commented.",
        hint="Comment on the whole file: subject_type='file' (without line and suggestion).",
        wanted=wanted,
        path=file.path,
    )


def _outside(
    file: FileLines,
    wanted: Wanted,
    reason: Reason,
    what: str,
) -> Rejection:
    near = nearest(file, wanted)
    hint = (
        "details.valid_ranges can be commented; details.nearest works as it is."
        if near is not None
        else "Comment on the whole file: subject_type='file' (without line and suggestion)."
    )
    return Rejection(
        reason=reason,
        message=f"{what[:1].upper()}{what[1:]}.",
        hint=hint,
        wanted=wanted,
        path=file.path,
        ranges=file.ranges(wanted.side),
        nearest=near,
    )
