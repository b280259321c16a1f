"""What is counted for one label set."""

from bisect import bisect_left

from trunkline_router.measures.instrument import Distribution, Seen
from trunkline_router.measures.operations import BOUNDS
from trunkline_router.span import Span


class Timed:
    """Durations in the conventions' buckets; each bucket knows the request that fell in last."""

    __slots__ = ("_counts", "_exemplars", "_total")

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS) + 1)
        self._exemplars: list[Seen | None] = [None] * len(self._counts)
        self._total = 0.0

    def took(self, span: Span) -> None:
        """Count a span that has ended."""
        seconds = span.ended - span.started
        if seconds < 0:
            # The clock of the machine was set back meanwhile.
            seconds = 0.0
        place = bisect_left(BOUNDS, seconds)
        self._counts[place] += 1
        self._total += seconds
        self._exemplars[place] = (seconds, span.ended, span.trace_id, span.span_id)

    def lasted(self, seconds: float) -> None:
        """Count what no span stands for."""
        self._counts[bisect_left(BOUNDS, seconds)] += 1
        self._total += seconds

    def read(self, labels: tuple[str, ...]) -> Distribution:
        """Return what has been counted."""
        return Distribution(labels, tuple(self._counts), self._total, tuple(self._exemplars))


class Count:
    """A number that grows."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = 0


class Spent:
    """What calls have cost, in estimated tokens; `kept` are those of answers of the cache."""

    __slots__ = ("calls", "given", "kept", "read")

    def __init__(self) -> None:
        self.calls = 0
        self.given = 0
        self.read = 0
        self.kept = 0
