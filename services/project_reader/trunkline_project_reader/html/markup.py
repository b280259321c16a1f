"""The syntax of HTML: where tags, comments and texts begin and end.

As the tokenizer of the standard has it (https://html.spec.whatwg.org/multipage/parsing.html), with
possessive patterns, so that each character is looked at once or twice, whatever a stranger wrote.
A parser that builds the standard's tree takes quadratic time for deep nesting.
"""

import re
from html import unescape
from html.entities import html5

from trunkline_shared.untrusted import sanitize

SPACE = "\t\n\f\r "
"""White space, as HTML counts it."""


def _any_case(*names: str) -> str:
    """Match names in any case: beginning with plain classes, which the engine tells apart fast."""
    return f"(?:{'|'.join(re.sub('[a-z]', _either, name) for name in names)})"


def _either(letter: re.Match[str]) -> str:
    return f"[{letter[0]}{letter[0].upper()}]"


_SPACE = r"[\t\n\f\r ]"
_ENDS = r"(?=[\t\n\f\r />])"
# A quotation that never ends takes the rest of the text, and its tag with it.
_VALUE = r"(?:\"[^\"]*+\"?+|'[^']*+'?+|[^\t\n\f\r >\"'][^\t\n\f\r >]*+)"
_NAME = r"[^\t\n\f\r />][^\t\n\f\r />=]*+"
_GIVEN = rf"{_SPACE}*+={_SPACE}*+"
_WRITTEN = rf"(?:[\t\n\f\r /]++|{_NAME}(?:{_GIVEN}{_VALUE}?+)?+)*+"
_RAW = _any_case("script", "style", "title", "iframe", "noembed", "noframes", "xmp", "textarea")
_ATTACHMENT = _any_case("bc-attachment", "action-text-attachment")
_WHOLE = rf"(?:{_RAW}|{_ATTACHMENT})"

TOKEN = re.compile(
    r"(?P<text>[^<]*+)(?:"
    rf"<(?!{_WHOLE}{_ENDS})(?P<tag>/?+[A-Za-z][^\t\n\f\r />]*+)(?P<written>{_WRITTEN})>"
    rf"|<(?P<raw>{_RAW}){_ENDS}(?P<raw_written>{_WRITTEN})>(?P<raw_text>(?s:.*?))"
    rf"(?:</(?i:(?P=raw)){_ENDS}[^>]*+>?+|\Z)"
    rf"|<{_ATTACHMENT}{_ENDS}(?P<attached>{_WRITTEN})>"
    rf"(?:(?P<inside>(?:[^<]++|<(?!/?+{_ATTACHMENT}{_ENDS}))*+)</{_ATTACHMENT}{_ENDS}[^>]*+>?+)?+"
    r"|(?P<unfinished></?+[A-Za-z](?s:.*+))"
    r"|<!--(?:-?+>|(?s:.*?)(?:--!?+>|\Z))|<(?:[!?]|/(?!\Z))[^>]*+>?+"
    r"|(?P<bare><)|\Z)"
)
"""A text and what follows it: a tag, an element that has no tags in it, an attachment with all it
holds, a comment, or a bracket that begins nothing. An unfinished tag hides all that follows it."""

_ATTRIBUTE = re.compile(rf"({_NAME})(?:{_GIVEN}(?:(\"[^\"]*+\"|'[^']*+')|([^\t\n\f\r >]*+)))?+")
_REFERENCE = re.compile(r"&(#[0-9]++;?+|#[xX][0-9a-fA-F]++;?+|[A-Za-z][A-Za-z0-9]*+;?+)(=?+)")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_SPACES = re.compile(r"[\t\n\f\r ]+")


def attributes(written: str) -> dict[str, str]:
    """Return a tag's attributes by their lower-cased names; the first of a name counts."""
    found: dict[str, str] = {}
    for name, quoted, value in _ATTRIBUTE.findall(written):
        found.setdefault(name.lower(), _decoded_value(quoted[1:-1] or value))
    return found


def visible(text: str) -> str:
    """Return a text as it is seen: entities decoded, then stripped of what nobody sees."""
    return shown(unescape(text) if "&" in text else text)


def shown(text: str) -> str:
    """Return a text without what nobody sees: controls, invisible and bidirectional characters."""
    return text if _is_plain(text) else sanitize(_CONTROLS.sub("", text))


def line(text: str) -> str:
    """Return a visible text on one line, white space collapsed as browsers do."""
    if _is_plain_line(text):
        return text
    return _SPACES.sub(" ", sanitize(_CONTROLS.sub("", text)))


def _is_plain_line(text: str) -> bool:
    """Whether there is nothing to strip nor to collapse, told as cheaply as most texts allow."""
    return text.isprintable() and "  " not in text and not _has_selectors(text)


def _is_plain(text: str) -> bool:
    return text.isprintable() and not _has_selectors(text)


def _has_selectors(text: str) -> bool:
    if text.isascii():
        return False
    # What is printable has UTF-8. All selectors begin so there, and bytes are searched faster.
    encoded = text.encode()
    return (b"\xef\xb8" in encoded or b"\xf3\xa0" in encoded) and bool(_SELECTORS.search(text))


def _decoded_value(value: str) -> str:
    """In an attribute a name without its semicolon is an entity only when it stands alone."""
    return _REFERENCE.sub(_character, value) if "&" in value else value


def _character(match: re.Match[str]) -> str:
    name, equals = match[1], match[2]
    if name[0] == "#":
        return unescape(f"&{name}") + equals
    return match[0] if equals and name[-1] != ";" else html5.get(name, f"&{name}") + equals
