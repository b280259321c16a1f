"""Text and its spans as wiki text."""

from collections.abc import Sequence

from trunkline_jira.writing.wiki_escaping import BREAK, address, escaped, monospaced, unbracketed
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

SIGNS = {"ins": "+", "sub": "~", "sup": "^"}


def wiki_text(content: Inlines, line_break: str = BREAK) -> str:
    """Return text with its spans, to stand at the begin of a line."""
    return _line(content, line_break, frozenset(), ("\n", "\n")).strip()


def _line(
    content: Inlines, line_break: str, within: frozenset[str], around: tuple[str, str]
) -> str:
    """Return text with its spans; `around` is the character before it and the one after."""
    before, after = around
    written = before
    for at, piece in enumerate(content):
        following = _first_sign(content[at + 1 :], line_break) or after
        written += _piece(piece, line_break, within, (written[-1:], following))
    return written[len(before) :]


def _piece(piece: Inline, line_break: str, within: frozenset[str], around: tuple[str, str]) -> str:
    match piece:
        case Text(text):
            return escaped(text.replace("\n", " "), *around)
        case Code(text):
            return _code(text)
        case Break():
            return BREAK if around[0] == "\n" else line_break
        case Image(url, alt):
            return _link(url, escaped(alt, "[", "|"))
        case Link(url, inner):
            shown = _line(inner, BREAK, within, ("[", "|"))
            return _link(url, shown if inner != (Text(url),) else "")
        case Strong(inner) | Emphasis(inner) | Strike(inner) | Tagged(_, inner):
            return _span(_sign(piece), inner, within, around)


def _span(sign: str, inner: Inlines, within: frozenset[str], around: tuple[str, str]) -> str:
    """Return a span; inside a word, or beside its own sign, that sign needs braces."""
    if sign in within:
        return _line(inner, BREAK, within, around)
    text = _line(inner, BREAK, within | {sign}, (sign, sign))
    core = text.strip()
    if not core:
        return text
    left, right = text[: text.index(core)], text[text.index(core) + len(core) :]
    before, after = left[-1:] or around[0], right[:1] or around[1]
    tight = before.isalnum() or after.isalnum() or sign in {before, after}
    mark = f"{{{sign}}}" if tight else sign
    return f"{left}{mark}{core}{mark}{right}"


def _sign(piece: Strong | Emphasis | Strike | Tagged) -> str:
    match piece:
        case Strong():
            return "*"
        case Emphasis():
            return "_"
        case Strike():
            return "-"
        case Tagged(tag):
            return SIGNS[tag]


def _code(text: str) -> str:
    words = " ".join(text.split("\n")).strip()
    return monospaced(words) if words else ""


def _link(url: str, shown: str) -> str:
    target = address(url)
    if not target:
        return shown
    return f"[{unbracketed(shown)}|{target}]" if shown.strip() else f"[{target}]"


def _first_sign(following: Sequence[Inline], line_break: str) -> str:
    """Return the first character of what follows, near enough to tell word from space."""
    if not following:
        return ""
    match following[0]:
        case Text(text):
            return text[:1] or _first_sign(following[1:], line_break)
        case Break():
            return line_break[:1]
        case Code():
            return "{"
        case Link() | Image():
            return "["
        case Strong() | Emphasis() | Strike() | Tagged():
            return _sign(following[0])
