"""The syntax of HTML: where tags, comments and texts begin and end.

As the tokenizer of the standard has it (https://html.spec.whatwg.org/multipage/parsing.html), with
possessive patterns only, so that each character is looked at once, whatever a stranger wrote. A
parser that builds the standard's tree takes quadratic time for deep nesting.
"""

import re
from html import unescape
from html.entities import html5

from trunkline_shared.untrusted import sanitize

_SPACE = r"[\t\n\f\r ]"
# A quotation that never ends takes the rest of the text, and its tag with it.
_VALUE = rf"(?:\"[^\"]*+\"?+|'[^']*+'?+|[^\t\n\f\r >\"'][^\t\n\f\r >]*+)"
_NAME = r"[^\t\n\f\r />][^\t\n\f\r />=]*+"
_GIVEN = rf"{_SPACE}*+={_SPACE}*+"

TOKEN = re.compile(
    rf"(?P<text>[^<]++)"
    rf"|<(?P<closing>/?+)(?P<name>[A-Za-z][^\t\n\f\r />]*+)"
    rf"(?P<attributes>(?:[\t\n\f\r /]++|{_NAME}(?:{_GIVEN}{_VALUE}?+)?+)*+)(?P<tag>>)"
    r"|(?P<unfinished></?+[A-Za-z])"
    r"|(?P<comment><!--(?:-?+>|(?s:.*?)(?:--!?+>|\Z))|<(?:[!?]|/(?!\Z))[^>]*+>?+)"
    r"|(?P<bare><)"
)
"""One token of HTML at a position; an unfinished tag hides all that follows it."""

_ATTRIBUTE = re.compile(rf"({_NAME})(?:{_GIVEN}({_VALUE}?+))?+")
_REFERENCE = re.compile(r"&(#[0-9]++;?+|#[xX][0-9a-fA-F]++;?+|[A-Za-z][A-Za-z0-9]*+;?+)(=?+)")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")


def attributes(text: str) -> dict[str, str]:
    """Return a tag's attributes by their lower-cased names; the first of a name counts."""
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        value = match[2] or ""
        if value[:1] in {'"', "'"}:
            value = value[1:-1]
        found.setdefault(match[1].lower(), _decoded_value(value))
    return found


def visible(text: str) -> str:
    """Return a text as it is seen: entities decoded, then stripped of what nobody sees."""
    return shown(unescape(text) if "&" in text else text)


def shown(text: str) -> str:
    """Return a text without what nobody sees: controls, invisible and bidirectional characters."""
    if not text.isprintable():
        text = _CONTROLS.sub("", text)
    return text if text.isascii() else sanitize(text)


def _decoded_value(value: str) -> str:
    """In an attribute a name without its semicolon is an entity only when it stands alone."""
    return _REFERENCE.sub(_character, value) if "&" in value else value


def _character(match: re.Match[str]) -> str:
    name, equals = match[1], match[2]
    if name[0] == "#":
        return unescape(f"&{name}") + equals
    return match[0] if equals and name[-1] != ";" else html5.get(name, f"&{name}") + equals
