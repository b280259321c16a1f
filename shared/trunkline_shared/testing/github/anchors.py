"""Where a review comment stands in a diff, and why GitHub would refuse it there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trunkline_shared.testing.github.anchoring import (
    ACROSS,
    BACKWARDS,
    OUTSIDE,
    START_OUTSIDE,
    Place,
    Reason,
    refusal_of,
)
from trunkline_shared.testing.github.changes import ChangedFile, Side

UNKNOWN_PATH = "Path could not be resolved"


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


def why_not(file: ChangedFile, anchor: Anchor) -> Reason | None:
    """Return why GitHub takes no comment there, or None when the diff shows all of it."""
    if anchor.line is None:
        return Reason(field="pull_request_review_thread.line", message=OUTSIDE)
    place = Place(
        line=anchor.line,
        side=anchor.side,
        start_line=anchor.start_line,
        start_side=anchor.start_side,
    )
    return refusal_of(file, place)


def problem(files: Sequence[ChangedFile], anchor: Anchor) -> str | None:
    """Return what GitHub says against an anchor of a review, which names no field."""
    file = next((one for one in files if one.path == anchor.path), None)
    if file is None:
        return UNKNOWN_PATH
    found = why_not(file, anchor)
    return None if found is None else _SAID[found.message]


_SAID: Mapping[str, str] = {
    OUTSIDE: "Line could not be resolved",
    START_OUTSIDE: "Start line must be part of the same hunk as the line",
    ACROSS: "Start line must be part of the same hunk as the line",
    BACKWARDS: "Start line must precede the end line",
}
