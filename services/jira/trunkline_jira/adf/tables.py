"""Tables: rows of the same columns, though cells may reach over several of both."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from trunkline_jira.adf.node import Node, nodes_of, whole
from trunkline_jira.adf.reader import BlockForm, Reader
from trunkline_shared.markdown.document import (
    Block,
    Blocks,
    Cell,
    Paragraph,
    Strong,
    Table,
)

WIDEST = 100
"""Columns that one cell may reach over: a number in a document makes no table of a million."""
CELLS = frozenset({"tableCell", "tableHeader"})


@dataclass(frozen=True, slots=True)
class Reach:
    """How many rows below still belong to a cell, for each of its columns."""

    rows: dict[int, int] = field(default_factory=dict)

    def passes(self, column: int) -> bool:
        """Whether a cell from above fills the column in this row; counts the row down."""
        left = self.rows.get(column, 0)
        if left:
            self.rows[column] = left - 1
        return left > 0

    def add(self, column: int, columns: int, rows: int) -> None:
        if rows > 1:
            self.rows.update(dict.fromkeys(range(column, column + columns), rows - 1))


def _table(reader: Reader, node: Node) -> Blocks:
    """Return a table; its first row is the head if all its cells are headers."""
    reach = Reach()
    rows = [_cells(row) for row in nodes_of(node.content)]
    if not any(rows):
        return ()
    if node.attrs.get("isNumberColumnEnabled") is True:
        reader.lose(node.type)
    head = bool(rows[0]) and all(cell.type == "tableHeader" for cell in rows[0])
    read = [_row(reader, row, reach, strong=n > 0 or not head) for n, row in enumerate(rows)]
    return (Table(tuple(filter(None, read)), head=head),)


def _cells(row: Node) -> list[Node]:
    """Return a row's cells; what stands beside rows and cells is a cell of its own."""
    if row.type != "tableRow":
        return [_as_cell(row)]
    return [_as_cell(cell) for cell in nodes_of(row.content)]


def _as_cell(node: Node) -> Node:
    return node if node.type in CELLS else Node(type="tableCell", content=(node,))


def _row(reader: Reader, cells: Sequence[Node], reach: Reach, *, strong: bool) -> tuple[Cell, ...]:
    found: list[Cell] = []
    column = 0
    for cell in cells:
        while reach.passes(column):
            found.append(Cell(()))
            column += 1
        columns = min(max(whole(cell.attrs.get("colspan"), otherwise=1), 1), WIDEST)
        rows = whole(cell.attrs.get("rowspan"), otherwise=1)
        if columns > 1 or rows > 1:
            reader.lose(cell.type)
        reach.add(column, columns, rows)
        found.append(Cell(_content(reader, cell, strong=strong), columns=columns))
        column += columns
    while reach.passes(column):
        found.append(Cell(()))
        column += 1
    return tuple(found)


def _content(reader: Reader, cell: Node, *, strong: bool) -> Blocks:
    """Return a cell's blocks; a header outside the head is bold, as it is in Jira."""
    blocks = reader.blocks(cell.content)
    if strong and cell.type == "tableHeader":
        return tuple(_bold(block) for block in blocks)
    return blocks


def _bold(block: Block) -> Block:
    return Paragraph((Strong(block.content),)) if isinstance(block, Paragraph) else block


def _stray_row(reader: Reader, node: Node) -> Blocks:
    """Return what a row or cell holds that stands in no table."""
    return reader.blocks(node.content)


TABLES: dict[str, BlockForm] = {
    "table": _table,
    "tableRow": _stray_row,
    "tableCell": _stray_row,
    "tableHeader": _stray_row,
}
