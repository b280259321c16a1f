"""What of the forest is shown: a walk without recursion, bounded in depth and size."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_branch_context.forest import Forest

MOST_LINES = 500

Trail = tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One branch of the tree.

    `trail` says for each level, the branch's own last, whether it was the last of its siblings;
    a root has none.
    """

    branch: str
    parent: str | None
    children: Sequence[str]
    trail: Trail = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The lines shown, in order, and how many branches lie below what is shown."""

    lines: Sequence[Line]
    hidden: int


def walk(forest: Forest, roots: Sequence[str], max_depth: int | None = None) -> Walk:
    """Return what is shown from `roots` down; roots have depth 0."""
    lines: list[Line] = []
    hidden = 0
    waiting: list[tuple[str, Trail]] = [(root, ()) for root in reversed(roots)]
    while waiting:
        branch, trail = waiting.pop()
        visible = len(lines) < MOST_LINES and (max_depth is None or len(trail) <= max_depth)
        if visible:
            lines.append(_line(forest, branch, trail))
        else:
            hidden += 1
        waiting.extend(_below(forest, branch, trail, deeper=visible))
    return Walk(lines=lines, hidden=hidden)


def _below(forest: Forest, branch: str, trail: Trail, *, deeper: bool) -> list[tuple[str, Trail]]:
    """Return what to visit next, last sibling first; trails stop growing once nothing is shown."""
    children = forest.children.get(branch, ())
    last = len(children) - 1
    return [
        (child, (*trail, at == last) if deeper else trail)
        for at, child in reversed(list(enumerate(children)))
    ]


def _line(forest: Forest, branch: str, trail: Trail) -> Line:
    return Line(
        branch=branch,
        parent=forest.parent.get(branch),
        children=forest.children.get(branch, ()),
        trail=trail,
    )
