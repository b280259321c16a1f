"""What marks make of text: spans that nest, as Markdown wants them.

A mark of the format belongs to one text node; neighbours that share a mark share its span.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from trunkline_jira.adf.node import Mark, said
from trunkline_shared.markdown.document import (
    Break,
    Code,
    Emphasis,
    Inline,
    Inlines,
    Link,
    Strike,
    Strong,
    Tagged,
    Text,
)


class Style(NamedTuple):
    """A span around text; a lower rank stands further out."""

    rank: int
    kind: str
    url: str = ""


class Run(NamedTuple):
    """Content and the spans around it, outermost first."""

    styles: tuple[Style, ...]
    content: Inlines


def _link(attrs: Mapping[str, object]) -> Style | None:
    url = said(attrs.get("href")) or said(attrs.get("url"))
    return Style(0, "link", url) if url else None


def _subsup(attrs: Mapping[str, object]) -> Style | None:
    kind = said(attrs.get("type"))
    return Style(5, kind) if kind in {"sub", "sup"} else None


STYLES: dict[str, Callable[[Mapping[str, object]], Style | None]] = {
    "link": _link,
    "strong": lambda _: Style(1, "strong"),
    "em": lambda _: Style(2, "em"),
    "strike": lambda _: Style(3, "strike"),
    "underline": lambda _: Style(4, "ins"),
    "subsup": _subsup,
    "code": lambda _: Style(6, "code"),
}
SEEN = frozenset({
    "alignment", "annotation", "backgroundColor", "border", "breakout", "fontSize", "indentation",
    "textColor",
})  # fmt: skip
"""Marks that people see and Markdown has no form for."""
UNSEEN = frozenset({"dataConsumer", "fragment"})
"""Marks that connect nodes behind the scenes."""

_SPANS: dict[str, Callable[[Style, Inlines], Inline]] = {
    "link": lambda style, content: Link(style.url, content),
    "strong": lambda _, content: Strong(content),
    "em": lambda _, content: Emphasis(content),
    "strike": lambda _, content: Strike(content),
    "ins": lambda _, content: Tagged("ins", content),
    "sub": lambda _, content: Tagged("sub", content),
    "sup": lambda _, content: Tagged("sup", content),
}


def styles_of(marks: Sequence[Mark], lose: Callable[[str], None]) -> tuple[Style, ...]:
    """Return the spans that `marks` ask for, one of a kind; `lose` is told of marks without."""
    if not marks:
        return ()
    found: dict[str, Style] = {}
    for mark in marks:
        form = STYLES.get(mark.type)
        style = form(mark.attrs) if form else None
        if style:
            found.setdefault(style.kind, style)
        elif mark.type not in UNSEEN:
            lose(mark.type)
    return tuple(sorted(found.values()))


def spans(runs: Sequence[Run]) -> Inlines:
    """Return the runs as spans within spans."""
    found: list[Inline] = []
    for style, group in groupby(runs, key=lambda run: run.styles[0] if run.styles else None):
        if style is None:
            found.extend(piece for run in group for piece in run.content)
            continue
        inner = spans([Run(run.styles[1:], run.content) for run in group])
        if style.kind == "code":
            found.extend(_code(inner))
        elif inner:
            found.append(_SPANS[style.kind](style, inner))
    return tuple(found)


def _code(content: Inlines) -> list[Inline]:
    found: list[Inline] = []
    for piece in content:
        before = found[-1] if found else None
        if isinstance(piece, Text | Break):
            text = piece.text if isinstance(piece, Text) else "\n"
            if isinstance(before, Code):
                found.pop()
                text = before.text + text
            found.append(Code(text))
        else:
            found.append(piece)
    return found
