"""Macros that hold blocks: code, quotations, panels; set aside before lines are read."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from trunkline_jira.wiki.lines import blocks_of
from trunkline_jira.wiki.shelf import Shelf
from trunkline_shared.markdown.document import (
    Block,
    Blocks,
    CodeBlock,
    Paragraph,
    Quote,
    Strong,
    Text,
)

Alert = Literal["", "NOTE", "TIP", "WARNING"]

_VERBATIM = frozenset({"code", "noformat"})
_ALERTS: dict[str, Alert] = {
    "quote": "",
    "panel": "",
    "info": "NOTE",
    "note": "NOTE",
    "tip": "TIP",
    "warning": "WARNING",
}
_TAG = re.compile(
    rf"(?<!\\)\{{(?P<name>{'|'.join([*_VERBATIM, *_ALERTS])})(?::(?P<params>[^{{}}\n]*))?\}}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tag:
    name: str
    params: str | None
    start: int
    end: int


@dataclass(slots=True)
class _Open:
    """A macro that has begun, and the text in it so far."""

    name: str = ""
    params: str = ""
    pieces: list[str] = field(default_factory=list)


def without_block_macros(text: str, shelf: Shelf) -> str:
    """Set each such macro aside; one that is never closed stays as its text."""
    return _Extraction(text, shelf).run()


class _Extraction:
    def __init__(self, text: str, shelf: Shelf) -> None:
        self._text = text
        self._shelf = shelf
        self._tags = [_tag(match) for match in _TAG.finditer(text)]
        closing = (at for at, tag in enumerate(self._tags) if tag.params is None)
        self._last_closing = {self._tags[at].name: at for at in closing}
        self._open = [_Open()]
        self._names: Counter[str] = Counter()
        self._read = 0

    def run(self) -> str:
        at = 0
        while at < len(self._tags):
            at = self._verbatim(at) if self._tags[at].name in _VERBATIM else self._container(at)
        self._take(len(self._text))
        while len(self._open) > 1:
            self._close()
        return "".join(self._open[0].pieces)

    def _verbatim(self, at: int) -> int:
        tag = self._tags[at]
        if self._last_closing.get(tag.name, -1) <= at:
            return at + 1
        end = at + 1
        while self._tags[end].name != tag.name or self._tags[end].params is not None:
            end += 1
        self._take(tag.start)
        code = self._text[tag.end : self._tags[end].start]
        self._open[-1].pieces.append(self._shelf.put(_code(tag, code)))
        self._read = self._tags[end].end
        return end + 1

    def _container(self, at: int) -> int:
        tag = self._tags[at]
        if tag.params is None and self._names[tag.name]:
            self._take(tag.start)
            self._read = tag.end
            while self._close() != tag.name:
                pass
        elif self._last_closing.get(tag.name, -1) > at:
            self._take(tag.start)
            self._read = tag.end
            self._names[tag.name] += 1
            self._open.append(_Open(tag.name, tag.params or ""))
        return at + 1

    def _take(self, end: int) -> None:
        self._open[-1].pieces.append(self._text[self._read : end])
        self._read = end

    def _close(self) -> str:
        macro = self._open.pop()
        self._names[macro.name] -= 1
        if macro.name != "quote":
            self._shelf.lossy.add(macro.name)
        inside = blocks_of("".join(macro.pieces), self._shelf)
        quote = Quote((*_title(macro.params), *inside), _ALERTS[macro.name])
        self._open[-1].pieces.append(self._shelf.put((quote,)))
        return macro.name


def _tag(match: re.Match[str]) -> _Tag:
    return _Tag(
        name=match["name"].lower(), params=match["params"], start=match.start(), end=match.end()
    )


def _code(tag: _Tag, code: str) -> Blocks:
    language = ""
    for param in (tag.params or "").split("|"):
        name, equals, value = param.partition("=")
        if name.strip() in {"language", "lang"}:
            language = value.strip()
        elif not equals and not language and tag.name == "code":
            language = name.strip()
    block: Block = CodeBlock(code.strip("\n"), language)
    return (*_title(tag.params or ""), block)


def _title(params: str) -> Blocks:
    for param in params.split("|"):
        name, _, value = param.partition("=")
        if name.strip() == "title" and value.strip():
            return (Paragraph((Strong((Text(value.strip()),)),)),)
    return ()
