"""A stream of server-sent events, cut anywhere, as the data of its events."""

from dataclasses import dataclass, field

_DATA = b"data:"


@dataclass(slots=True)
class EventStream:
    """Takes a stream's bytes as they come; a line that is cut waits for its rest."""

    _line: bytearray = field(default_factory=bytearray)
    _data: list[bytes] = field(default_factory=list)

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the data of each event that these bytes complete."""
        first, *rest = chunk.split(b"\n")
        self._line += first
        found: list[bytes] = []
        for following in rest:
            found += self._ended(bytes(self._line).removesuffix(b"\r"))
            self._line = bytearray(following)
        return found

    def end(self) -> list[bytes]:
        """Return the data of an event that the stream's end leaves without its blank line."""
        return self.feed(b"\n\n")

    def _ended(self, line: bytes) -> list[bytes]:
        if line.startswith(_DATA):
            self._data.append(line[len(_DATA) :].strip())
        if line or not self._data:
            return []
        event, self._data = b"\n".join(self._data), []
        return [event]
