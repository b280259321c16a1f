"""A document's tree told as shapes: what its Markdown must show."""

from collections.abc import Iterable, Iterator

from tests.unit.trunkline_shared.markdown.shapes import (
    Fenced,
    Grid,
    Line,
    Lines,
    Listing,
    Quoted,
    Shape,
    Writing,
    before,
    encoded,
    target,
)
from trunkline_shared.markdown.document import (
    Block,
    Blocks,
    Break,
    Cell,
    Code,
    CodeBlock,
    Emphasis,
    Heading,
    Image,
    Inline,
    Inlines,
    Item,
    Link,
    List,
    Paragraph,
    Quote,
    Rule,
    Strike,
    Strong,
    Table,
    Tagged,
    Text,
)

NONE: frozenset[str] = frozenset()
BOXES = {None: "", True: "[x] ", False: "[ ] "}


def of_tree(blocks: Blocks) -> tuple[Shape, ...]:
    """The shapes of the blocks that show something."""
    return tuple(shape for block in blocks if (shape := _block(block)) is not None)


def _block(block: Block) -> Shape | None:
    match block:
        case Paragraph(content):
            return _visible(_lines([content]))
        case Heading(level, content):
            return _visible(_lines([content], level))
        case CodeBlock(text, language):
            return Fenced(_code(text).removesuffix("\n"), language)
        case Rule():
            return Line()
        case _:
            return _container(block)


def _container(block: Quote | List | Table) -> Shape | None:
    match block:
        case Quote(content, alert):
            blocks = of_tree(content)
            return Quoted(before(f"[!{alert}] ", blocks) if alert else blocks) if blocks else None
        case List(items, start):
            return Listing(tuple(map(_entry, items)), start) if items else None
        case Table(rows, head):
            return _grid(rows, head=head)


def _entry(item: Item) -> tuple[Shape, ...]:
    return before(BOXES[item.checked], of_tree(item.content))


def _visible(lines: Lines) -> Lines | None:
    return lines if lines.glyphs or lines.code else None


def _grid(rows: tuple[tuple[Cell, ...], ...], *, head: bool) -> Grid | None:
    cells = [[part for cell in row for part in _parts(cell)] for row in rows]
    width = max(map(len, cells), default=0)
    if not width:
        return None
    if not head:
        cells.insert(0, [])
    filled = [row + [Lines(())] * (width - len(row)) for row in cells]
    return Grid(tuple(map(tuple, filled)))


def _parts(cell: Cell) -> list[Lines]:
    return [_lines(_cell_lines(cell.content)), *[Lines(())] * (cell.columns - 1)]


def _cell_lines(blocks: Blocks) -> Iterator[Inlines]:
    for block in blocks:
        yield from _cell_block(block)


def _cell_block(block: Block) -> Iterable[Inlines]:
    match block:
        case Paragraph(content):
            return [content]
        case Heading(_, content):
            return [(Strong(content),)]
        case CodeBlock(text):
            lines = [line for line in text.splitlines() if line.strip()]
            return [(Code(line),) for line in lines or [""]]
        case Rule():
            return [()]
        case _:
            return _cell_container(block)


def _cell_container(block: Quote | List | Table) -> Iterator[Inlines]:
    match block:
        case Quote(content, alert):
            yield from _first_after(f"[!{alert}] " if alert else "", _cell_lines(content))
        case List(items, start):
            for at, item in enumerate(items):
                marker = "- " if start is None else f"{start + at}. "
                yield from _first_after(marker + BOXES[item.checked], _cell_lines(item.content))
        case Table(rows):
            yield from _cell_lines(
                tuple(part for row in rows for cell in row for part in cell.content)
            )


def _first_after(marker: str, lines: Iterable[Inlines]) -> Iterator[Inlines]:
    for at, line in enumerate(lines):
        yield line if at else (Text(marker), *line)


def _lines(lines: Iterable[Inlines], level: int = 0) -> Lines:
    writing = Writing()
    for line in lines:
        _write(line, writing, NONE)
        writing.put(" ", NONE)
    return writing.lines(level)


def _code(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def _write(inlines: Inlines, writing: Writing, looks: frozenset[str]) -> None:
    for node in inlines:
        match node:
            case Text(text):
                writing.put(text, looks)
            case Code(text):
                if text:
                    writing.put_code(_code(text).replace("\n", " "), looks)
            case Break():
                writing.put(" ", looks)
            case Image(url, alt):
                alt = " ".join(alt.split())
                writing.put(alt or "\N{FRAME WITH PICTURE}", looks | {f"of {encoded(url)}"})
            case Link(url, content):
                _write(content, writing, looks | target(url, _text(content)))
            case _:
                _write(node.content, writing, looks | {_look(node)})


def _look(node: Strong | Emphasis | Strike | Tagged) -> str:
    match node:
        case Strong():
            return "strong"
        case Emphasis():
            return "em"
        case Strike():
            return "del"
        case Tagged(tag):
            return tag


def _text(inlines: Inlines) -> str:
    return "".join(map(_text_of, inlines))


def _text_of(node: Inline) -> str:
    match node:
        case Text(text) | Code(text):
            return text
        case Image() | Break():
            return ""
        case _:
            return _text(node.content)
