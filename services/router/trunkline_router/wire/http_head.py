"""The head of an HTTP/1.1 answer, written out. No I/O."""

from collections.abc import Iterable
from http.client import responses

from aiohttp.helpers import rfc822_formatted_time

_JSON = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\nDate: %s\r\n%s"
_LAST = "Connection: close\r\n\r\n"


def json_head(length: int, *, last: bool) -> bytes:
    """Return the head of a successful answer; the `last` on its connection says so."""
    return (_JSON % (length, rfc822_formatted_time(), _LAST if last else "\r\n")).encode("ascii")


def head_of(status: int, headers: Iterable[tuple[str, str]], *, last: bool) -> bytes:
    """Return any other head. Raises ValueError for a header that would become several."""
    # What no standard names has no phrase, but the space before it: RFC 9112, section 4.
    lines = [f"HTTP/1.1 {status} {responses.get(status, '')}"]
    lines += [f"{name}: {value}" for name, value in headers]
    lines.append(f"Date: {rfc822_formatted_time()}")
    if any("\r" in line or "\n" in line for line in lines):
        raise ValueError("a header with a line break in it")
    return ("\r\n".join(lines) + "\r\n" + (_LAST if last else "\r\n")).encode("utf-8")


def chunk(data: bytes) -> bytes:
    """Return a part of a body whose length is not known, RFC 9112, section 7.1."""
    return b"%x\r\n%b\r\n" % (len(data), data)


END = b"0\r\n\r\n"
"""What follows the last part."""
