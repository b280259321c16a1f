"""How long calls took, in a few numbers: counts by the order of their length."""

import math
from collections import Counter
from collections.abc import Iterable
from typing import Self

_PER_OCTAVE = 12
_SHORTEST_S = 1e-6
_LONGEST_S = 1e6


class Latencies:
    """Counts durations in buckets a twelfth of an octave wide: a quantile is within 3 % of true."""

    __slots__ = ("counts", "longest", "shortest")

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()
        self.shortest = math.inf
        self.longest = 0.0

    @classmethod
    def of(cls, several: Iterable[Self]) -> Self:
        """Return what several have counted together."""
        total = cls()
        for one in several:
            total.counts.update(one.counts)
            total.shortest = min(total.shortest, one.shortest)
            total.longest = max(total.longest, one.longest)
        return total

    def add(self, seconds: float) -> None:
        """Count one duration."""
        seconds = min(max(seconds, _SHORTEST_S), _LONGEST_S)
        bucket = math.floor(math.log2(seconds) * _PER_OCTAVE)
        self.counts[bucket] = self.counts.get(bucket, 0) + 1
        self.shortest = min(self.shortest, seconds)
        self.longest = max(self.longest, seconds)

    def quantiles(self, *shares: float) -> list[float | None]:
        """Return the durations that these shares of all do not exceed; None without any."""
        in_order = sorted(self.counts.items())
        return [self._quantile(in_order, share * self.counts.total()) for share in shares]

    def _quantile(self, in_order: list[tuple[int, int]], rank: float) -> float | None:
        for bucket, count in in_order:
            rank -= count
            if rank <= 0:
                middle = float(2 ** ((bucket + 0.5) / _PER_OCTAVE))
                return min(max(middle, self.shortest), self.longest)
        return None
