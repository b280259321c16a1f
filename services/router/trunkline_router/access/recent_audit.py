"""The newest audit records, kept in memory for those who look at them."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from trunkline_router.access.audit import AuditTrail

MOST: Final = 1000
_MOST_BYTES = 4 * 1024 * 1024


@dataclass(slots=True)
class RecentAudit:
    """Keeps the newest records, 4 MiB of them at the most, and hands each on to `then`."""

    most: int = MOST
    then: AuditTrail | None = None
    _lines: deque[bytes] = field(default_factory=deque)
    _bytes: int = 0

    def append(self, line: bytes) -> None:
        """Keep one line, which ends with a line break; never waits."""
        if self.then is not None:
            self.then.append(line)
        self._lines.append(line)
        self._bytes += len(line)
        while len(self._lines) > self.most or self._bytes > _MOST_BYTES:
            self._bytes -= len(self._lines.popleft())

    def newest(self, limit: int) -> Iterator[bytes]:
        """Return the records, each a JSON object, newest first."""
        return (line.rstrip() for line in islice(reversed(self._lines), limit))
