"""Reading a document's nodes: which are text, which are blocks, how deep to go.

Nothing that a document says is lost because of where it stands: a block inside a line of text ends
that line, a text where blocks belong is a paragraph, and what lies deeper than `DEEPEST` becomes
one paragraph with a line for each block.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from trunkline_jira.adf.marks import Run, spans, styles_of
from trunkline_jira.adf.node import Node, nodes_of
from trunkline_shared.markdown.document import (
    Block,
    Blocks,
    Break,
    Heading,
    Inline,
    Inlines,
    Paragraph,
    Text,
)

DEEPEST = 50
"""Levels that are kept: what people write has fewer than 25, and Python's stack ends near 1,000."""
LONGEST_NAME, MOST_NAMES = 40, 60

InlineForm: TypeAlias = Callable[["Reader", Node], Inlines]
BlockForm: TypeAlias = Callable[["Reader", Node], Blocks]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A walk through one document; `lossy` collects what has no form in Markdown."""

    inline_forms: Mapping[str, InlineForm]
    block_forms: Mapping[str, BlockForm]
    media: Mapping[str, str]
    lossy: set[str]
    depth: int = 0

    def blocks(self, content: Sequence[object]) -> Blocks:
        """Return the children of a node that holds blocks."""
        return self._read(nodes_of(content), self._stands_in_blocks, Paragraph)

    def prose(
        self, content: Sequence[object], block: Callable[[Inlines], Block] = Paragraph
    ) -> Blocks:
        """Return the children of a node that holds text, as `block`."""
        return self._read(nodes_of(content), self._stands_in_text, block)

    def lose(self, name: str) -> None:
        """Note the name of a node or mark some of which Markdown cannot show."""
        if len(self.lossy) < MOST_NAMES:
            self.lossy.add(name[:LONGEST_NAME] or "unknown")

    def note_marks(self, node: Node) -> None:
        """Note the marks of a node that is no text: the look of a block."""
        if node.marks:
            styles_of(node.marks, self.lose)

    def _read(
        self,
        nodes: list[Node],
        is_inline: Callable[[Node], bool],
        block: Callable[[Inlines], Block],
    ) -> Blocks:
        if self.depth >= DEEPEST:
            return _shown(Paragraph, self.line(nodes))
        deeper = Reader(
            inline_forms=self.inline_forms,
            block_forms=self.block_forms,
            media=self.media,
            lossy=self.lossy,
            depth=self.depth + 1,
        )
        found: list[Block] = []
        for inline, group in groupby(nodes, key=is_inline):
            if inline:
                found.extend(_shown(block, spans([deeper.run(node) for node in group])))
            else:
                for node in group:
                    found.extend(deeper.block(node))
        return tuple(found)

    def block(self, node: Node) -> Blocks:
        """Return one node as blocks."""
        self.note_marks(node)
        form = self.block_forms.get(node.type, unknown_block)
        return form(self, node)

    def run(self, node: Node) -> Run:
        """Return one node as text with its spans; a child of it, where none belongs, follows."""
        form = self.inline_forms.get(node.type, unknown_inline)
        content = form(self, node)
        if node.content:
            content += self.line(nodes_of(node.content))
        return Run(styles_of(node.marks, self.lose), content)

    def line(self, nodes: Sequence[Node]) -> Inlines:
        """Return all text below the nodes in reading order, a break between blocks."""
        waiting = list(reversed(nodes))
        found: list[Inline] = []
        while waiting:
            node = waiting.pop()
            waiting.extend(reversed(nodes_of(node.content)))
            if node.type in self.inline_forms:
                found.extend(spans([self.run(node.childless())]))
                continue
            self.lose(node.type)
            found.append(Break())
            found.extend(_pieces(self.block(node.childless())))
        return _without_empty_lines(found)

    def _stands_in_blocks(self, node: Node) -> bool:
        return node.type in self.inline_forms

    def _stands_in_text(self, node: Node) -> bool:
        """Whether a node is text; one of unknown type is unless it holds a block."""
        if node.type in self.inline_forms:
            return True
        if node.type in self.block_forms:
            return False
        return all(child.type in self.inline_forms for child in nodes_of(node.content))


def unknown_block(reader: Reader, node: Node) -> Blocks:
    """Return the text that a block of unknown type has, and what it holds."""
    reader.lose(node.type)
    children = [child.type for child in nodes_of(node.content)]
    holds_text = any(kind in reader.inline_forms for kind in children)
    inner = reader.prose(node.content) if holds_text else reader.blocks(node.content)
    return _shown(Paragraph, _own_text(node)) + inner


def unknown_inline(reader: Reader, node: Node) -> Inlines:
    """Return the text that a node of unknown type has."""
    reader.lose(node.type)
    return _own_text(node)


def _own_text(node: Node) -> Inlines:
    text = node.text or node.attr("text")
    return (Text(text),) if text else ()


def _shown(block: Callable[[Inlines], Block], content: Inlines) -> Blocks:
    return (block(content),) if content else ()


def _pieces(blocks: Blocks) -> Inlines:
    """Return what a childless node says for itself: its title, its address."""
    return tuple(
        piece
        for block in blocks
        if isinstance(block, Paragraph | Heading)
        for piece in (*block.content, Break())
    )


def _without_empty_lines(pieces: Sequence[Inline]) -> Inlines:
    found: list[Inline] = []
    for piece in pieces:
        if not isinstance(piece, Break) or (found and not isinstance(found[-1], Break)):
            found.append(piece)
    if found and isinstance(found[-1], Break):
        found.pop()
    return tuple(found)
