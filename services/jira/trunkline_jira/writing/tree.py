"""From a Markdown text to its tree; no text is too deep or too odd for one."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import cast

from markdown_it.token import Token

from trunkline_jira.writing.parsing import parsed
from trunkline_jira.writing.spans import inlines
from trunkline_shared.markdown.document import (
    Alert,
    Block,
    Blocks,
    Break,
    Cell,
    CodeBlock,
    Heading,
    Inline,
    Inlines,
    Item,
    List,
    Paragraph,
    Quote,
    Rule,
    Table,
    Text,
)

_BETWEEN_PARAGRAPHS = re.compile(r"\n\s*\n")


@dataclass(slots=True)
class Open:
    """A block that has begun, and what it holds so far."""

    token: Token
    text: Inlines = ()
    blocks: list[Block] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    rows: list[tuple[Cell, ...]] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)

    def paragraphs(self) -> Blocks:
        return (Paragraph(self.text),) if self.text else ()


def to_document(text: str) -> Blocks:
    """Return the tree of a Markdown text; one nested absurdly deep is taken for plain text."""
    tokens = parsed(text)
    if tokens is None:
        return tuple(_plain_paragraphs(text))
    open_blocks = [Open(Token("root", "", 1))]
    for token in tokens:
        if token.nesting == 1:
            open_blocks.append(Open(token))
        elif token.nesting == -1:
            ended = open_blocks.pop()
            _CLOSED[ended.token.type](ended, open_blocks[-1])
        elif token.type == "inline":
            open_blocks[-1].text = inlines(token.children or ())
        else:
            open_blocks[-1].blocks += _leaf(token)
    return tuple(open_blocks[0].blocks)


def _paragraph(ended: Open, parent: Open) -> None:
    parent.blocks += ended.paragraphs()


def _heading(ended: Open, parent: Open) -> None:
    parent.blocks.append(Heading(int(ended.token.tag[1]), ended.text))


def _quote(ended: Open, parent: Open) -> None:
    alert = cast(Alert, ended.token.meta.get("alert", ""))
    parent.blocks.append(Quote(tuple(ended.blocks), alert=alert))


def _item(ended: Open, parent: Open) -> None:
    checked = cast(bool | None, ended.token.meta.get("checked"))
    parent.items.append(Item(tuple(ended.blocks), checked=checked))


def _bullets(ended: Open, parent: Open) -> None:
    parent.blocks.append(List(tuple(ended.items)))


def _numbers(ended: Open, parent: Open) -> None:
    parent.blocks.append(List(tuple(ended.items), start=int(ended.token.attrs.get("start", 1))))


def _cell(ended: Open, parent: Open) -> None:
    parent.cells.append(Cell(ended.paragraphs()))


def _row(ended: Open, parent: Open) -> None:
    parent.rows.append(tuple(ended.cells))


def _rows(ended: Open, parent: Open) -> None:
    parent.rows += ended.rows


def _table(ended: Open, parent: Open) -> None:
    parent.blocks.append(Table(tuple(ended.rows)))


_CLOSED: dict[str, Callable[[Open, Open], None]] = {
    "paragraph_open": _paragraph,
    "heading_open": _heading,
    "blockquote_open": _quote,
    "list_item_open": _item,
    "bullet_list_open": _bullets,
    "ordered_list_open": _numbers,
    "th_open": _cell,
    "td_open": _cell,
    "tr_open": _row,
    "thead_open": _rows,
    "tbody_open": _rows,
    "table_open": _table,
}


def _leaf(token: Token) -> Blocks:
    match token.type:
        case "hr":
            return (Rule(),)
        case "html_block":
            return tuple(_plain_paragraphs(token.content))
        case _:
            language, *_ = token.info.split() or [""]
            return (CodeBlock(token.content.removesuffix("\n"), language=language),)


def _plain_paragraphs(text: str) -> Iterator[Block]:
    for paragraph in _BETWEEN_PARAGRAPHS.split(text.strip()):
        lines: list[Inline] = []
        for line in paragraph.split("\n"):
            lines += [Break(), Text(line.strip())]
        yield Paragraph(tuple(lines[1:]))
