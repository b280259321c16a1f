"""Runs of text between two block boundaries, and the paragraphs that they make."""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Literal, TypeAlias

from trunkline_project_reader.html.formats import CODE, Marks
from trunkline_shared.markdown.document import Break, Code, Image, Inline, Inlines, Text


class Line(Enum):
    """What ends a line: a break, or the edge of something that has its own line."""

    BREAK = "break"
    EDGE = "edge"


BREAK: Literal[Line.BREAK] = Line.BREAK
EDGE: Literal[Line.EDGE] = Line.EDGE

Atom: TypeAlias = str | Image | Line
Run: TypeAlias = tuple[Marks, Atom]
"""The marks, and what stands under them; a text has no white space but single spaces."""

_BREAK = Break()
_SPACES = frozenset({" ", BREAK})


def paragraphs(runs: Sequence[Run]) -> list[Inlines]:
    """Return the paragraphs: two breaks in a row end one, as Trix writes them."""
    if len(runs) == 1 and isinstance(runs[0][1], str):
        marks, text = runs[0][0], runs[0][1].strip(" ")
        return [(_marked(marks, text) if marks else Text(text),)] if text else []
    return [
        tuple([_marked(marks, atom) if marks else _plain(atom) for marks, atom in cut])
        for cut in _cut(runs)
        if cut
    ]


def _plain(atom: Atom) -> Inline:
    if isinstance(atom, str):
        return Text(atom)
    return _BREAK if isinstance(atom, Line) else atom


def _marked(marks: Marks, atom: Atom) -> Inline:
    """Return a run as a node of its own; the writer joins neighbours that are set alike."""
    node = Code(atom) if isinstance(atom, str) and CODE in marks else _plain(atom)
    # Space between two parts of a link is left to neither: alone it would be no link.
    is_space = atom in _SPACES
    for mark in reversed(marks):
        if mark.around is not None and not (mark.is_link and is_space):
            node = mark.around((node,))
    return node


def _cut(runs: Iterable[Run]) -> list[list[Run]]:
    """Cut at breaks; a space at the beginning or end of a line, or after another, is not seen."""
    done: list[list[Run]] = [[]]
    lines: list[Line] = []
    spaced = True
    for marks, atom in runs:
        if isinstance(atom, Line):
            lines.append(atom)
            _trim(done[-1])
            spaced = True
            continue
        kept = atom.lstrip(" ") if spaced and isinstance(atom, str) else atom
        if not kept:
            continue
        spaced = isinstance(kept, str) and kept[-1] == " "
        if lines:
            _separate(done, lines, marks)
            lines = []
        done[-1].append((marks, kept))
    _trim(done[-1])
    return done


def _separate(done: list[list[Run]], lines: Sequence[Line], marks: Marks) -> None:
    if lines.count(BREAK) > 1:
        done.append([])
    elif done[-1]:
        done[-1].append((marks, BREAK))


def _trim(runs: list[Run]) -> None:
    """Take away the space before the end of a line."""
    while runs:
        marks, atom = runs[-1]
        if not isinstance(atom, str) or atom[-1] != " ":
            return
        runs.pop()
        if atom != " ":
            runs.append((marks, atom[:-1]))
