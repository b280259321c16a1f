"""A paragraph's runs as a tree: neighbours that are set alike share one node."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from trunkline_project_reader.html.formats import (
    CODE,
    EMPHASIS,
    INSERTED,
    STRIKE,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    Anchor,
)
from trunkline_project_reader.html.runs import Run
from trunkline_shared.markdown.document import (
    Break,
    Code,
    Emphasis,
    Image,
    Inline,
    Inlines,
    Link,
    Strike,
    Strong,
    Tagged,
    Text,
)

_WRAPS: dict[int, Callable[[Inlines], Inline]] = {
    STRONG: Strong,
    EMPHASIS: Emphasis,
    STRIKE: Strike,
    INSERTED: partial(Tagged, "ins"),
    SUBSCRIPT: partial(Tagged, "sub"),
    SUPERSCRIPT: partial(Tagged, "sup"),
}
_BREAK = Break()


def inlines(runs: Sequence[Run]) -> Inlines:
    """Return the nodes; what spans more of the text stands further out."""
    if len(runs) == 1:
        mask, link, atom = runs[0]
        if not mask and link is None and isinstance(atom, str):
            return (Text(atom),)
    return tuple(_nested(runs))


def _nested(runs: Sequence[Run]) -> list[Inline]:
    """At most as deep as there are formats: each level takes one away."""
    nodes: list[Inline] = []
    at, count = 0, len(runs)
    while at < count:
        mask, link, atom = runs[at]
        if link is not None or mask & ~CODE:
            outer, end = _widest(runs, at)
            inner = _nested([_without(run, outer) for run in runs[at:end]])
            nodes += _apart(inner, outer)
            at = end
        elif isinstance(atom, str):
            end = _text_until(runs, at)
            text = atom if end == at + 1 else "".join(cast("str", r[2]) for r in runs[at:end])
            nodes += _code(text) if mask else (Text(text),)
            at = end
        else:
            nodes.append(atom if isinstance(atom, Image) else _BREAK)
            at += 1
    return nodes


def _text_until(runs: Sequence[Run], at: int) -> int:
    mask = runs[at][0]
    end = at + 1
    while end < len(runs):
        also, link, atom = runs[end]
        if also != mask or link is not None or not isinstance(atom, str):
            break
        end += 1
    return end


def _widest(runs: Sequence[Run], at: int) -> tuple[int | Anchor, int]:
    """Return what spans the most runs from here on, and where it ends."""
    mask, link, _ = runs[at]
    outer: int | Anchor = 0
    furthest = at
    if link is not None:
        outer, furthest = link, at + 1
        while furthest < len(runs) and runs[furthest][1] is link:
            furthest += 1
    for bit in _WRAPS:
        if mask & bit:
            end = at + 1
            while end < len(runs) and runs[end][0] & bit:
                end += 1
            if end > furthest:
                outer, furthest = bit, end
    return outer, furthest


def _without(run: Run, outer: int | Anchor) -> Run:
    mask, link, atom = run
    return (mask & ~outer, link, atom) if isinstance(outer, int) else (mask, None, atom)


def _apart(inner: list[Inline], outer: int | Anchor) -> list[Inline]:
    """Wrap what is within, its outer white space left outside: Markdown knows no bold space."""
    before: list[Inline] = []
    after: list[Inline] = []
    first = inner[0]
    if isinstance(first, Text) and first.text[:1] == " ":
        before.append(Text(" "))
        inner = [Text(first.text[1:]), *inner[1:]] if first.text != " " else inner[1:]
    last = inner[-1] if inner else None
    if isinstance(last, Text) and last.text[-1:] == " ":
        after.append(Text(" "))
        inner = [*inner[:-1], Text(last.text[:-1])] if last.text != " " else inner[:-1]
    return [*before, _wrapped(tuple(inner), outer), *after] if inner else before + after


def _wrapped(content: Inlines, outer: int | Anchor) -> Inline:
    return _WRAPS[outer](content) if isinstance(outer, int) else Link(outer.url, content)


def _code(text: str) -> list[Inline]:
    bare = text.strip(" ")
    nodes: list[Inline] = [Code(bare)] if bare else []
    if text[:1] == " ":
        nodes.insert(0, Text(" "))
    if bare and text[-1:] == " ":
        nodes.append(Text(" "))
    return nodes
