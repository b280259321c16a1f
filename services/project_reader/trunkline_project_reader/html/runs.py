"""Runs of text between two block boundaries, white space collapsed and cut into paragraphs."""

import re
from collections.abc import Sequence
from enum import Enum
from typing import Literal, TypeAlias

from trunkline_project_reader.html.formats import CODE, Anchor
from trunkline_shared.markdown.document import Image


class Mark(Enum):
    """What stands between texts: a break, or the edge of something that has its own line."""

    BREAK = "break"
    EDGE = "edge"


BREAK: Literal[Mark.BREAK] = Mark.BREAK
EDGE: Literal[Mark.EDGE] = Mark.EDGE

Atom: TypeAlias = str | Image | Mark
Run: TypeAlias = tuple[int, Anchor | None, Atom]
"""How it is set, the link that it belongs to, and what it is."""

_SPACES = re.compile(r"[\t\n\f\r ]{2,}|[\t\n\f\r]")


def paragraphs(runs: Sequence[Run]) -> list[list[Run]]:
    """Return the paragraphs: two breaks in a row end one, as Trix writes them.

    White space is collapsed as browsers do; what is left has no empty text, no break at an end
    and no edge.
    """
    if len(runs) == 1 and isinstance(runs[0][2], str):
        mask, link, only = runs[0]
        text = _SPACES.sub(" ", str(only)).strip(" ")
        return [[(mask, link, text)]] if text else []
    cut = _Cut()
    for run in runs:
        atom = run[2]
        if isinstance(atom, str):
            cut.text(run, _SPACES.sub(" ", atom))
        elif isinstance(atom, Mark):
            cut.mark(atom)
        else:
            cut.add(run)
    cut.end()
    return cut.done


class _Cut:
    """The paragraph being cut, and what separates the next text from it."""

    __slots__ = ("breaks", "done", "edge", "now", "spaced")

    def __init__(self) -> None:
        self.done: list[list[Run]] = []
        self.now: list[Run] = []
        self.breaks = 0
        self.edge = False
        self.spaced = True
        """Whether white space here would be the second, or the first of a line."""

    def text(self, run: Run, text: str) -> None:
        if self.spaced and text[:1] == " ":
            text = text[1:]
        if text:
            self.add((run[0], run[1], text))
            self.spaced = text[-1] == " "

    def mark(self, mark: Mark) -> None:
        self._trim()
        self.spaced = True
        if mark is BREAK:
            self.breaks += 1
        else:
            self.edge = True

    def add(self, run: Run) -> None:
        if self.breaks or self.edge:
            self._separate(run)
        self.now.append(run)
        self.spaced = False

    def end(self) -> None:
        self._trim()
        if self.now:
            self.done.append(self.now)

    def _separate(self, following: Run) -> None:
        """Begin a paragraph or a line; the break is set as the texts around it are."""
        if self.breaks > 1:
            self.end()
            self.now = []
        elif self.now:
            mask, link, _ = self.now[-1]
            kept = link if link is following[1] else None
            self.now.append((mask & following[0] & ~CODE, kept, BREAK))
        self.breaks, self.edge = 0, False

    def _trim(self) -> None:
        """Take away the white space before the end of a line."""
        while self.now:
            mask, link, atom = self.now[-1]
            if not isinstance(atom, str) or atom[-1] != " ":
                return
            self.now.pop()
            if atom != " ":
                self.now.append((mask, link, atom[:-1]))
                return
