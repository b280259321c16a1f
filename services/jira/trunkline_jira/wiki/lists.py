"""Lists of wiki text: each line tells by its markers in which list of lists it stands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from trunkline_shared.markdown.document import Block, Blocks, Item, List

_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class ListLine:
    """An item: its markers, as `#*`, and its lines."""

    markers: str
    text: list[str]


@dataclass(slots=True)
class _Open:
    """A list that may get more items, each the blocks in it so far."""

    numbered: bool
    items: list[list[Block]] = field(default_factory=list)

    def finished(self) -> List:
        items = tuple(Item(tuple(blocks)) for blocks in self.items)
        return List(items, start=1 if self.numbered else None)


def lists_of(lines: Sequence[ListLine], flow: Callable[[str], Blocks]) -> Blocks:
    """Nest the items; a change of marker at the outermost level begins another list."""
    top: list[Block] = []
    stack: list[_Open] = []
    for line in lines:
        kinds = [marker == "#" for marker in line.markers[:_DEEPEST]]
        _close(stack, _shared(stack, kinds), top)
        for numbered in kinds[len(stack) :]:
            if stack and not stack[-1].items:
                stack[-1].items.append([])
            stack.append(_Open(numbered))
        stack[-1].items.append(list(flow("\n".join(line.text))))
    _close(stack, 0, top)
    return tuple(top)


def _shared(stack: list[_Open], kinds: list[bool]) -> int:
    count = 0
    for one, numbered in zip(stack, kinds, strict=False):
        if one.numbered != numbered:
            break
        count += 1
    return count


def _close(stack: list[_Open], depth: int, top: list[Block]) -> None:
    while len(stack) > depth:
        finished = stack.pop().finished()
        (stack[-1].items[-1] if stack else top).append(finished)
