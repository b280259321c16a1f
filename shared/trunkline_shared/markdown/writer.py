"""Documents as GitHub-flavoured Markdown."""

import re
from collections.abc import Iterator
from typing import TypeAlias

from trunkline_shared.markdown import inlines
from trunkline_shared.markdown.code import code_block
from trunkline_shared.markdown.document import (
    Block,
    Blocks,
    CodeBlock,
    Heading,
    Item,
    List,
    Paragraph,
    Quote,
    Rule,
    Table,
)
from trunkline_shared.markdown.tables import table

DEEPEST = 32
"""Quotes and lists nested deeper than this are written as the paragraphs they hold."""

_GREATEST_NUMBER = 999_999_999
# Only such lists may follow a paragraph without an empty line: CommonMark's section 5.3.
_INTERRUPTS = re.compile(r"(?:[-*]|1[.)]) \S")
_Written: TypeAlias = list[tuple[Block, str]]


def to_markdown(blocks: Blocks) -> str:
    """`blocks` as Markdown that a GFM parser reads back as the same text and structure.

    Without a line end at its end; empty when nothing is visible. Never raises, however deep or
    hostile the tree is: beyond `DEEPEST` its text stays and its structure goes.
    """
    markdown = _joined(_written(blocks, 0))
    # Parsers drop a byte order mark at the beginning, and what is behind it would begin the line.
    return f"&#xFEFF;{markdown[1:]}" if markdown.startswith("\ufeff") else markdown


def _written(blocks: Blocks, depth: int, taken: str = "") -> _Written:
    """Write the blocks that show something.

    A list with the marker of the list before it would be part of that: `taken` is the marker that
    a list at the beginning must not have.
    """
    parts: _Written = []
    for block in blocks if depth <= DEEPEST else _leaves(blocks):
        if isinstance(block, List):
            marker = _marker(block, taken)
            text = _list(block, marker, depth)
        else:
            marker, text = "", _block(block, depth)
        if text:
            parts.append((block, text))
            taken = marker
    return parts


def _joined(parts: _Written) -> str:
    return "\n\n".join(text for _, text in parts)


def _block(block: Paragraph | Heading | CodeBlock | Table | Quote | Rule, depth: int) -> str:
    match block:
        case Paragraph(content):
            return inlines.paragraph(content)
        case Heading(level, content):
            line = inlines.heading(content)
            return f"{'#' * min(max(level, 1), 6)} {line}" if line else ""
        case CodeBlock(text, language):
            return code_block(text, language)
        case Table():
            return table(block)
        case Quote():
            return _quote(block, depth)
        case Rule():
            return "---"


def _quote(quote: Quote, depth: int) -> str:
    parts = _written(quote.content, depth + 1)
    if not parts:
        return ""
    text = _joined(parts)
    if quote.alert:
        gap = "\n" if isinstance(parts[0][0], Paragraph) else "\n\n"
        text = f"[!{quote.alert}]{gap}{text}"
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def _marker(node: List, taken: str) -> str:
    usual, other = ("-", "*") if node.start is None else (".", ")")
    return other if taken == usual else usual


def _list(node: List, marker: str, depth: int) -> str:
    start = node.start if node.start is not None and 0 <= node.start <= _GREATEST_NUMBER else 1
    items: list[str] = []
    gap = "\n"
    for number, item in enumerate(node.items, start):
        text = _item(item, marker, depth)
        if "\n\n" in text:
            gap = "\n\n"
        label = marker if node.start is None else f"{min(number, _GREATEST_NUMBER)}{marker}"
        items.append(_indented(label, text))
    return gap.join(items)


def _item(item: Item, marker: str, depth: int) -> str:
    parts = _written(item.content, depth + 1, taken=marker)
    if parts and isinstance(parts[0][0], Rule):
        parts[0] = parts[0][0], "___"  # `- ---` would be one rule
    text = "".join(
        _gap(before, block, part) + part
        for (before, _), (block, part) in zip([(None, ""), *parts], parts, strict=False)
    )
    if item.checked is None:
        return text
    box = "[x]" if item.checked else "[ ]"
    if not parts:
        return box
    return f"{box} {text}" if isinstance(parts[0][0], Paragraph) else f"{box}\n\n{text}"


def _gap(before: Block | None, block: Block, text: str) -> str:
    if before is None:
        return ""
    tight = isinstance(before, Paragraph) and isinstance(block, List) and _INTERRUPTS.match(text)
    return "\n" if tight else "\n\n"


def _indented(label: str, text: str) -> str:
    if not text:
        return label
    indent = " " * (len(label) + 1)
    first, *others = text.split("\n")
    return "\n".join([f"{label} {first}", *(indent + line if line else "" for line in others)])


def _leaves(blocks: Blocks) -> Iterator[Paragraph | Heading | CodeBlock | Table | Rule]:
    """Yield what quotes and lists hold, without them."""
    waiting = list(reversed(blocks))
    while waiting:
        block = waiting.pop()
        match block:
            case Quote(content):
                waiting.extend(reversed(content))
            case List(items):
                waiting.extend(
                    inner for item in reversed(items) for inner in reversed(item.content)
                )
            case _:
                yield block
