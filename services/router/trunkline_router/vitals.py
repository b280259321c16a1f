"""How each server is doing, judged by the calls that were made."""

import asyncio
from collections import deque
from collections.abc import Sequence

_REMEMBERED = 512
_WEIGHT = 0.2


class Vitals:
    """One server's calls in flight, latencies and last failure.

    `typical_s` is how many seconds an answer takes, lately. `suspect` is set when a call could not
    reach the server, so that whoever keeps its listing looks again at once. `calls` and `failures`
    are counted from the start; `timed` of them took `seconds` together.
    """

    def __init__(self) -> None:
        self.available = False
        self.in_flight = 0
        self.calls = 0
        self.failures = 0
        self.timed = 0
        self.seconds = 0.0
        self.typical_s = 0.0
        self.last_error: str | None = None
        self.suspect = asyncio.Event()
        self._seconds: deque[float] = deque(maxlen=_REMEMBERED)

    def begun(self) -> None:
        self.in_flight += 1
        self.calls += 1

    def answered(self, seconds: float) -> None:
        self._took(seconds)
        self.available = True

    def timed_out(self, code: str, seconds: float) -> None:
        """Note a call that was given up; it took that long at least."""
        self._took(seconds)
        self.failed(code)

    def _took(self, seconds: float) -> None:
        self._seconds.append(seconds)
        self.timed += 1
        self.seconds += seconds
        self.typical_s += (seconds - self.typical_s) * _WEIGHT

    def failed(self, code: str) -> None:
        self.failures += 1
        self.last_error = code
        if code == "NETWORK_ERROR" and self.available:
            self.available = False
            self.suspect.set()

    def listed(self) -> None:
        self.available = True
        self.last_error = None

    def unlisted(self, code: str) -> None:
        self.available = False
        self.last_error = code

    def to_json(self, tools: int) -> dict[str, object]:
        """Return the server's entry in `/status`; latencies in milliseconds."""
        ordered = sorted(self._seconds)
        shown: dict[str, object] = {
            "available": self.available,
            "latency_ms": {"p50": _quantile(ordered, 0.5), "p99": _quantile(ordered, 0.99)},
            "tools": tools,
            "in_flight": self.in_flight,
        }
        if self.last_error is not None:
            shown["last_error"] = self.last_error
        return shown


def _quantile(ordered: Sequence[float], share: float) -> float | None:
    if not ordered:
        return None
    return round(ordered[min(int(len(ordered) * share), len(ordered) - 1)] * 1000, 2)
