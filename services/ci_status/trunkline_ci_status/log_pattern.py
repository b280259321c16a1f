"""The pattern that log lines are searched for, in linear time whatever the pattern is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import re2

from trunkline_ci_status.log_text import clean
from trunkline_shared.errors import InvalidInput

MEMORY_BYTES = 1024 * 1024
_KNOWS_NO_LINES = re.compile(r"\\[AzZ]|\(\?[A-Za-z]*-")


class _Regex(Protocol):
    def search(self, text: bytes) -> object | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A compiled expression; `anywhere` finds out of many lines at once that none matches."""

    line: _Regex
    anywhere: _Regex | None

    def hits(self, lines: Sequence[bytes]) -> list[int]:
        """Return the indexes of the raw lines that match, as they would be shown."""
        if not lines:
            return []
        # RE2's own text is UTF-8: given as bytes, it need not count characters.
        text = clean(lines).encode()
        if self.anywhere is not None and self.anywhere.search(text) is None:
            return []
        matches = self.line.search
        return [at for at, line in enumerate(text.split(b"\n")) if matches(line) is not None]


def parse_pattern(expression: str) -> Pattern | None:
    """Compile an RE2 expression; None for an empty one.

    Raises InvalidInput with the position of what RE2 does not take.
    """
    if not expression:
        return None
    # Anchors of a whole text see the ends of each line, but not those inside of many lines.
    one_by_one = _KNOWS_NO_LINES.search(expression) is not None
    return Pattern(
        line=_compiled(expression, expression),
        anywhere=None if one_by_one else _compiled(f"(?m){expression}", expression),
    )


def _compiled(expression: str, given: str) -> _Regex:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = MEMORY_BYTES
    try:
        compiled: _Regex = re2.compile(expression, options)
    except re2.error as error:
        raise _refused(given, _said(error)) from None
    except UnicodeEncodeError:
        raise _refused(given, "half of a surrogate pair is no character") from None
    return compiled


def _said(error: re2.error) -> str:
    said = error.args[0] if error.args else ""
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)


def _refused(expression: str, problem: str) -> InvalidInput:
    kind, _, fragment = problem.partition(": ")
    # RE2 names the offending part of the expression, not where it stands.
    position = expression.find(fragment) if fragment else max(len(expression) - 1, 0)
    place = f" at position {position}" if position >= 0 else ""
    return InvalidInput(
        f"grep is not a valid RE2 expression{place}: {problem[:200]}.",
        hint="RE2 knows no look-around and no back-references; escape special characters with \\.",
        details={
            "reason": "invalid_pattern",
            "position": position if position >= 0 else None,
            "field_errors": [{"field": "grep", "problem": kind[:200], "kind": "pattern"}],
        },
    )
