"""Tables of wiki text: rows of `|` cells and `||` heads."""

import re
from collections.abc import Callable, Iterable

from trunkline_shared.markdown.document import Block, Blocks, Cell, Paragraph, Strong, Table

# A pipe in a link, in code or in an image parts no cells; nothing here looks past its own kind.
_TOKEN = re.compile(
    r"(?P<pipe>\|\|?)"
    r"|\\."
    r"|\[[^\[\]\n]*\]"
    r"|\{\{(?:(?!\{\{|\}\})[^\n])*\}\}"
    r"|![^!\s|][^!\n]*!"
    r"|[^|\\\[{!]+"
    r"|.",
    re.DOTALL,
)


def is_open(line: str) -> bool:
    """Whether a row goes on in the next line."""
    return not line.rstrip().endswith("|")


def table_of(rows: Iterable[str], flow: Callable[[str], Blocks]) -> Table:
    """Read rows; the first is the head when all its cells are."""
    parsed = [_cells(row.strip()) for row in rows]
    head = all(is_head for is_head, _ in parsed[0])
    return Table(
        tuple(
            tuple(
                _cell(flow(text), strong=is_head and not (head and not at)) for is_head, text in row
            )
            for at, row in enumerate(parsed)
        ),
        head=head,
    )


def _cells(row: str) -> list[tuple[bool, str]]:
    cells: list[tuple[bool, list[str]]] = []
    for match in _TOKEN.finditer(row):
        if match["pipe"]:
            cells.append((match["pipe"] == "||", []))
        else:
            cells[-1][1].append(match[0])
    if len(cells) > 1 and not cells[-1][1]:
        cells.pop()
    return [(is_head, "".join(text)) for is_head, text in cells]


def _cell(blocks: Blocks, *, strong: bool) -> Cell:
    return Cell(tuple(map(_strong, blocks)) if strong else blocks)


def _strong(block: Block) -> Block:
    return Paragraph((Strong(block.content),)) if isinstance(block, Paragraph) else block
