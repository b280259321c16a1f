"""A node of an Atlassian document, read from whatever was sent as one.

The format: https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from types import MappingProxyType
from typing import NamedTuple

from trunkline_shared.untrusted import sanitize

WRAPPED = "originalValue"
"""Where an editor keeps a node that it did not know."""
NOTHING: Mapping[str, object] = MappingProxyType({})


class Mark(NamedTuple):
    """What a node's text looks like or points to."""

    type: str
    attrs: Mapping[str, object]


class Node(NamedTuple):
    """A type, its attributes and its children, most of them still raw."""

    type: str
    attrs: Mapping[str, object] = NOTHING
    content: Sequence[object] = ()
    marks: Sequence[Mark] = ()
    text: str = ""

    def attr(self, name: str) -> str:
        return said(self.attrs.get(name))

    def childless(self) -> "Node":
        return self._replace(content=())


def node_of(raw: object) -> Node:
    """Return the node that `raw` is, or the text node or nameless node that it comes to."""
    if isinstance(raw, Node):
        return raw
    if isinstance(raw, dict):
        return _read(raw)
    if isinstance(raw, list):
        return Node(type="", content=raw)
    return Node(type="text", text=said(raw))


def nodes_of(content: Sequence[object]) -> list[Node]:
    """Return the nodes that children are."""
    return [node_of(raw) for raw in content]


def said(value: object) -> str:
    """Return a scalar as a person reads it, without invisible characters; "" for all else."""
    if isinstance(value, str):
        return sanitize(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return ""


def whole(value: object, otherwise: int) -> int:
    """Return a number, also one that was sent as text, without its fraction."""
    try:
        number = float(said(value))
    except ValueError:
        return otherwise
    return int(number) if isfinite(number) else otherwise


def attributes(raw: object) -> Mapping[str, object]:
    """Return what has names, or nothing."""
    return raw if isinstance(raw, dict) else NOTHING


def _read(raw: dict[str, object]) -> Node:
    kind = said(raw.get("type"))
    content = _content(raw.get("content"))
    text = raw.get("text")
    if text and (kind != "text" or isinstance(text, dict | list)):
        content, text = [*_content(text), *content], ""
    attrs = attributes(raw.get("attrs"))
    if WRAPPED in attrs:
        content = [attrs[WRAPPED], *content]
    return Node(kind, attrs, content, _marks(raw.get("marks")), said(text))


def _content(raw: object) -> Sequence[object]:
    if isinstance(raw, list):
        return raw
    return () if raw is None else (raw,)


def _marks(raw: object) -> Sequence[Mark]:
    return [_mark(one) for one in _content(raw)] if raw else ()


def _mark(raw: object) -> Mark:
    if isinstance(raw, dict):
        return Mark(said(raw.get("type")), attributes(raw.get("attrs")))
    return Mark(said(raw), NOTHING)
