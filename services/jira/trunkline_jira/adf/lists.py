"""Lists: bullets, numbers, tasks, decisions."""

from collections.abc import Callable
from dataclasses import replace

from trunkline_jira.adf.node import Node, nodes_of, whole
from trunkline_jira.adf.reader import BlockForm, Reader
from trunkline_shared.markdown.document import (
    Block,
    Blocks,
    Inlines,
    Item,
    List,
    Paragraph,
    Strong,
    Text,
)

DECISION = "Decision:"
LARGEST_START = 999_999_999
"""What CommonMark takes as a number of a list: nine digits."""


def _bullet_list(reader: Reader, node: Node) -> Blocks:
    return _listed(_items(reader, node))


def _ordered_list(reader: Reader, node: Node) -> Blocks:
    start = whole(node.attrs.get("order"), otherwise=1)
    return _listed(_items(reader, node), start=min(max(start, 0), LARGEST_START))


def _task_list(reader: Reader, node: Node) -> Blocks:
    """Return tasks; a list inside the list belongs to the task before it."""
    items: list[Item] = []
    for child in nodes_of(node.content):
        if child.type == "taskList" and items:
            nested = reader.blocks([child])
            items[-1] = replace(items[-1], content=items[-1].content + nested)
        else:
            items.append(_item(reader, child))
    return _listed(tuple(items))


def _decision_list(reader: Reader, node: Node) -> Blocks:
    return _listed(_items(reader, node))


def _stray_item(reader: Reader, node: Node) -> Blocks:
    """Return an item that stands in no list as a list of its own."""
    return _listed((_ITEMS[node.type](reader, node),))


def _items(reader: Reader, node: Node) -> tuple[Item, ...]:
    return tuple(_item(reader, child) for child in nodes_of(node.content))


def _item(reader: Reader, node: Node) -> Item:
    form = _ITEMS.get(node.type)
    if form is None:
        return Item(reader.blocks([node]))
    reader.note_marks(node)
    return form(reader, node)


def _plain(reader: Reader, node: Node) -> Item:
    return Item(reader.blocks(node.content))


def _task(reader: Reader, node: Node) -> Item:
    return Item(reader.prose(node.content), checked=_done(node))


def _block_task(reader: Reader, node: Node) -> Item:
    return Item(reader.blocks(node.content), checked=_done(node))


def _done(node: Node) -> bool:
    return node.attr("state").upper() == "DONE"


def _decision(reader: Reader, node: Node) -> Item:
    """Return a decision, told from other items by the word that Jira shows as an arrow."""
    marker: Inlines = (Strong((Text(DECISION),)),)
    first, *rest = reader.prose(node.content) or (Paragraph(()),)
    if isinstance(first, Paragraph):
        first = Paragraph((*marker, Text(" "), *first.content) if first.content else marker)
        return Item((first, *rest))
    return Item((Paragraph(marker), first, *rest))


_ITEMS: dict[str, Callable[[Reader, Node], Item]] = {
    "listItem": _plain,
    "taskItem": _task,
    "blockTaskItem": _block_task,
    "decisionItem": _decision,
}


def _listed(items: tuple[Item, ...], start: int | None = None) -> Blocks:
    found: tuple[Block, ...] = (List(items, start=start),) if items else ()
    return found


LISTS: dict[str, BlockForm] = {
    "bulletList": _bullet_list,
    "orderedList": _ordered_list,
    "taskList": _task_list,
    "decisionList": _decision_list,
    **dict.fromkeys(_ITEMS, _stray_item),
}
