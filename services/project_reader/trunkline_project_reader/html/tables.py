"""A table's cells on their grid: what spans rows leaves empty cells below it."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_shared.markdown.document import Blocks, Cell, Table

MOST_COLUMNS = 64
"""A wider row goes on in the next: rows are padded to the widest, and a page must not multiply."""

_EMPTY = Cell(())


@dataclass(slots=True)
class GridCell:
    """A cell as it was written."""

    content: Blocks = ()
    columns: int = 1
    rows: int = 1
    head: bool = False


def table(rows: Sequence[Sequence[GridCell]], *, head: bool) -> Table | None:
    """Return the table, or None for one without cells; `head` says that its rows begin with one."""
    filled = [row for row in rows if row]
    if not filled:
        return None
    head = head or all(cell.head for cell in filled[0])
    spans: dict[int, int] = {}
    placed: list[tuple[Cell, ...]] = []
    for row in filled:
        cells = _placed(row, spans)
        placed += (
            tuple(cells[at : at + MOST_COLUMNS]) for at in range(0, len(cells), MOST_COLUMNS)
        )
    return Table(tuple(placed), head=head)


def _placed(row: Sequence[GridCell], spans: dict[int, int]) -> list[Cell]:
    """Place a row's cells beside those that reach into it; `spans` has the rows left by column."""
    cells: list[Cell] = []
    column = 0
    for cell in row:
        column = _passed(cells, column, spans)
        width = max(1, min(cell.columns, MOST_COLUMNS - column))
        cells.append(Cell(cell.content, width))
        if cell.rows > 1:
            spans.update(
                dict.fromkeys(range(column, min(column + width, MOST_COLUMNS)), cell.rows - 1)
            )
        column += width
    while spans and column < MOST_COLUMNS and any(at >= column for at in spans):
        cells += [_EMPTY] if column not in spans else []
        column = _passed(cells, column, spans) if column in spans else column + 1
    return cells


def _passed(cells: list[Cell], column: int, spans: dict[int, int]) -> int:
    """Leave an empty cell for each that reaches in from above; return the next free column."""
    while column in spans:
        cells.append(_EMPTY)
        spans[column] -= 1
        if not spans[column]:
            del spans[column]
        column += 1
    return column
