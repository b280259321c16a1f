"""The valid place that is closest to one which is not."""

from trunkline_inline_review.anchors import Anchor, Wanted
from trunkline_inline_review.diff_index import FileLines, Side, Span


def nearest(file: FileLines, wanted: Wanted) -> Anchor | None:
    """Return the valid place closest to a wanted one: on its side, else on the other.

    A range keeps as much of itself as the hunk of its last line holds.
    """
    sides: tuple[Side, ...] = ("RIGHT", "LEFT") if wanted.side == "RIGHT" else ("LEFT", "RIGHT")
    for side in sides[:1] if wanted.suggests else sides:
        found = _nearest_on(file, wanted, side)
        if found is not None:
            return found
    return None


def _nearest_on(file: FileLines, wanted: Wanted, side: Side) -> Anchor | None:
    line = wanted.end or 1
    clamped = [
        (abs(min(max(line, shown[0]), shown[1]) - line), min(max(line, shown[0]), shown[1]), span)
        for span in file.spans or ()
        if (shown := span.range(side)) is not None
    ]
    if not clamped:
        return None
    _, closest_line, span = min(clamped, key=lambda one: one[:2])
    start = _start_within(span, wanted, side, closest_line)
    if start is None:
        return Anchor(path=file.path, line=closest_line, side=side)
    return Anchor(
        path=file.path, line=closest_line, side=side, start_line=start[1], start_side=start[0]
    )


def _start_within(span: Span, wanted: Wanted, side: Side, line: int) -> tuple[Side, int] | None:
    if wanted.begin is None or side != wanted.side:
        return None
    start_side, start = wanted.begin
    shown = span.range(start_side)
    if shown is None:
        return None
    start = min(max(start, shown[0]), shown[1])
    if span.position(start_side, start) >= span.position(side, line):
        return None
    return start_side, start
