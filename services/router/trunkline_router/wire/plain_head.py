"""The head of a plain request to an MCP endpoint, read in one step. No I/O.

Plain is what agents send all day. All else is for a whole HTTP parser: none of it is judged here.
"""

import re
from typing import NamedTuple

from multidict import CIMultiDict, CIMultiDictProxy

MOST_BYTES = 8190
"""The longest head that is taken; aiohttp's bound on one line, whose answer is for longer ones."""
_MOST_HEADERS = 128
_LONGEST_LENGTH = 10
_END = b"\r\n\r\n"
# Fields of RFC 9110, section 5.5, in printable ASCII, each on one line: atomic, so that no head
# can make this look twice.
_FORM = re.compile(
    rb"POST ((?:/servers/(\w{1,64}))?/mcp)(?:\?([!\"$-~]*))? HTTP/1\.1\r\n"
    rb"((?:[!#$%&'*+\-.^_`|~0-9A-Za-z]++: *+[ -~]*+\r\n)++)\r\n"
)
_FIELDS = re.compile(r"([^:]+): *([^\r]*)\r\n")
_CHANGING = ("Transfer-Encoding", "Expect", "Upgrade", "Content-Encoding", "Trailer")
"""What makes a request say something else than its bytes, or wants an answer before its body."""


class PlainHead(NamedTuple):
    """What a head says; `end` is where the body begins, `length` how many bytes that has.

    `query` is as it came. No header comes twice.
    """

    path: str
    scope: str | None
    query: str
    headers: CIMultiDictProxy[str]
    length: int
    end: int


def plain_head(data: bytes) -> PlainHead | None:
    """Return the head at the beginning of what came; None for one that is not plain, or whole."""
    end = data.find(_END, 0, MOST_BYTES)
    if end < 0 or data.find(b" \r\n", 0, end + 2) >= 0:
        return None
    form = _FORM.match(data, 0, end + len(_END))
    if form is None:
        return None
    path, scope, query, fields = form.groups()
    pairs = _FIELDS.findall(fields.decode("ascii"))
    headers = CIMultiDict(pairs)
    if len(pairs) > _MOST_HEADERS or len({name.lower() for name, _ in pairs}) < len(pairs):
        return None
    length = headers.get("Content-Length", "")
    if not length.isdigit() or len(length) > _LONGEST_LENGTH or not _is_kept(headers):
        return None
    return PlainHead(
        path.decode("ascii"),
        None if scope is None else scope.decode("ascii"),
        "" if query is None else query.decode("ascii"),
        CIMultiDictProxy(headers),
        int(length),
        end + len(_END),
    )


def _is_kept(headers: CIMultiDict[str]) -> bool:
    """Say whether the connection is to stay as it is, and the body means what it reads."""
    if "Host" not in headers:
        return False
    for name in _CHANGING:
        if name in headers:
            return False
    connection = headers.get("Connection")
    return connection is None or connection.lower() == "keep-alive"
