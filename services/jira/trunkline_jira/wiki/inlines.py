"""A run of wiki text: marks, links, images, monospace, escapes, line breaks."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import unescape

from trunkline_jira.wiki.links import image_of, link_of
from trunkline_shared.markdown.document import (
    Break,
    Code,
    Emphasis,
    Inline,
    Inlines,
    Strike,
    Strong,
    Tagged,
    Text,
)
from trunkline_shared.untrusted import sanitize

# Each alternative stops at the next beginning of its own kind: unclosed ones cost no more.
_TOKEN = re.compile(
    r"(?P<break>\\\\|\n)"
    r"|\\(?P<escaped>[*_?+^~{}\[\]()!|#%@\\-])"
    r"|&(?P<entity>#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot);"
    r"|\{\{(?P<code>(?:(?!\{\{|\}\})[^\n])+\}?)\}\}"
    r"|\{(?P<color>color)(?::[^{}\n]*)?\}"
    r"|\{anchor(?::[^{}\n]*)?\}"
    r"|\{(?P<forced>[*_+^~-]|\?\?)\}"
    r"|(?P<macro>\{[^{}\n]*\})"
    r"|\[(?P<link>[^\[\]\n]+)\]"
    r"|!(?P<image>[^!\s|][^!\n|]*)(?P<look>\|[^!\n]*)?!"
    r"|(?P<url>(?:https?|ftp)://[^\s|\[\]{}<>\"]*[^\s|\[\]{}<>\"*_+.,;:!?)'\\-])"
    r"|(?P<dashes>-{2,})"
    r"|(?P<mark>\?\?|[*_+^~-])"
)
_ESCAPED = re.compile(r"\\([*_?+^~{}\[\]()!|#%@-])")
_LOST_MACROS = re.compile(r"\{(toc|include|gallery|chart|expand|section|column|jira|status)\b")


@dataclass(slots=True)
class _Open:
    """A mark that has begun, as it was written, and what follows it so far."""

    sign: str = ""
    written: str = ""
    content: list[Inline] = field(default_factory=list)


def inlines_of(text: str, lossy: set[str]) -> Inlines:
    """Read text without blocks; adds to `lossy` what loses its form."""
    reading = _Reading(text, lossy)
    end = 0
    for match in _TOKEN.finditer(text):
        reading.add(Text(text[end : match.start()]))
        reading.token(match)
        end = match.end()
    reading.add(Text(text[end:]))
    return reading.finish()


class _Reading:
    def __init__(self, text: str, lossy: set[str]) -> None:
        self._text = text
        self._lossy = lossy
        self._open = [_Open()]

    def add(self, *inlines: Inline) -> None:
        self._open[-1].content.extend(inlines)

    def token(self, match: re.Match[str]) -> None:
        kind = match.lastgroup or ""
        if kind == "break":
            if match[0] == "\n":
                self._drop(0)
            self.add(Break())
        elif kind in {"mark", "forced"}:
            self._mark(match, match[kind])
        elif kind in {"link", "image", "look"}:
            self.add(*self._target(match))
        elif kind == "color":
            self._lossy.add("color")
        else:
            self._text_of(match, kind)

    def finish(self) -> Inlines:
        self._drop(0)
        return tuple(self._open[0].content)

    def _text_of(self, match: re.Match[str], kind: str) -> None:
        if kind == "code":
            self.add(Code(_plain(match["code"])))
        elif kind in {"escaped", "entity"}:
            self.add(Text(_plain(match[0])))
        elif kind:
            if lost := _LOST_MACROS.match(match[0]):
                self._lossy.add(lost[1])
            self.add(Text(match[0]))

    def _target(self, match: re.Match[str]) -> Iterable[Inline]:
        if match["link"] is None:
            return (image_of(match["image"], match["look"] or "", self._lossy) or Text(match[0]),)
        return (link_of(match["link"], self._lossy, inlines_of) or Text(match[0]),)

    def _mark(self, match: re.Match[str], sign: str) -> None:
        forced = match["forced"] is not None
        before = self._text[match.start() - 1 : match.start()] if match.start() else ""
        after = self._text[match.end() : match.end() + 1]
        at = next((at for at, one in enumerate(self._open) if one.sign == sign), 0)
        if at and (forced or _closes(before, after)):
            self._drop(at)
            mark = self._open.pop()
            self.add(_marked(sign, tuple(mark.content)))
        elif not at and (forced or _opens(before, after)):
            self._open.append(_Open(sign, match[0]))
        else:
            self.add(Text(match[0]))

    def _drop(self, depth: int) -> None:
        """Turn marks deeper than `depth` that were never closed to what they were written as."""
        while len(self._open) > depth + 1:
            mark = self._open.pop()
            self.add(Text(mark.written), *mark.content)


def _plain(written: str) -> str:
    """Return what escapes and entities stand for; Jira reads them in monospaced text too."""
    return sanitize(unescape(_ESCAPED.sub(r"\1", written)))


def _opens(before: str, after: str) -> bool:
    return not before.isalnum() and bool(after.strip())


def _closes(before: str, after: str) -> bool:
    return bool(before.strip()) and not after.isalnum()


def _marked(sign: str, content: Inlines) -> Inline:
    match sign:
        case "*":
            return Strong(content)
        case "-":
            return Strike(content)
        case "+":
            return Tagged("ins", content)
        case "^":
            return Tagged("sup", content)
        case "~":
            return Tagged("sub", content)
        case _:
            return Emphasis(content)
