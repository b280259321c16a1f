"""Where in a diff a comment shall stand: as it is wanted, as it is valid, or why it is neither."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from trunkline_inline_review.diff_index import Range, Side
from trunkline_shared.errors import InvalidInput, LineNotInDiff, TrunklineError

Reason = Literal[
    "no_line",
    "start_after_line",
    "line_of_whole_file",
    "path_leaves_repository",
    "path_not_in_diff",
    "no_patch",
    "line_not_in_diff",
    "start_line_not_in_diff",
    "range_across_hunks",
    "start_below_line",
    "suggestion_not_on_right",
    "suggestion_of_whole_file",
]
MOST_RANGES = 50

_BAD_ARGUMENTS: Mapping[Reason, str] = {
    "no_line": "line",
    "start_after_line": "startLine",
    "line_of_whole_file": "line",
    "path_leaves_repository": "path",
    "suggestion_not_on_right": "body",
    "suggestion_of_whole_file": "body",
}
"""What no pull request could make right, and the argument to change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """An anchor as a caller asks for it; `suggests` when the comment holds a suggestion block.

    `start_line` alone is the single line; `start_side` None is `side`.
    """

    path: str
    line: int | None = None
    start_line: int | None = None
    side: Side = "RIGHT"
    start_side: Side | None = None
    whole_file: bool = False
    suggests: bool = False

    @property
    def end(self) -> int | None:
        """The commented line, or the last one of a range."""
        return self.start_line if self.line is None else self.line

    @property
    def begin(self) -> tuple[Side, int] | None:
        """The side and number of a range's first line; None for a single line."""
        if self.line is None or self.start_line is None:
            return None
        first = (self.start_side or self.side, self.start_line)
        return None if first == (self.side, self.line) else first


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A place that GitHub takes a comment on; without a line it is the whole file.

    `note` says how it differs from what was asked for; empty when it does not.
    """

    path: str
    line: int | None = None
    side: Side = "RIGHT"
    start_line: int | None = None
    start_side: Side | None = None
    note: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the anchor as GitHub's REST API takes it."""
        if self.line is None:
            return {"path": self.path, "subject_type": "file"}
        sent: dict[str, object] = {"path": self.path, "line": self.line, "side": self.side}
        if self.start_line is not None:
            sent |= {"start_line": self.start_line, "start_side": self.start_side or self.side}
        return sent

    def to_arguments(self) -> dict[str, object]:
        """Return the anchor as the tools' arguments spell it, for the next try."""
        sent: dict[str, object] = {"line": self.line, "side": self.side}
        if self.start_line is not None:
            sent["startLine"] = self.start_line
            if self.start_side not in {None, self.side}:
                sent["start_side"] = self.start_side
        return sent


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """Why an anchor is not valid, and what would be.

    `ranges` are the lines of `side` that can be commented in the file, or in `nearest_path` when
    the file is not part of the diff; `nearest` is valid in the same file.
    """

    reason: Reason
    message: str
    hint: str
    wanted: Wanted
    path: str
    ranges: tuple[Range, ...] = ()
    nearest: Anchor | None = None
    nearest_path: str = ""

    @property
    def is_bad_argument(self) -> bool:
        """Whether it is wrong in itself, whatever the diff shows."""
        return self.reason in _BAD_ARGUMENTS

    def details(self) -> dict[str, object]:
        """Return what an agent needs for its next try."""
        found: dict[str, object] = {
            "reason": self.reason,
            "path": self.path,
            "side": self.wanted.side,
            "line": self.wanted.end,
            "valid_ranges": [list(one) for one in self._ranges_shown()],
            "nearest": None if self.nearest is None else self.nearest.to_arguments(),
        }
        if len(self.ranges) > MOST_RANGES:
            found["valid_ranges_total"] = len(self.ranges)
        if self.nearest_path:
            found["nearest_path"] = self.nearest_path
        return found

    def error(self) -> TrunklineError:
        """Return it as the failure of a call: INVALID_INPUT or LINE_NOT_IN_DIFF."""
        if not self.is_bad_argument:
            return LineNotInDiff(self.message, hint=self.hint, details=self.details())
        field = _BAD_ARGUMENTS[self.reason]
        problem = {"field": field, "problem": self.message, "kind": self.reason}
        return InvalidInput(
            self.message,
            hint=self.hint,
            details={"reason": self.reason, "field_errors": [problem]},
        )

    def _ranges_shown(self) -> list[Range]:
        """Return the ranges closest to the line, in their order."""
        line = self.wanted.end or 1
        by_distance = sorted(self.ranges, key=lambda one: max(one[0] - line, line - one[1], 0))
        return sorted(by_distance[:MOST_RANGES])
