"""The lines of a diff that arrives in chunks, each held up to a bound."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its end; of one longer than the bound only the beginning is `kept`.

    `length` counts all its bytes.
    """

    kept: bytes | bytearray
    length: int


class Lines:
    """Splits chunks at line feeds; only a line feed ends a line."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._begun = bytearray()
        self._length = 0

    def feed(self, chunk: bytes) -> Iterator[Line]:
        """Yield the lines that end in this chunk."""
        begin = 0
        while (end := chunk.find(b"\n", begin)) >= 0:
            if self._length:
                self._keep(chunk[begin : end + 1])
                yield self._taken()
            else:
                kept = chunk[begin : min(end + 1, begin + self._longest)]
                yield Line(kept, end + 1 - begin)
            begin = end + 1
        if begin < len(chunk):
            self._keep(chunk[begin:])

    def rest(self) -> Iterator[Line]:
        """Yield what stands after the last line feed."""
        if self._length:
            yield self._taken()

    def _keep(self, part: bytes) -> None:
        self._begun += part[: max(0, self._longest - len(self._begun))]
        self._length += len(part)

    def _taken(self) -> Line:
        line = Line(self._begun, self._length)
        self._begun, self._length = bytearray(), 0
        return line
