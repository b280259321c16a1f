"""Tables as Markdown: one line a row, whatever the cells hold."""

from collections.abc import Iterator

from trunkline_shared.markdown import inlines
from trunkline_shared.markdown.document import (
    Block,
    Blocks,
    Cell,
    Code,
    CodeBlock,
    Heading,
    Item,
    List,
    Paragraph,
    Quote,
    Rule,
    Strong,
    Table,
)

_WIDEST_SPAN = 100
# Beyond this many cells rows keep their own length, which GFM allows.
_MOST_FILLED = 50_000


def table(node: Table) -> str:
    """Header, delimiters and rows; a table without a head gets an empty one."""
    rows = [_cells(row) for row in node.rows]
    width = max(map(len, rows), default=0)
    if not width:
        return ""
    head = rows.pop(0) if node.head else []
    lines = [_row(head, width), "|" + " --- |" * width]
    fill = width if width * len(rows) <= _MOST_FILLED else 0
    lines.extend(_row(row, fill) for row in rows)
    return "\n".join(lines)


def lines_of(blocks: Blocks) -> Iterator[str]:
    """Tell the lines that a cell shows; of a table in it, a line for each paragraph."""
    waiting: list[tuple[str, Block | Item]] = [("", block) for block in reversed(blocks)]
    while waiting:
        marker, node = waiting.pop()
        match node:
            case Paragraph(content):
                yield marker + inlines.cell(content)
            case Heading(_, content):
                yield marker + inlines.cell((Strong(content),))
            case CodeBlock(text):
                yield from _code_lines(marker, text)
            case Rule():
                yield marker
            case _:
                waiting.extend(reversed(_inside(marker, node)))


def _inside(marker: str, node: Quote | Item | List | Table) -> list[tuple[str, Block | Item]]:
    match node:
        case List(items, start):
            return [(marker + _number(start, at), item) for at, item in enumerate(items)]
        case Table(rows):
            return _marked(
                marker, tuple(block for row in rows for cell in row for block in cell.content)
            )
        case Item(content, None):
            return _marked(marker, content)
        case Item(content, checked):
            return _marked(f"{marker}{'[x]' if checked else '[ ]'} ", content)
        case Quote(content, alert):
            return _marked(f"{marker}[!{alert}] " if alert else marker, content)


def _marked(marker: str, blocks: Blocks) -> list[tuple[str, Block | Item]]:
    return [(marker if not at else "", block) for at, block in enumerate(blocks)]


def _number(start: int | None, at: int) -> str:
    return "- " if start is None else f"{start + at}. "


def _code_lines(marker: str, text: str) -> Iterator[str]:
    lines = [line for line in text.splitlines() if line.strip()]
    for line in lines or [""]:
        yield marker + inlines.cell((Code(line),))
        marker = ""


def _cells(row: tuple[Cell, ...]) -> list[str]:
    cells: list[str] = []
    for cell in row:
        cells.append(_shown(cell.content))
        if cell.columns > 1:
            cells.extend([""] * (min(cell.columns, _WIDEST_SPAN) - 1))
    return cells


def _shown(content: Blocks) -> str:
    if len(content) == 1 and isinstance(content[0], Paragraph):
        return inlines.cell(content[0].content)
    return "<br>".join(line for line in lines_of(content) if line)


def _row(cells: list[str], width: int) -> str:
    filled = cells + [""] * (width - len(cells))
    return "| " + " | ".join(filled) + " |"
