"""What a person sees of a document: its text, each character's marks and links, its blocks.

Two ways lead here, from a tree (`of_tree`) and from GitHub's own rendering (`rendered`): a document
was written right when both tell the same.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

GAP = " "


class Glyph(NamedTuple):
    """A character as it looks; a gap is white space of any kind and looks like nothing."""

    character: str
    looks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Lines:
    """A paragraph, a heading (`level` above 0) or a cell; `code` is the code in it, exactly."""

    glyphs: tuple[Glyph, ...]
    code: str = ""
    level: int = 0

    @property
    def text(self) -> str:
        return "".join(glyph.character for glyph in self.glyphs)


@dataclass(frozen=True, slots=True)
class Fenced:
    code: str
    language: str


@dataclass(frozen=True, slots=True)
class Line:
    """A rule."""


@dataclass(frozen=True, slots=True)
class Listing:
    entries: "tuple[tuple[Shape, ...], ...]"
    start: int | None


@dataclass(frozen=True, slots=True)
class Quoted:
    blocks: "tuple[Shape, ...]"


@dataclass(frozen=True, slots=True)
class Grid:
    rows: tuple[tuple[Lines, ...], ...]


Shape = Lines | Fenced | Line | Listing | Quoted | Grid


@dataclass(slots=True)
class Writing:
    """Glyphs being set: runs of white space become one gap, none at the edges."""

    glyphs: list[Glyph] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)

    def put(self, text: str, looks: frozenset[str]) -> None:
        for character in re.sub(r"[\x00-\x20\x7f]", GAP, text):
            if not character.isspace():
                self.glyphs.append(Glyph(character, looks))
            elif self.glyphs and self.glyphs[-1].character != GAP:
                self.glyphs.append(Glyph(GAP))

    def put_code(self, code: str, looks: frozenset[str]) -> None:
        self.codes.append(code)
        self.put(code, looks | {"code"})

    def lines(self, level: int = 0) -> Lines:
        glyphs = (
            self.glyphs[:-1] if self.glyphs and self.glyphs[-1].character == GAP else self.glyphs
        )
        return Lines(tuple(glyphs), "".join(self.codes), level)


def target(url: str, text: str) -> frozenset[str]:
    """The look of a link; none for one that shows its own target, which GFM makes by itself."""
    bare = re.sub(r"\Amailto:|\Ahttps?://", "", url)
    if encoded(text.strip()) in {encoded(url), encoded(bare)}:
        return frozenset()
    return frozenset({f"to {encoded(url)}"})


def encoded(url: str) -> str:
    """An address as GitHub's renderer writes it: what is not plain in it is in percent."""
    return re.sub(
        r"[^\w.~!*'();:@&=+$,/?#%-]",
        lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()),
        url,
        flags=re.ASCII,
    )


def before(text: str, shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """The shapes with `text` before all else."""
    if not text:
        return shapes
    writing = Writing()
    writing.put(text, frozenset())
    first = shapes[0] if shapes else None
    if not isinstance(first, Lines) or first.level:
        return (writing.lines(), *shapes)
    writing.glyphs.extend(first.glyphs)
    return (Lines(tuple(writing.glyphs), first.code), *shapes[1:])
