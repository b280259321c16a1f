"""The inlines of a paragraph, a heading or a cell of a table, as Markdown."""

from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal, TypeAlias

from trunkline_shared.markdown.code import code_span, has_odd_backslashes, one_line
from trunkline_shared.markdown.delimiters import Around, bracketed, marked
from trunkline_shared.markdown.document import Break, Code, Image, Inlines, Text
from trunkline_shared.markdown.escaping import (
    collapsed,
    escaped,
    escaped_at_heading_end,
    escaped_at_line_start,
    escaped_in_brackets,
)
from trunkline_shared.markdown.runs import Autolink, Mark, Run, flattened, is_space

Place: TypeAlias = Literal["paragraph", "heading", "cell"]
_BREAKS: dict[Place, str] = {"paragraph": "\\\n", "heading": " ", "cell": "<br>"}


def paragraph(content: Inlines) -> str:
    """Lines that begin no other block."""
    return _line(content, "paragraph")


def heading(content: Inlines) -> str:
    """One line, to stand behind hashes."""
    return escaped_at_heading_end(_line(content, "heading"))


def cell(content: Inlines) -> str:
    """One line, to stand between pipes."""
    return _line(content, "cell").replace("|", "\\|")


def _line(content: Inlines, place: Place) -> str:
    if len(content) == 1 and isinstance(content[0], Text):
        line = escaped(collapsed(content[0].text).strip())
        return escaped_at_line_start(line) if place == "paragraph" else line
    runs = flattened(content)
    while runs and is_space(runs[-1][1]):
        runs.pop()
    return _written(runs, _Level(place=place)).strip(" ")


@dataclass(slots=True, kw_only=True)
class _Level:
    """What is written so far inside the first `depth` marks; `edge` is the character around it."""

    place: Place
    depth: int = 0
    linked: bool = False
    edge: str = ""
    pieces: list[str] = field(default_factory=list)

    @property
    def before(self) -> str:
        return self.pieces[-1][-1] if self.pieces else self.edge

    def inside(self, mark: Mark) -> "_Level":
        linked = self.linked or mark.tag == "a"
        edge = "~" if mark.tag == "del" else ""
        return _Level(place=self.place, depth=self.depth + 1, linked=linked, edge=edge)

    def mark_of(self, run: Run) -> Mark | None:
        marks = run[0]
        return marks[self.depth] if len(marks) > self.depth else None

    def add(self, markdown: str) -> None:
        if markdown:
            self.pieces.append(markdown)

    def text(self, text: str, *, glued: bool) -> None:
        if self._is_at_line_start():
            text = text.lstrip()
        markdown = escaped_in_brackets(text) if self.linked else escaped(text, glued=glued)
        if self.place == "paragraph" and self._is_at_line_start():
            markdown = escaped_at_line_start(markdown)
        self.add(markdown)

    def code(self, text: str) -> None:
        code = one_line(text)
        if self.place == "cell" and has_odd_backslashes(code):
            markdown = escaped_in_brackets(code) if self.linked else escaped(code, glued=True)
            self.add(f"<code>{markdown.replace('|', '&#124;')}</code>")
        else:
            self.add(code_span(code))

    def line_break(self) -> None:
        if self.pieces:
            self.pieces[-1] = self.pieces[-1].rstrip(" ")
            self.pieces.append(_BREAKS[self.place])

    def bracket(self, markdown: str) -> None:
        """Add a link, which an exclamation mark before it would make an image."""
        if self.before == "!":
            self.pieces[-1] = self.pieces[-1][:-1] + "\\!"
        self.add(markdown)

    def _is_at_line_start(self) -> bool:
        return self.pieces[-1] in _BREAKS.values() if self.pieces else self.depth == 0


def _written(runs: list[Run], level: _Level) -> str:
    parts = [(mark, list(group)) for mark, group in groupby(runs, level.mark_of)]
    joined = ""
    for at, (mark, group) in enumerate(parts):
        last = at + 1 == len(parts)
        if mark is None:
            _write_atoms(group, level, glued=level.depth > 0 or not last)
            joined = ""
            continue
        inside = _inside(mark, group, level)
        around = Around(
            before=level.before,
            after=level.edge if last else _first_character(parts[at + 1]),
            joined=joined,
            edge=level.depth > 0 and (at == 0 or last),
        )
        written = marked(mark, inside, around)
        level.bracket(written) if mark.tag == "a" else level.add(written)
        joined = level.before
    return "".join(level.pieces)


def _inside(mark: Mark, runs: list[Run], level: _Level) -> str:
    """Write what stands under `mark`: most often one text, which needs no level of its own."""
    marks, atom = runs[0]
    if len(runs) > 1 or len(marks) > level.depth + 1 or not isinstance(atom, Text):
        return _written(runs, level.inside(mark))
    if level.linked or mark.tag == "a":
        return escaped_in_brackets(atom.text)
    return escaped(atom.text, glued=True)


def _write_atoms(runs: list[Run], level: _Level, *, glued: bool) -> None:
    for at, (_, atom) in enumerate(runs, 1):
        match atom:
            case Text(text):
                level.text(text, glued=glued or at < len(runs))
            case Code(code):
                level.code(code)
            case Break():
                level.line_break()
            case Image(url, alt):
                level.add("!" + bracketed(escaped_in_brackets(collapsed(alt).strip()), url))
            case Autolink(markdown):
                level.add(markdown)


def _first_character(part: tuple[Mark | None, list[Run]]) -> str:
    """Tell the character that will follow, or one of its kind."""
    mark, runs = part
    if mark is not None:
        return "~" if mark.tag == "del" else "*"
    first = runs[0][1]
    return first.text[0] if isinstance(first, Text) else "`"
