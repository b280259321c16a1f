"""Which addresses of a text are handed on, and in which form."""

import re
from urllib.parse import quote

_IGNORED = re.compile(r"[\t\n\r]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_REFUSED = frozenset({"javascript", "vbscript", "data", "blob", "about", "view-source"})
_HARMLESS = frozenset("!#$%&'()*+,-./:;=?@[]_~")


def address(raw: str) -> str:
    """Return the address a browser would go to, or "" when there is none to hand on.

    Scripts and embedded data are refused. Spaces and everything beyond ASCII are percent-encoded,
    as browsers send them, so that nothing invisible rides in an address.
    """
    url = _IGNORED.sub("", raw).strip("".join(map(chr, range(33))))
    scheme = _SCHEME.match(url)
    if not url or (scheme and scheme[1].lower() in _REFUSED):
        return ""
    return "".join(_encoded(c) for c in url) if not _is_plain(url) else url


def _is_plain(url: str) -> bool:
    return url.isascii() and all(c.isalnum() or c in _HARMLESS for c in url)


def _encoded(character: str) -> str:
    if character.isascii() and (character.isalnum() or character in _HARMLESS):
        return character
    return quote(character.encode("utf-8", "surrogatepass"), safe="")
