"""Plain text that stays plain where Jira reads wiki text.

Jira's renderer takes a backslash before the signs of its own list only (atlassian-renderer,
`BackslashEscapeRendererComponent`), a backslash itself not among them; entities do the rest.
"""

import re
from urllib.parse import quote

BREAK = r"\\ "
"""A line break that needs no new line, for list items and cells."""

_ENTITY = re.compile(r"&(?=#?\w+;)")
_AS_ENTITY = re.compile(
    r"\\"
    r"|(?<=\nh[1-6])\.|(?<=\nbq)\."
    r"|:(?=[PpD])",  # a face
    re.IGNORECASE,
)
_BACKSLASHED = re.compile(
    r"[{}\[\]|]"
    r"|!(?=\S)"  # a picture
    r"|(?<=\?)\?|\?(?=\?)"  # a citation
    r"|(?<![^\W_])[*_^~+-](?!\s)"  # might open
    r"|(?<!\s)[*_^~+-](?![^\W_])"  # might close
    r"|(?<=\n)[*#-]"  # an item of a list
    r"|(?<=[:;])[()]"  # a face
    r"|\((?=(?:[ynix/!+?*-]|on|off|\*[rgby]|flag|flagoff)\))"  # a picture of one
)
_BRACKET = re.compile(r"\\([\[\]|])")
_IN_ADDRESS = "#%&'()*+,/:;=?@-._~$!^"


def escaped(text: str, before: str = "\n", after: str = "\n") -> str:
    """Return `text` so that Jira shows just it; `before` and `after` are its neighbours."""
    framed = f"{before}{text}{after}"
    start, end = len(before), len(before) + len(text)
    written = {m.start(): f"&#{ord(m[0])};" for m in _AS_ENTITY.finditer(framed)}
    written |= {m.start(): f"\\{m[0]}" for m in _BACKSLASHED.finditer(framed)}
    written |= {m.start(): "&amp;" for m in _ENTITY.finditer(framed)}
    return "".join(written.get(at, framed[at]) for at in range(start, end))


def monospaced(text: str) -> str:
    """Return `text` as code; braces that are unescaped too early would end it."""
    written = escaped(text, "{", "}").replace(r"\{", "&#123;").replace(r"\}", "&#125;")
    return f"{{{{{written}}}}}"


def unbracketed(written: str) -> str:
    """Return wiki text that may stand in a link: brackets and bars would end it."""
    return _BRACKET.sub(lambda match: f"&#{ord(match[1])};", written)


def address(url: str) -> str:
    """Return a link's target; signs that end a link, or would make it a mention, are encoded."""
    safe = quote(url, safe=_IN_ADDRESS)
    return f"%{ord(safe[0]):X}{safe[1:]}" if safe[:1] in {"~", "^"} else safe
