"""A tree of text as an Atlassian document that fits its schema.

Where the schema has no room for a block (a table in a list, a heading in a quotation) its words
take the nearest form that has. Source: @atlaskit/adf-schema, dist/json-schema/v1/full.json.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from trunkline_jira.writing.adf_text import Json, text_nodes
from trunkline_shared.markdown.document import (
    Alert,
    Block,
    Blocks,
    Cell,
    CodeBlock,
    Heading,
    Inlines,
    Item,
    List,
    Paragraph,
    Quote,
    Rule,
    Strong,
    Table,
    Text,
)


class Within(Enum):
    """What a block stands in; each has its own rules."""

    PAGE = "doc"
    CELL = "tableCell"
    PANEL = "panel"
    QUOTE = "blockquote"
    ITEM = "listItem"


PANELS: dict[Alert, str] = {
    "NOTE": "info",
    "TIP": "success",
    "IMPORTANT": "note",
    "WARNING": "warning",
    "CAUTION": "error",
}
HOLD_QUOTES = frozenset({Within.PAGE, Within.CELL})
HOLD_HEADINGS = frozenset({Within.PAGE, Within.CELL, Within.PANEL})
HOLD_TASKS = frozenset({Within.PAGE, Within.CELL, Within.PANEL, Within.ITEM})
LINE = "\N{EM DASH}" * 3
BOXES = {True: "[x] ", False: "[ ] "}


def adf_document(blocks: Blocks) -> Json:
    """Return the document of a tree."""
    return {"type": "doc", "version": 1, "content": _Writer().blocks(blocks, Within.PAGE)}


@dataclass(slots=True)
class _Writer:
    """A walk through one tree; `tasks` counts the tasks, which need an id each."""

    tasks: int = field(default=0)

    def blocks(self, blocks: Blocks, within: Within) -> list[Json]:
        return [node for block in blocks for node in self._nodes(block, within)]

    def _nodes(self, block: Block, within: Within) -> list[Json]:
        match block:
            case Quote():
                return self._quote(block, within)
            case List():
                return [self._list(block, within)]
            case Table():
                return self._table(block, within)
            case _:
                return [_leaf(block, within)]

    def _filled(self, blocks: Blocks, within: Within) -> list[Json]:
        """Return blocks for a place that must not be empty."""
        return self.blocks(blocks, within) or [_paragraph(())]

    def _quote(self, block: Quote, within: Within) -> list[Json]:
        if within not in HOLD_QUOTES:
            return self.blocks((*_title(block.alert), *block.content), within)
        if not block.alert:
            return [{"type": "blockquote", "content": self._filled(block.content, Within.QUOTE)}]
        attrs: Json = {"panelType": PANELS[block.alert]}
        content = self._filled(block.content, Within.PANEL)
        return [{"type": "panel", "attrs": attrs, "content": content}]

    def _list(self, block: List, within: Within) -> Json:
        if within in HOLD_TASKS and _is_tasks(block):
            return self._task_list(block)
        content: list[Json] = [
            {"type": "listItem", "content": self._filled(_boxed(item), Within.ITEM)}
            for item in block.items
        ]
        if block.start is None:
            return {"type": "bulletList", "content": content}
        return {"type": "orderedList", "attrs": {"order": block.start}, "content": content}

    def _task_list(self, block: List) -> Json:
        attrs: Json = {"localId": self._id()}
        content = [node for item in block.items for node in self._task(item)]
        return {"type": "taskList", "attrs": attrs, "content": content}

    def _task(self, item: Item) -> Iterator[Json]:
        """Yield a task, and the lists of tasks below it."""
        attrs: Json = {"localId": self._id(), "state": "DONE" if item.checked else "TODO"}
        first, below = _first_line(item)
        yield {"type": "taskItem", "attrs": attrs, "content": text_nodes(first)}
        for block in below:
            assert isinstance(block, List)
            yield self._task_list(block)

    def _id(self) -> str:
        self.tasks += 1
        return f"task-{self.tasks}"

    def _table(self, table: Table, within: Within) -> list[Json]:
        if within is not Within.PAGE:
            return [_paragraph(line) for line in _lines(table)]
        rows = [
            {"type": "tableRow", "content": [self._cell(cell, head=table.head and n == 0)
                                             for cell in row]}
            for n, row in enumerate(table.rows)
        ]  # fmt: skip
        return [{"type": "table", "content": rows}] if rows else []

    def _cell(self, cell: Cell, *, head: bool) -> Json:
        node: Json = {
            "type": "tableHeader" if head else "tableCell",
            "content": self._filled(cell.content, Within.CELL),
        }
        return {**node, "attrs": {"colspan": cell.columns}} if cell.columns > 1 else node


def _leaf(block: Paragraph | Heading | CodeBlock | Rule, within: Within) -> Json:
    match block:
        case Paragraph(content):
            return _paragraph(content)
        case Heading(level, content):
            return _heading(level, content, within)
        case CodeBlock(text, language):
            return _code(text, language)
        case Rule():
            return {"type": "rule"} if within in HOLD_HEADINGS else _paragraph((Text(LINE),))


def _title(alert: Alert) -> Blocks:
    return (Paragraph((Strong((Text(alert.capitalize()),)),)),) if alert else ()


def _paragraph(content: Inlines) -> Json:
    return {"type": "paragraph", "content": text_nodes(content)}


def _heading(level: int, content: Inlines, within: Within) -> Json:
    if within not in HOLD_HEADINGS:
        return _paragraph((Strong(content),))
    return {"type": "heading", "attrs": {"level": level}, "content": text_nodes(content)}


def _code(text: str, language: str) -> Json:
    content = text_nodes((Text(text),))
    node: Json = {"type": "codeBlock", "content": content}
    return {**node, "attrs": {"language": language}} if language else node


def _is_tasks(block: List) -> bool:
    """Whether a list is tasks throughout: a task is one line, and below it only more of them."""
    return block.start is None and all(
        item.checked is not None
        and all(isinstance(below, List) and _is_tasks(below) for below in _first_line(item)[1])
        for item in block.items
    )


def _first_line(item: Item) -> tuple[Inlines, Blocks]:
    if item.content and isinstance(item.content[0], Paragraph):
        return item.content[0].content, item.content[1:]
    return (), item.content


def _boxed(item: Item) -> Blocks:
    """Return an item's content; a task among other items has its box as text."""
    if item.checked is None:
        return item.content
    first, below = _first_line(item)
    return (Paragraph((Text(BOXES[item.checked]), *first)), *below)


def _lines(table: Table) -> Iterator[Inlines]:
    """Yield the rows of a table that must do without one, head in bold."""
    for number, row in enumerate(table.rows):
        line: list[Inlines] = []
        for cell in row:
            words = tuple(
                piece
                for block in cell.content
                if isinstance(block, Paragraph)
                for piece in block.content
            )
            line.append((Strong(words),) if table.head and number == 0 and words else words)
        yield _joined(line)


def _joined(cells: list[Inlines]) -> Inlines:
    joined: list[Inlines] = []
    for cell in cells:
        joined += [(Text(" | "),), cell]
    return tuple(piece for part in joined[1:] for piece in part)
