"""The head of a plain request to an MCP endpoint, read in one step. No I/O.

Plain is what agents send all day. All else is for a whole HTTP parser: none of it is judged here.
"""

import re

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
# At the beginning of a line: what stands in a value is none.
_LENGTH = re.compile(rb"\r\n(?i:content-length): *")
_FIELDS = re.compile(r"([^:]+): *([^\r]*)\r\n")
_CHANGING = ("Transfer-Encoding", "Expect", "Upgrade", "Content-Encoding", "Trailer")
"""What makes a request say something else than its bytes, or wants an answer before its body."""


class PlainHead:
    """What a head says besides the length of its body. No header comes twice.

    `query` is as it came. `facts` are what is worked out of the headers, for the requests that
    follow on the connection with the same ones.
    """

    __slots__ = ("_after", "_before", "facts", "headers", "path", "query", "scope")

    def __init__(self, form: re.Match[bytes], headers: CIMultiDictProxy[str]) -> None:
        path, scope, query, _ = form.groups()
        self.path = path.decode("ascii")
        self.scope = None if scope is None else scope.decode("ascii")
        self.query = "" if query is None else query.decode("ascii")
        self.headers = headers
        self.facts: dict[str, object] = {}
        whole = form.group()
        length = _LENGTH.search(whole)
        assert length is not None
        self._before = whole[: length.end()]
        self._after = whole[whole.find(b"\r", len(self._before)) :]

    def again(self, data: bytes) -> tuple[int, int] | None:
        """Return where the body begins, and ends, if the same head begins what came.

        Only the length may be another one.
        """
        at = len(self._before)
        to = data.find(b"\r", at, at + _LONGEST_LENGTH + 1)
        if to < 0 or not data.startswith(self._before) or not data.startswith(self._after, to):
            return None
        digits, begin = data[at:to], to + len(self._after)
        return (begin, begin + int(digits)) if digits.isdigit() else None


def plain_head(data: bytes) -> tuple[PlainHead, int, int] | None:
    """Return the head at the beginning of what came, and where its body begins and ends.

    None for one that is not plain, or not whole.
    """
    end = data.find(_END, 0, MOST_BYTES)
    if end < 0 or data.find(b" \r\n", 0, end + 2) >= 0:
        return None
    form = _FORM.match(data, 0, end + len(_END))
    if form is None:
        return None
    pairs = _FIELDS.findall(form[4].decode("ascii"))
    headers = CIMultiDict(pairs)
    if len(pairs) > _MOST_HEADERS or len({name.lower() for name, _ in pairs}) < len(pairs):
        return None
    length = headers.pop("Content-Length", "")
    if not length.isdigit() or len(length) > _LONGEST_LENGTH or not _is_kept(headers):
        return None
    head = PlainHead(form, CIMultiDictProxy(headers))
    return head, form.end(), form.end() + int(length)


def _is_kept(headers: CIMultiDict[str]) -> bool:
    """Say whether the connection is to stay as it is, and the body means what it reads."""
    if "Host" not in headers:
        return False
    for name in _CHANGING:
        if name in headers:
            return False
    connection = headers.get("Connection")
    return connection is None or connection.lower() == "keep-alive"
