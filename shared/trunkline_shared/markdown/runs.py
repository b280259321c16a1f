"""Nested inlines as flat runs: each atom with the marks it stands under, outermost first.

Here marks are made sane: none holds itself, none is empty, equal neighbours are one, white space
at a mark's edge stands outside it, and a link that may not be one is its text with its address.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from trunkline_shared.markdown.addresses import autolink, email_autolink, may_be_link, shown
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
from trunkline_shared.markdown.escaping import collapsed


@dataclass(frozen=True, slots=True)
class Autolink:
    """A link whose text is its target; `markdown` is all of it, brackets included."""

    markdown: str


@dataclass(frozen=True, slots=True)
class Mark:
    """What atoms stand under: an HTML element's name, and `url` for a link."""

    tag: str
    url: str = ""


Marks: TypeAlias = tuple[Mark, ...]
Atom: TypeAlias = Text | Code | Image | Break | Autolink
Run: TypeAlias = tuple[Marks, Atom]

_MARKS: dict[type[Inline], Mark] = {
    Strong: Mark("strong"),
    Emphasis: Mark("em"),
    Strike: Mark("del"),
}
_TEXTUAL = (Text, Code)
_TAGS = {"sub": Mark("sub"), "sup": Mark("sup"), "ins": Mark("ins")}


def flattened(content: Inlines) -> list[Run]:
    """Flatten `content`, however deep its nesting is."""
    runs = list(_merged(list(_atoms(content))))
    if all(not marks for marks, _ in runs):
        return runs
    return _with_space_outside(_parted(runs))


def is_space(atom: Atom) -> bool:
    """Whether it only separates."""
    return isinstance(atom, Break) or (isinstance(atom, Text) and atom.text.isspace())


def _atoms(content: Inlines) -> Iterator[Run]:
    waiting: list[tuple[Marks, Inline]] = [((), node) for node in reversed(content)]
    while waiting:
        marks, node = waiting.pop()
        if isinstance(node, _TEXTUAL):
            if node.text:
                yield marks, node
        elif isinstance(node, Break):
            yield marks, node
        elif isinstance(node, Image):
            yield marks, node if may_be_link(node.url) else Text(node.alt or "image")
        elif isinstance(node, Link) and (link := _autolink(marks, node)):
            yield marks, link
        else:
            marks, children = _opened(marks, node)
            waiting.extend((marks, child) for child in reversed(children))


def _opened(
    marks: Marks, node: Strong | Emphasis | Strike | Tagged | Link
) -> tuple[Marks, Inlines]:
    if isinstance(node, Link):
        return _opened_link(marks, node)
    mark = _TAGS[node.tag] if isinstance(node, Tagged) else _MARKS[type(node)]
    return marks if mark in marks else (*marks, mark), node.content


def _opened_link(marks: Marks, link: Link) -> tuple[Marks, Inlines]:
    around = _link_of(marks)
    if around is None and may_be_link(link.url):
        children = link.content if _is_visible(link.content) else (Text(link.url),)
        return (*marks, Mark("a", link.url)), children
    told = around is not None and around.url == link.url
    if told or not link.url.strip() or link.content == (Text(link.url),):
        return marks, link.content
    return marks, (*link.content, Text(f" ({shown(link.url)})"))


def _autolink(marks: Marks, link: Link) -> Autolink | None:
    if len(link.content) > 1 or _link_of(marks) or not may_be_link(link.url):
        return None
    only = link.content[0] if link.content else Text(link.url)
    if not isinstance(only, Text):
        return None
    if only.text.strip() in {"", link.url}:
        markdown = autolink(link.url)
    else:
        markdown = email_autolink(link.url, only.text)
    return Autolink(markdown) if markdown else None


def _link_of(marks: Marks) -> Mark | None:
    return next((mark for mark in marks if mark.tag == "a"), None)


def _is_visible(content: Inlines) -> bool:
    waiting: list[Inline] = list(content)
    while waiting:
        node = waiting.pop()
        if isinstance(node, _TEXTUAL):
            if node.text.strip():
                return True
        elif isinstance(node, Image):
            return True
        elif not isinstance(node, Break):
            waiting.extend(node.content)
    return False


def _merged(runs: list[Run]) -> Iterator[Run]:
    at = 0
    while at < len(runs):
        marks, atom = runs[at]
        end = at + 1
        if isinstance(atom, _TEXTUAL):
            kind = type(atom)
            while end < len(runs) and type(runs[end][1]) is kind and runs[end][0] == marks:
                end += 1
            text = atom.text if end == at + 1 else "".join(_texts(runs[at:end]))
            yield marks, Text(collapsed(text)) if kind is Text else Code(text)
        else:
            yield marks, atom
        at = end


def _texts(runs: list[Run]) -> Iterator[str]:
    return (atom.text for _, atom in runs if isinstance(atom, _TEXTUAL))


def _parted(runs: list[Run]) -> list[Run]:
    """Part each marked text from the space at its edges."""
    parted: list[Run] = []
    for run in runs:
        marks, atom = run
        if not marks or not isinstance(atom, Text):
            parted.append(run)
            continue
        text = atom.text
        core = text.strip()
        if core == text:
            parted.append(run)
            continue
        start = text.find(core)
        edges = (text[:start], core, text[start + len(core) :])
        parted.extend((marks, Text(part)) for part in edges if part)
    return parted


def _with_space_outside(runs: list[Run]) -> list[Run]:
    """Space stands only under the marks that it shares with both its neighbours."""
    if not any(is_space(atom) for _, atom in runs):
        return runs
    kept = list(runs)
    for order in (range(len(kept)), range(len(kept) - 1, -1, -1)):
        neighbour: Marks = ()
        for at in order:
            marks, atom = kept[at]
            if is_space(atom):
                marks = _shared(marks, neighbour)
                kept[at] = marks, atom
            neighbour = marks
    return kept


def _shared(one: Marks, other: Marks) -> Marks:
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return one[:count]
