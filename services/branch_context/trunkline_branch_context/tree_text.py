"""A tree as text: plain as twig's MCP server writes it, or in columns as its command line does."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from trunkline_branch_context.names import shown
from trunkline_branch_context.tree import Line

Style = Literal["plain", "columns"]
TEXT_CAP = 256 * 1024
ORPHAN_MARK = "†"
_ISSUE_WIDTH = 12
_PULL_REQUEST_WIDTH = 12
_DIVERGENCE_WIDTH = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What is written beside a branch's name."""

    jira_issue: str | None = None
    pr_number: int | None = None
    current: bool = False
    orphan: bool = False
    cycle: bool = False
    also_parents: Sequence[str] = ()
    ahead: int | None = None
    behind: int | None = None


Labelled = Sequence[tuple[Line, Labels]]


def render(tree: Labelled, style: Style) -> str:
    """Return the tree's text, cut at a line's end beyond 256 Ki characters."""
    drawn = [f"{_indent(line.trail)}{shown(line.branch)}" for line, _ in tree]
    labels = [each for _, each in tree]
    lines = _plain(drawn, labels) if style == "plain" else _columns(drawn, labels)
    return _capped(lines)


def _indent(trail: Sequence[bool]) -> str:
    if not trail:
        return ""
    above = "".join("    " if last else "│   " for last in trail[:-1])
    return above + ("└── " if trail[-1] else "├── ")


def _plain(drawn: Sequence[str], labels: Sequence[Labels]) -> list[str]:
    return [
        text + _links(each) + "".join(f" {mark}" for mark in _marks(each))
        for text, each in zip(drawn, labels, strict=True)
    ]


def _links(labels: Labels) -> str:
    links = [shown(labels.jira_issue)] if labels.jira_issue else []
    links += [f"#{labels.pr_number}"] if labels.pr_number else []
    return f" ({', '.join(links)})" if links else ""


def _marks(labels: Labels) -> list[str]:
    marks = [ORPHAN_MARK] if labels.orphan else []
    if labels.also_parents:
        marks.append(f"[also: {', '.join(map(shown, labels.also_parents))}]")
    return [*marks, "[cycle]"] if labels.cycle else marks


def _columns(drawn: Sequence[str], labels: Sequence[Labels]) -> list[str]:
    named = [text + _state(each) for text, each in zip(drawn, labels, strict=True)]
    width = max(map(_width, named), default=0) + 2
    return [
        _padded([(text, width), *((cell(each), size) for cell, size in _COLUMNS)])
        for text, each in zip(named, labels, strict=True)
    ]


def _state(labels: Labels) -> str:
    return (" (current)" if labels.current else "") + (f" {ORPHAN_MARK}" if labels.orphan else "")


def _divergence(labels: Labels) -> str:
    if labels.ahead is None or labels.behind is None:
        return ""
    parts = [f"+{labels.ahead}"] if labels.ahead else []
    parts += [f"-{labels.behind}"] if labels.behind else []
    return f"[{'/'.join(parts)}]" if parts else "[up-to-date]"


def _cross_references(labels: Labels) -> list[str]:
    return [mark for mark in _marks(labels) if mark != ORPHAN_MARK]


_COLUMNS: Sequence[tuple[Callable[[Labels], str], int]] = (
    (lambda each: f"[{shown(each.jira_issue)}]" if each.jira_issue else "", _ISSUE_WIDTH),
    (lambda each: f"[PR#{each.pr_number}]" if each.pr_number else "", _PULL_REQUEST_WIDTH),
    (_divergence, _DIVERGENCE_WIDTH),
    (lambda each: " ".join(_cross_references(each)), 0),
)


def _padded(cells: Sequence[tuple[str, int]]) -> str:
    return "".join(f"{text}{' ' * max(0, size - _width(text))}" for text, size in cells).rstrip()


def _width(text: str) -> int:
    """Columns that a terminal gives the text: two for wide characters, none for combining ones."""
    return sum(map(_columns_of, text))


def _columns_of(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _capped(lines: Iterable[str]) -> str:
    kept: list[str] = []
    size = 0
    for line in lines:
        size += len(line) + 1
        if size > TEXT_CAP:
            kept.append("… (cut: ask for a branch, or a smaller max_depth)")
            break
        kept.append(line)
    return "\n".join(kept)
