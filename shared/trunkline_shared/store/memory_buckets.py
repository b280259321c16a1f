"""Token buckets that one process remembers."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from trunkline_shared.clock import Clock
from trunkline_shared.store.bucket_port import Bucket, Empty

_MOST = 10_000


@dataclass(frozen=True, slots=True)
class _Level:
    """How many tokens a bucket held, when, and when it will be full."""

    tokens: float
    at: float
    full_at: float


@dataclass(slots=True, kw_only=True)
class MemoryBuckets:
    """Buckets for everything in this process; nothing here waits, so nothing can come between."""

    clock: Clock
    _levels: dict[str, _Level] = field(default_factory=dict)

    async def take(self, wanted: Sequence[Bucket]) -> Empty | None:
        """Take as the port says, by this process's own clock."""
        now = self.clock.monotonic()
        held = [self._tokens(bucket, now) for bucket in wanted]
        waits = [
            Empty(key=bucket.key, wait_s=(1 - tokens) / bucket.per_s)
            for bucket, tokens in zip(wanted, held, strict=True)
            if tokens < 1
        ]
        if waits:
            return max(waits, key=lambda empty: empty.wait_s)
        for bucket, tokens in zip(wanted, held, strict=True):
            left = tokens - 1
            full_at = now + (bucket.size - left) / bucket.per_s
            self._levels[bucket.key] = _Level(left, now, full_at)
        if len(self._levels) > _MOST:
            self._forget(now)
        return None

    def _tokens(self, bucket: Bucket, now: float) -> float:
        level = self._levels.get(bucket.key)
        if level is None:
            return bucket.size
        return min(bucket.size, level.tokens + (now - level.at) * bucket.per_s)

    def _forget(self, now: float) -> None:
        """Forget the buckets that are full again: they are as good as new."""
        self._levels = {key: level for key, level in self._levels.items() if level.full_at > now}
