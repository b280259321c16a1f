"""Where a comment on a diff may stand, decided from the contents and never from a patch."""

from collections.abc import Iterator
from dataclasses import dataclass

from trunkline_shared.testing.github.changes import ChangedFile, Operation, Side

THREAD = "pull_request_review_thread"
OUTSIDE = f"{THREAD}.line must be part of the diff"
START_OUTSIDE = f"{THREAD}.start_line must be part of the diff"
ACROSS = f"{THREAD}.start_line must be part of the same hunk as the line."
BACKWARDS = f"{THREAD}.start_line must precede the end line."


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Lines of a diff as a request names them."""

    line: int
    side: Side = "RIGHT"
    start_line: int | None = None
    start_side: Side | None = None

    @property
    def first(self) -> tuple[Side, int]:
        if self.start_line is None:
            return (self.side, self.line)
        return (self.start_side or self.side, self.start_line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Which field GitHub refuses, and in which words."""

    field: str
    message: str


def refusal_of(file: ChangedFile, place: Place) -> Reason | None:
    """Return why GitHub takes no comment there, or None when it does."""
    end = spot_of(file, place.side, place.line)
    if end is None:
        return Reason(field=f"{THREAD}.line", message=OUTSIDE)
    if place.start_line is None:
        return None
    begin = spot_of(file, *place.first)
    if begin is None:
        return Reason(field=f"{THREAD}.start_line", message=START_OUTSIDE)
    if begin[0] != end[0]:
        return Reason(field=f"{THREAD}.start_line", message=ACROSS)
    if begin[1] >= end[1]:
        return Reason(field=f"{THREAD}.start_line", message=BACKWARDS)
    return None


def spot_of(file: ChangedFile, side: Side, line: int) -> tuple[int, int] | None:
    """Return the hunk that shows a line and its place in it, both from 0; None when none does."""
    if file.binary or file.too_large:
        return None
    for number, group in enumerate(file.groups):
        for position, (shown_on, shown) in enumerate(_rows(group)):
            if side in shown_on and shown[side] == line:
                return number, position
    return None


def hunk_shown(file: ChangedFile, place: Place) -> str:
    """Return the part of the diff that stands above a comment, down to its line."""
    spot = spot_of(file, place.side, place.line)
    if spot is None:
        return ""
    hunks = (file.patch or "").split("\n@@ ")
    header, *rows = hunks[spot[0]].split("\n")
    shown = [row for row in rows if not row.startswith("\\")][: spot[1] + 1]
    lead = "" if header.startswith("@@ ") else "@@ "
    return "\n".join([lead + header, *shown])


def _rows(group: list[Operation]) -> Iterator[tuple[frozenset[Side], dict[Side, int]]]:
    """Yield each row of a hunk: the sides that show it, and its number there."""
    for kind, a1, a2, b1, b2 in group:
        if kind == "equal":
            for offset in range(a2 - a1):
                yield (
                    frozenset({"LEFT", "RIGHT"}),
                    {"LEFT": a1 + offset + 1, "RIGHT": b1 + offset + 1},
                )
            continue
        for number in range(a1, a2):
            yield frozenset({"LEFT"}), {"LEFT": number + 1}
        for number in range(b1, b2):
            yield frozenset({"RIGHT"}), {"RIGHT": number + 1}
