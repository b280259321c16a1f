"""Answers of servers that pack them although nobody asked for that; RFC 9110, section 8.4.1."""

import zlib
from collections.abc import Iterator

from trunkline_router.adapters.http1.failing import Cut

_PIECE = 64 * 1024
_GZIP = zlib.MAX_WBITS | 16
_ZLIB_METHOD = 8


class Unpacking:
    """Unpacks one body in pieces of bounded size, however much it would come to.

    Raises Cut for a coding that is not known.
    """

    def __init__(self, coding: str) -> None:
        self._coding = coding.strip().lower()
        if self._coding not in {"gzip", "x-gzip", "deflate"}:
            raise Cut(f"an answer in a coding that nobody asked for: {self._coding[:32]}")
        self._unpacker: zlib._Decompress | None = None

    def feed(self, packed: bytes) -> Iterator[bytes]:
        """Yield what a piece of the body unpacks to. Raises Cut for what cannot be."""
        if not packed:
            return
        unpacker = self._unpacker = self._unpacker or zlib.decompressobj(self._bits(packed))
        try:
            while packed and not unpacker.eof:
                yield unpacker.decompress(packed, _PIECE)
                packed = unpacker.unconsumed_tail
        except zlib.error:
            raise Cut("an answer that cannot be unpacked") from None

    def end(self) -> None:
        """Raise Cut where there should be more of it."""
        if self._unpacker is not None and not self._unpacker.eof:
            raise Cut("a packed answer without its end")

    def _bits(self, packed: bytes) -> int:
        if self._coding != "deflate":
            return _GZIP
        # Some send it without the wrapping that it should have.
        return zlib.MAX_WBITS if packed[0] & 0xF == _ZLIB_METHOD else -zlib.MAX_WBITS
