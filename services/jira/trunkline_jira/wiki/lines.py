"""Lines of wiki text: headings, lists, tables, rules, quotations, paragraphs."""

import re
from collections.abc import Callable

from trunkline_jira.wiki.inlines import inlines_of
from trunkline_jira.wiki.lists import ListLine, lists_of
from trunkline_jira.wiki.shelf import Shelf
from trunkline_jira.wiki.tables import is_open, table_of
from trunkline_shared.markdown.document import (
    Block,
    Blocks,
    Heading,
    Inlines,
    Paragraph,
    Quote,
    Rule,
)

_HEADING = re.compile(r"\s*h([1-6])\.(?:\s+|\Z)(.*)", re.DOTALL)
_QUOTE = re.compile(r"\s*bq\.\s+(.*)", re.DOTALL)
_RULE = re.compile(r"\s*-{4,}\s*")
_LIST = re.compile(r"\s*(-|[*#][*#-]*)\s+(\S.*)", re.DOTALL)
_ROW = re.compile(r"\s*\|")


def blocks_of(text: str, shelf: Shelf) -> Blocks:
    """Read lines; what was set aside stands where its mark is."""
    reading = _Reading(shelf)
    for line in text.split("\n"):
        reading.line(line)
    reading.end()
    return tuple(reading.blocks)


class _Reading:
    """One group of lines at a time: a paragraph's, a list's or a table's."""

    def __init__(self, shelf: Shelf) -> None:
        self.blocks: list[Block] = []
        self._shelf = shelf
        self._paragraph: list[str] = []
        self._list: list[ListLine] = []
        self._rows: list[list[str]] = []

    def line(self, line: str) -> None:
        if not line.strip():
            self.end()
        elif self._rows and is_open(self._rows[-1][-1]) and not _ROW.match(line):
            self._rows[-1].append(line)
        elif not self._alone(line) and not self._grouped(line):
            self._continued(line)

    def end(self) -> None:
        """Finish the group."""
        if self._paragraph:
            self.blocks.extend(self._flow("\n".join(self._paragraph)))
        if self._list:
            self.blocks.extend(lists_of(self._list, self._flow))
        if self._rows:
            rows = ["\n".join(row) for row in self._rows]
            self.blocks.append(table_of(rows, lambda cell: blocks_of(cell, self._shelf)))
        self._paragraph, self._list, self._rows = [], [], []

    def _alone(self, line: str) -> bool:
        if match := _HEADING.fullmatch(line):
            level = int(match[1])
            self.end()
            self.blocks.extend(self._flow(match[2], lambda content: Heading(level, content)))
        elif match := _QUOTE.fullmatch(line):
            self.end()
            self.blocks.append(Quote(self._flow(match[1])))
        elif _RULE.fullmatch(line):
            self.end()
            self.blocks.append(Rule())
        else:
            return False
        return True

    def _grouped(self, line: str) -> bool:
        if match := _LIST.fullmatch(line):
            if not self._list:
                self.end()
            self._list.append(ListLine(match[1], [match[2]]))
        elif _ROW.match(line):
            if not self._rows:
                self.end()
            self._rows.append([line])
        else:
            return False
        return True

    def _continued(self, line: str) -> None:
        if self._list:
            self._list[-1].text.append(line)
        else:
            if self._rows:
                self.end()
            self._paragraph.append(line)

    def _flow(self, text: str, block: Callable[[Inlines], Block] = Paragraph) -> Blocks:
        blocks: list[Block] = []
        for part in self._shelf.parts(text):
            if isinstance(part, str):
                blocks.append(block(inlines_of(part.strip(), self._shelf.lossy)))
            else:
                blocks.extend(part)
        return tuple(blocks)
