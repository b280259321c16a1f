"""The lines of one step, told by their timestamps.

GitHub keeps one log per job and does not say where a step begins: it stamps each line, and the
job tells when each step started and ended, to the second. A line belongs to a step when its
second lies between the two, both included; so lines of neighbours that share a second with it may
be there too. A line without a timestamp belongs to where the line before it does.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import compress

from trunkline_ci_status.log_ring import Batch

_TO_THE_SECOND = len("2026-01-02T03:04:05")


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Seconds of a log, both ends included, as its stamps say them; `until` None is its end."""

    since: bytes
    until: bytes | None

    @classmethod
    def of(cls, started: datetime, completed: datetime | None) -> "Window":
        """Return the window of a step."""
        return cls(since=_stamp(started), until=None if completed is None else _stamp(completed))

    def holds(self, second: bytes) -> bool:
        return self.since <= second and (self.until is None or second <= self.until)


@dataclass(slots=True)
class Within:
    """Lets the lines of a window through."""

    window: Window
    _inside: bool = False

    def pick(self, batch: Batch) -> Batch:
        """Return the lines that lie in the window."""
        inside = [self._holds(line) for line in batch.raw]
        return Batch(numbers=[*compress(batch.numbers, inside)], raw=[*compress(batch.raw, inside)])

    def _holds(self, raw: bytes) -> bool:
        at = raw[:_TO_THE_SECOND]
        if len(at) == _TO_THE_SECOND and at[4:5] == at[7:8] == b"-" and at[10:11] == b"T":
            self._inside = self.window.holds(at)
        return self._inside


def _stamp(moment: datetime) -> bytes:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S").encode()
