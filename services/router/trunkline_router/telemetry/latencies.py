"""How long calls took, in a few numbers: counts by the order of their length."""

import math
from collections import Counter
from collections.abc import Iterable
from math import frexp
from typing import Self

_PER_OCTAVE = 24
_SHORTEST_S = 1e-6
_LONGEST_S = 1e6
_OCTAVES_BELOW = 32
"""Makes every bucket's number positive: the shortest duration is of the 20th octave below 1 s."""


class Latencies:
    """Counts durations in buckets, 24 of an octave: a quantile is within 3 % of the true one."""

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
        if not _SHORTEST_S <= seconds <= _LONGEST_S:
            seconds = min(max(seconds, _SHORTEST_S), _LONGEST_S)
        mantissa, octave = frexp(seconds)
        # The mantissa is from a half to 1: each octave is cut into equal parts.
        bucket = int((octave + mantissa + mantissa + _OCTAVES_BELOW) * _PER_OCTAVE)
        counts = self.counts
        counts[bucket] = counts.get(bucket, 0) + 1
        if not self.shortest <= seconds <= self.longest:
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
                return min(max(_middle(bucket), self.shortest), self.longest)
        return None


def _middle(bucket: int) -> float:
    part, octave = math.modf((bucket + 0.5) / _PER_OCTAVE)
    return math.ldexp((part + 1) / 2, int(octave) - _OCTAVES_BELOW - 1)
