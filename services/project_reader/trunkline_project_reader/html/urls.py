"""Which addresses of a text are handed on, and in which form."""

import re
from urllib.parse import quote

_IGNORED = re.compile(r"[\t\n\r]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_REFUSED = frozenset({"javascript", "vbscript", "data", "blob", "about", "view-source"})
_HARMLESS = re.compile(r"[A-Za-z0-9!#$%&'()*+,\-./:;=?@\[\]_~]*+")
_OTHER = re.compile(r"[^A-Za-z0-9!#$%&'()*+,\-./:;=?@\[\]_~]")
_EDGES = "".join(map(chr, range(33)))


def address(raw: str) -> str:
    """Return the address a browser would go to, or "" when there is none to hand on.

    Scripts and embedded data are refused. Spaces and everything beyond ASCII are percent-encoded,
    as browsers send them, so that nothing invisible rides in an address.
    """
    is_harmless = _HARMLESS.fullmatch(raw)
    url = raw if is_harmless else _IGNORED.sub("", raw).strip(_EDGES)
    scheme = _SCHEME.match(url)
    if scheme and scheme[1].lower() in _REFUSED:
        return ""
    return url if is_harmless else _OTHER.sub(_encoded, url)


def _encoded(match: re.Match[str]) -> str:
    return quote(match[0].encode("utf-8", "surrogatepass"), safe="")
