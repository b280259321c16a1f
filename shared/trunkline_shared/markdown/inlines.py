"""The inlines of a paragraph, a heading or a cell of a table, as Markdown."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from trunkline_shared.markdown.code import code_span, has_odd_backslashes, one_line
from trunkline_shared.markdown.delimiters import bracketed, marked
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
    return _written(runs, _Level(place)).strip(" ")


@dataclass(slots=True)
class _Level:
    """What is written so far inside the first `depth` marks; `edge` is the character around it."""

    place: Place
    depth: int = 0
    linked: bool = False
    edge: str = ""
    pieces: list[str] = field(default_factory=list)
    begins: bool = True
    """Whether a line begins here."""

    @property
    def before(self) -> str:
        return self.pieces[-1][-1] if self.pieces else self.edge

    def inside(self, mark: Mark) -> "_Level":
        linked = self.linked or mark.tag == "a"
        edge = "~" if mark.tag == "del" else ""
        return _Level(self.place, self.depth + 1, linked, edge, begins=False)

    def add(self, markdown: str) -> None:
        if markdown:
            self.pieces.append(markdown)
            self.begins = False

    def text(self, text: str, *, glued: bool) -> None:
        begins = self.begins
        if begins:
            text = text.lstrip()
        markdown = escaped_in_brackets(text) if self.linked else escaped(text, glued=glued)
        if begins and self.place == "paragraph":
            markdown = escaped_at_line_start(markdown)
        if markdown:
            self.pieces.append(markdown)
            self.begins = False

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
            self.begins = True

    def bracket(self, markdown: str) -> None:
        """Add a link, which an exclamation mark before it would make an image."""
        if self.before == "!":
            self.pieces[-1] = self.pieces[-1][:-1] + "\\!"
        self.add(markdown)


def _written(runs: list[Run], level: _Level) -> str:
    depth, count = level.depth, len(runs)
    at, joined = 0, ""
    while at < count:
        marks, atom = runs[at]
        if len(marks) <= depth:
            at += 1
            if isinstance(atom, str):
                level.text(atom, glued=depth > 0 or at < count)
            else:
                _write(atom, level)
            joined = ""
            continue
        begin, at = at, _end(runs, at, depth)
        mark = marks[depth]
        written = marked(
            mark,
            _inside(mark, runs[begin:at], level),
            before=level.before,
            after=_first_character(runs[at], depth) if at < count else level.edge,
            joined=joined,
            edge=depth > 0 and (begin == 0 or at == count),
        )
        level.bracket(written) if mark.tag == "a" else level.add(written)
        joined = level.before
    return "".join(level.pieces)


def _end(runs: list[Run], at: int, depth: int) -> int:
    """Tell where the mark ends that begins at a run."""
    mark = runs[at][0][depth]
    for end in range(at + 1, len(runs)):
        marks = runs[end][0]
        if len(marks) <= depth or marks[depth] != mark:
            return end
    return len(runs)


def _inside(mark: Mark, runs: list[Run], level: _Level) -> str:
    """Write what stands under `mark`: most often one text, which needs no level of its own."""
    marks, atom = runs[0]
    if len(runs) > 1 or len(marks) > level.depth + 1 or not isinstance(atom, str):
        return _written(runs, level.inside(mark))
    if level.linked or mark.tag == "a":
        return escaped_in_brackets(atom)
    return escaped(atom, glued=True)


def _write(atom: Code | Break | Image | Autolink, level: _Level) -> None:
    match atom:
        case Code(code):
            level.code(code)
        case Break():
            level.line_break()
        case Image(url, alt):
            level.add("!" + bracketed(escaped_in_brackets(collapsed(alt).strip()), url))
        case Autolink(markdown):
            level.add(markdown)


def _first_character(run: Run, depth: int) -> str:
    """Tell the character that will follow, or one of its kind."""
    marks, atom = run
    if len(marks) > depth:
        return "~" if marks[depth].tag == "del" else "*"
    return atom[0] if isinstance(atom, str) else "`"
