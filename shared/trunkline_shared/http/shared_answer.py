"""An answer as servers leave it for each other, its body packed where that pays."""

import zlib

import orjson

from trunkline_shared.exchange import Response

LARGEST = 1024 * 1024
_VERSION = 1
_WORTH_PACKING = 2048
_FAST = 1
_UNTOLD = frozenset({"set-cookie", "set-cookie2"})
_OK = 200


def to_bytes(response: Response) -> bytes | None:
    """Return an answer for others; None for one that is too large, or whose address is signed."""
    if len(response.body) > LARGEST or response.elsewhere:
        return None
    body = _packed(response.body)
    headers = {name: value for name, value in response.headers.items() if name not in _UNTOLD}
    head = [_VERSION, body is not response.body, response.url, response.moved_to, headers]
    try:
        return orjson.dumps(head) + b"\n" + body
    except TypeError:
        # A header that is no text.
        return None


def from_bytes(raw: bytes) -> Response | None:
    """Return an answer that another server has left; None for what is not ours."""
    head, _, body = raw.partition(b"\n")
    try:
        version, packed, url, moved_to, headers = orjson.loads(head)
        if version != _VERSION or not _are_headers(headers) or "etag" not in headers:
            return None
        if not isinstance(url, str) or not isinstance(moved_to, str | None):
            return None
        whole = _unpacked(body) if packed else body
    except (ValueError, TypeError, zlib.error):
        return None
    return Response(status=_OK, headers=headers, body=whole, url=url, moved_to=moved_to)


def _are_headers(given: object) -> bool:
    """Say whether it is text by name, as is all that `to_bytes` writes."""
    return isinstance(given, dict) and all(isinstance(value, str) for value in given.values())


def _packed(body: bytes) -> bytes:
    """Return the body, or what it packs to if that is a quarter less."""
    if len(body) < _WORTH_PACKING:
        return body
    packed = zlib.compress(body, _FAST)
    return packed if len(packed) * 4 < len(body) * 3 else body


def _unpacked(body: bytes) -> bytes:
    reader = zlib.decompressobj()
    whole = reader.decompress(body, LARGEST)
    if not reader.eof:
        raise ValueError("it is no packed body of at most 1 MB")
    return whole
