"""Where a review comment stands in a diff, and why GitHub would refuse it there."""

from collections.abc import Mapping
from dataclasses import dataclass

from trunkline_shared.testing.github.changes import Side
from trunkline_shared.testing.github.conversation import Pull


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A line of a changed file, or the lines from `start_line` to it."""

    path: str
    line: int | None
    side: Side
    start_line: int | None
    start_side: Side


def anchor_of(given: Mapping[str, object]) -> Anchor:
    """Read an anchor as a request brings it; what is missing has GitHub's defaults."""
    side: Side = "LEFT" if given.get("side") == "LEFT" else "RIGHT"
    start: Side = "LEFT" if given.get("start_side", side) == "LEFT" else "RIGHT"
    line, start_line = given.get("line"), given.get("start_line")
    return Anchor(
        path=str(given.get("path", "")),
        line=line if isinstance(line, int) else None,
        side=side,
        start_line=start_line if isinstance(start_line, int) else None,
        start_side=start,
    )


def problem(pull: Pull, anchor: Anchor) -> str | None:
    """Return what GitHub says against an anchor, or None when the diff shows all of it."""
    file = next((one for one in pull.files if one.path == anchor.path), None)
    if file is None:
        return "Path could not be resolved"
    end = None if anchor.line is None else file.hunk_of(anchor.side, anchor.line)
    if end is None:
        return "Line could not be resolved"
    if anchor.start_line is None:
        return None
    if file.hunk_of(anchor.start_side, anchor.start_line) != end:
        return "Start line must be part of the same hunk as the line"
    same_side = anchor.start_side == anchor.side
    backwards = same_side and anchor.start_line >= (anchor.line or 0)
    return "Start line must precede the end line" if backwards else None
