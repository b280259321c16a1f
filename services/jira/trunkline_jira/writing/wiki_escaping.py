"""Plain text that stays plain where Jira reads wiki text.

Signs that would begin or end a form get a backslash; a backslash itself, and what a backslash does
not help, becomes an entity. Source: Jira's text formatting notation.
"""

import re
from urllib.parse import quote

BREAK = r"\\ "
"""A line break that needs no new line, for list items and cells."""

_ENTITY = re.compile(r"&(?=#?\w+;)")
_LINE_FORM = re.compile(r"(?<=\n)(h[1-6]|bq)\.", re.IGNORECASE)
_NUMBERING = re.compile(r"(?<=\n)#")
_FACE = re.compile(
    r":(?=[()PpD])|;(?=\))"
    r"|\((?=(?:[ynix/!+?*-]|on|off|\*[rgby]|flag|flagoff)\))"
)
_ALWAYS = re.compile(r"[{}\[\]|]")
_PICTURE = re.compile(r"!(?=\S)")
_CITATION = re.compile(r"(?<=\?)\?|\?(?=\?)")
_EMPHASIS = re.compile(
    r"(?<![^\W_])[*_^~+-](?!\s)"  # might open
    r"|(?<!\s)[*_^~+-](?![^\W_])"  # might close
    r"|(?<=\n)[*-]"  # a list
)
_IN_ADDRESS = "#%&'()*+,/:;=?@-._~$!^"


def escaped(text: str, before: str = "\n", after: str = "\n") -> str:
    """Return `text` so that Jira shows just it; `before` and `after` are its neighbours."""
    framed = f"{before}{text}{after}"
    at = len(before), len(before) + len(text)
    marks = {match.start() for form in _BACKSLASHED for match in form.finditer(framed)}
    dots = {match.end() - 1 for match in _LINE_FORM.finditer(framed)}
    entities = {match.start() for match in _ENTITY.finditer(framed)}
    pieces = []
    for index in range(*at):
        character = framed[index]
        if index in marks:
            character = f"\\{character}"
        elif character == "\\" or index in dots:
            character = f"&#{ord(character)};"
        elif index in entities:
            character = "&amp;"
        pieces.append(character)
    return "".join(pieces)


_BACKSLASHED = (_ALWAYS, _PICTURE, _CITATION, _EMPHASIS, _FACE, _NUMBERING)


def address(url: str) -> str:
    """Return a link's target; signs that end a link, or would make it a mention, are encoded."""
    safe = quote(url, safe=_IN_ADDRESS)
    return f"%{ord(safe[0]):X}{safe[1:]}" if safe[:1] in {"~", "^"} else safe
