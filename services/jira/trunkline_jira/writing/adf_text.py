"""Text and its spans as nodes of an Atlassian document: a flat row of texts with marks."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

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

Json: TypeAlias = dict[str, object]
Marks: TypeAlias = Mapping[str, Json]
"""The marks around a text by their type: each type once, the innermost counts."""

BESIDE_CODE = frozenset({"link"})
"""Marks that the schema allows on code."""


def text_nodes(content: Inlines, marks: Marks | None = None) -> list[Json]:
    """Return text with its spans as nodes; empty text has none."""
    return [node for piece in content for node in _nodes(piece, marks or {})]


def _nodes(piece: Inline, marks: Marks) -> Iterator[Json]:
    match piece:
        case Text(text):
            yield from _text(text, marks)
        case Code(text):
            beside = {kind: mark for kind, mark in marks.items() if kind in BESIDE_CODE}
            yield from _text(text, {**beside, "code": {"type": "code"}})
        case Break():
            yield {"type": "hardBreak"}
        case Image(url, alt):
            yield from _text(alt or url, {**marks, **_link(url)})
        case Link(url, inner):
            shown = inner or (Text(url),)
            yield from text_nodes(shown, {**marks, **_link(url)})
        case Strong(inner) | Emphasis(inner) | Strike(inner) | Tagged(_, inner):
            mark = _mark(piece)
            yield from text_nodes(inner, {**marks, str(mark["type"]): mark})


def _text(text: str, marks: Marks) -> Iterator[Json]:
    if text:
        node: Json = {"type": "text", "text": text}
        yield {**node, "marks": list(marks.values())} if marks else node


def _link(url: str) -> dict[str, Json]:
    return {"link": {"type": "link", "attrs": {"href": url}}} if url else {}


def _mark(piece: Strong | Emphasis | Strike | Tagged) -> Json:
    match piece:
        case Strong():
            return {"type": "strong"}
        case Emphasis():
            return {"type": "em"}
        case Strike():
            return {"type": "strike"}
        case Tagged(tag="ins"):
            return {"type": "underline"}
        case Tagged(tag):
            return {"type": "subsup", "attrs": {"type": tag}}
