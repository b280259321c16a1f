"""Nested inlines as flat runs: each atom with the marks it stands under, outermost first.

Here marks are made sane: none holds itself, none is empty, equal neighbours are one, white space
at a mark's edge stands outside it, and a link that may not be one is its text with its address.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise, repeat
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
Atom: TypeAlias = str | Code | Image | Break | Autolink
Run: TypeAlias = tuple[Marks, Atom]
"""An atom under its marks; a text is a plain string, as most atoms are texts."""

_MARKS: dict[type[Inline], Mark] = {
    Strong: Mark("strong"),
    Emphasis: Mark("em"),
    Strike: Mark("del"),
}
_TEXTUAL = (Text, Code)
_TAGS = {"sub": Mark("sub"), "sup": Mark("sup"), "ins": Mark("ins")}


def flattened(content: Inlines) -> list[Run]:
    """Flatten `content`, however deep its nesting is."""
    runs: list[Run] = []
    is_ragged = False
    for marks, atom in _merged(_atoms(content)):
        if isinstance(atom, str):
            text = collapsed(atom)
            runs.append((marks, text))
            is_ragged = is_ragged or (bool(marks) and text.strip() != text)
        else:
            runs.append((marks, atom))
            is_ragged = is_ragged or (bool(marks) and isinstance(atom, Break))
    return _with_space_outside(_parted(runs)) if is_ragged else runs


def is_space(atom: Atom) -> bool:
    """Whether it only separates."""
    return atom.isspace() if isinstance(atom, str) else isinstance(atom, Break)


def _atoms(content: Inlines) -> list[Run]:
    runs: list[Run] = []
    waiting: list[tuple[Marks, Inline]] = [((), node) for node in reversed(content)]
    while waiting:
        marks, node = waiting.pop()
        if isinstance(node, Text):
            if node.text:
                runs.append((marks, node.text))
        elif isinstance(node, (Code, Break)):
            if isinstance(node, Break) or node.text:
                runs.append((marks, node))
        elif isinstance(node, Image):
            runs.append((marks, node if may_be_link(node.url) else node.alt or "image"))
        elif isinstance(node, Link) and (link := _autolink(marks, node)):
            runs.append((marks, link))
        else:
            inner, children = _opened(marks, node)
            # Most marks hold one text, which needs no loop: it would cost more than the rest.
            waiting += (
                ((inner, children[0]),)
                if len(children) == 1
                else zip(repeat(inner), reversed(children))
            )
    return runs


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


def _merged(runs: list[Run]) -> list[Run]:
    """Join neighbours that are set alike; seldom there are any."""
    if not any(
        one[0] == other[0] and type(one[1]) is type(other[1]) for one, other in pairwise(runs)
    ):
        return runs
    merged: list[Run] = []
    for (marks, kind), alike in groupby(runs, _setting):
        group = list(alike)
        text = "".join(_texts(group)) if len(group) > 1 else ""
        if not text:
            merged.extend(group)
        else:
            merged.append((marks, text if kind is str else Code(text)))
    return merged


def _setting(run: Run) -> tuple[Marks, type[Atom]]:
    return run[0], type(run[1])


def _texts(runs: list[Run]) -> Iterator[str]:
    for _, atom in runs:
        if isinstance(atom, str):
            yield atom
        elif isinstance(atom, Code):
            yield atom.text


def _parted(runs: list[Run]) -> list[Run]:
    """Part each marked text from the space at its edges."""
    parted: list[Run] = []
    for run in runs:
        marks, atom = run
        core = atom.strip() if marks and isinstance(atom, str) else atom
        if not isinstance(atom, str) or not isinstance(core, str) or core == atom:
            parted.append(run)
            continue
        start = atom.find(core)
        edges = (atom[:start], core, atom[start + len(core) :])
        parted.extend((marks, part) for part in edges if part)
    return parted


def _with_space_outside(runs: list[Run]) -> list[Run]:
    """Space stands only under the marks that it shares with both its neighbours."""
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
