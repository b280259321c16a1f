"""Tables, rows and cells as they begin and end."""

from collections.abc import Callable
from typing import TypeAlias

from trunkline_project_reader.html.frames import CellFrame, TableFrame
from trunkline_project_reader.html.markup import attributes
from trunkline_project_reader.html.nesting import (
    close_above,
    ends_flattened,
    innermost,
    open_frame,
)
from trunkline_project_reader.html.page import Page
from trunkline_project_reader.html.tables import GridCell

_Act: TypeAlias = Callable[[Page, str, str], None]

_MOST_DIGITS = 4
_CELL = frozenset({"td"})
_TABLE = frozenset({"table"})
_NOWHERE: frozenset[str] = frozenset()


def _table(page: Page, tag: str, _written: str) -> None:
    page.settle()
    open_frame(page, TableFrame(tag, page.flow))


def _end_table(page: Page, tag: str, _written: str) -> None:
    page.boundary()
    table = None if ends_flattened(page, tag) else _innermost(page)
    if table is not None:
        page.close(table)


def _part(page: Page, tag: str, _written: str) -> None:
    table = _end_row(page, tag, "")
    if table is not None and tag == "thead" and not table.rows:
        table.heads = True


def _row(page: Page, tag: str, _written: str) -> None:
    table = _end_row(page, tag, "")
    if table is not None:
        table.rows.append([])
        table.in_row = True


def _end_row(page: Page, _tag: str, _written: str) -> TableFrame | None:
    page.boundary()
    table = _innermost(page)
    if table is not None:
        close_above(page, table)
        table.in_row = False
    return table


def _cell(page: Page, tag: str, written: str) -> None:
    table = _innermost(page)
    if table is None:
        page.boundary()
        return
    close_above(page, table)
    if not table.in_row:
        _row(page, tag, "")
    place = GridCell(head=tag == "th")
    if written:
        given = attributes(written)
        place.columns, place.rows = _span(given.get("colspan")), _span(given.get("rowspan"))
    table.rows[-1].append(place)
    before = page.setting.copy() if page.setting.marks else None
    page.push(CellFrame("td", before=before, place=place))


def _end_cell(page: Page, _tag: str, _written: str) -> None:
    top = page.frames[-1]
    cell = top if isinstance(top, CellFrame) else innermost(page, _CELL, _TABLE)
    if cell is not None:
        page.close(cell)
    else:
        page.boundary()


def _innermost(page: Page) -> TableFrame | None:
    top = page.frames[-1]
    table = top if isinstance(top, TableFrame) else innermost(page, _TABLE, _NOWHERE)
    return table if isinstance(table, TableFrame) else None


def _span(written: str | None) -> int:
    is_count = written is not None and written.isdecimal() and len(written) <= _MOST_DIGITS
    return int(written) if written and is_count else 1


def _act_end_row(page: Page, tag: str, written: str) -> None:
    _end_row(page, tag, written)


CELLS: dict[str, tuple[_Act, _Act]] = {
    "table": (_table, _end_table),
    "thead": (_part, _act_end_row),
    "tbody": (_part, _act_end_row),
    "tfoot": (_part, _act_end_row),
    "tr": (_row, _act_end_row),
    "td": (_cell, _end_cell),
    "th": (_cell, _end_cell),
}
"""What each element of a table does when it begins and when it ends."""
