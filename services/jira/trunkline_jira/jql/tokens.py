"""The tokens of a JQL query: as much of its syntax as decides where a part of it ends."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from trunkline_shared.errors import InvalidInput

Kind = Literal["word", "string", "open", "close", "other"]

_QUOTE = 'Quote values that hold blanks or special characters: status = "In Progress".'
_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<string>"(?:[^"\\\x00-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]|\\.)*"
                |'(?:[^'\\\x00-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]|\\.)*')
    | (?P<open>\()
    | (?P<close>\))
    | (?P<word>(?:[^\s"'()=!<>~,&|\\\x00-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]|\\.)+)
    | (?P<other>[=!<>~,&|]+)
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a query, from `start` to `end`; `depth` counts the parentheses around it."""

    kind: Kind
    text: str
    start: int
    end: int
    depth: int

    def says(self, word: str) -> bool:
        """Whether it is this keyword, whatever its case; a quoted one is none."""
        return self.kind == "word" and self.text.casefold() == word


def tokens(jql: str, field: str = "jql") -> Iterator[Token]:
    """Yield the tokens of a query, the argument `field`.

    Raises InvalidInput for what Jira would not read either: a string or a parenthesis that does
    not end, one that never began, characters that are no part of the language.
    """
    at = depth = 0
    while at < len(jql):
        match = _TOKEN.match(jql, at)
        if match is None:
            raise unreadable(_why(jql[at]), at, field)
        kind, at = match.lastgroup, match.end()
        if kind == "close":
            depth -= 1
        if depth < 0:
            raise unreadable("')' closes nothing", match.start(), field)
        if kind in {"word", "string", "open", "close", "other"}:
            yield Token(_KINDS[kind], match[0], match.start(), at, depth)
        if kind == "open":
            depth += 1
    if depth:
        raise unreadable("'(' is not closed", len(jql), field)


_KINDS: dict[str | None, Kind] = {
    "word": "word",
    "string": "string",
    "open": "open",
    "close": "close",
    "other": "other",
}


def _why(character: str) -> str:
    if character in "\"'":
        return "a quoted text does not end on its line"
    return "a backslash escapes nothing" if character == "\\" else f"{character!r} is not JQL"


def unreadable(why: str, at: int, field: str, *, hint: str = _QUOTE) -> InvalidInput:
    """Return the refusal of a query, with the character at which it went wrong."""
    return InvalidInput(
        f"{field}: {why} (at character {at + 1}).",
        hint=hint,
        details={"field_errors": [{"field": field, "problem": why, "kind": "jql"}]},
    )
