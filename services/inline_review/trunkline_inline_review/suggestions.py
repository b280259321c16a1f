"""Suggestion blocks in a comment: whether there are any, and whether they are fenced rightly.

Fences as CommonMark has them (https://spec.commonmark.org/0.31.2/#fenced-code-blocks).
"""

import re
from dataclasses import dataclass

_FENCE = re.compile(r" {0,3}(?P<ticks>`{3,}|~{3,})(?P<info>.*)\Z")
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestions:
    """How many blocks a text holds, and what is wrong with them; empty when nothing is."""

    count: int
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Open:
    ticks: str
    suggests: bool

    def closed_by(self, ticks: str, info: str) -> bool:
        return self._as_long(ticks) and not info.strip()

    def looks_nested(self, ticks: str, info: str) -> bool:
        """Whether a fence inside would be taken for this block's own end by its writer."""
        return self._as_long(ticks) and bool(info.strip())

    def _as_long(self, ticks: str) -> bool:
        return ticks[0] == self.ticks[0] and len(ticks) >= len(self.ticks)


def suggestions_in(text: str) -> Suggestions:
    """Return the suggestion blocks of a comment's text."""
    count = 0
    fence: _Open | None = None
    for line in _LINE_END.split(text):
        found = _FENCE.match(line)
        if found is None:
            continue
        ticks, info = found["ticks"], found["info"]
        if fence is None:
            fence = _opened(ticks, info)
            count += fence is not None and fence.suggests
        elif fence.closed_by(ticks, info):
            fence = None
        elif fence.suggests and fence.looks_nested(ticks, info):
            return Suggestions(count=count, problem=_too_short(fence.ticks))
    return Suggestions(count=count, problem=_left_open(fence) if count and fence else "")


def _opened(ticks: str, info: str) -> _Open | None:
    if ticks[0] == "`" and "`" in info:
        return None
    return _Open(ticks=ticks, suggests=info.split()[:1] == ["suggestion"])


def _too_short(ticks: str) -> str:
    longer = ticks + ticks[0]
    return (
        f"a suggestion block contains a fence as long as its own: begin it with "
        f"{longer}suggestion and end it with {longer}"
    )


def _left_open(fence: _Open) -> str:
    if fence.suggests:
        return f"a suggestion block is not closed: end it with {fence.ticks} on a line of its own"
    return (
        f"a fence {fence.ticks} is left open after a suggestion block: close it, or, when it "
        f"belongs to the suggestion, fence that with {fence.ticks}{fence.ticks[0]}"
    )
