"""Finished blocks set aside while the text around them is read, each by a mark in that text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from trunkline_shared.markdown.document import Blocks

_MARK = re.compile("\0(\\d+)\0")


@dataclass(slots=True)
class Shelf:
    """What is set aside, and the names of what lost its form so far."""

    lossy: set[str] = field(default_factory=set)
    _blocks: list[Blocks] = field(default_factory=list)

    def put(self, blocks: Blocks) -> str:
        """Set blocks aside; returns the mark that stands for them, which holds no line end."""
        self._blocks.append(blocks)
        return f"\0{len(self._blocks) - 1}\0"

    def parts(self, text: str) -> Iterator[str | Blocks]:
        """Yield text and what was set aside, in their order."""
        for at, part in enumerate(_MARK.split(text)):
            if at % 2:
                yield self._blocks[int(part)]
            elif part.strip():
                yield part
