"""Logs too large to hold, made while they are sent."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedLog:
    """A log made while it is sent: `begin`, `block` so many `times`, `end`; never held whole."""

    block: bytes
    times: int
    begin: bytes = b""
    end: bytes = b""

    def chunks(self) -> Iterator[bytes]:
        """Yield the log piece by piece."""
        yield self.begin
        for _ in range(self.times):
            yield self.block
        yield self.end

    def __len__(self) -> int:
        return len(self.begin) + len(self.block) * self.times + len(self.end)
