"""How much one caller may do: calls and writes in a minute, and calls at the same time.

A job token's calls count for the key that it was minted from. Calls that a server makes in a
caller's name count as calls; they need no place of their own, since the call that they serve has
one, and would wait for itself.
"""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from trunkline_router.configuration.entries import RateEntry
from trunkline_router.model import Call
from trunkline_shared.clock import Clock
from trunkline_shared.errors import Overloaded, RateLimited
from trunkline_shared.store.bucket_port import Bucket, Buckets, Empty
from trunkline_shared.store.place_port import Places

_MINUTE_S = 60
_CALLS = ":calls"
_WRITES = ":writes"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallerLimits:
    """Holds callers to their `rate`; whoever has none passes without any work.

    Calls are counted wherever the store reaches.
    """

    buckets: Buckets
    places: Places
    clock: Clock

    @asynccontextmanager
    async def taken(self, call: Call, rate: RateEntry) -> AsyncIterator[None]:
        """Count a call for the block.

        Raises Overloaded or RateLimited, at once, for one more than the caller may make.
        """
        who = call.caller.key or call.caller.subject
        if rate.concurrent is None or call.caller.depth:
            await self._take(call, rate, who)
            yield
            return
        ttl_s = max(call.deadline - self.clock.monotonic(), 1.0)
        place = await self.places.enter(who, rate.concurrent, ttl_s=ttl_s)
        if place is None:
            raise _crowded(who, rate.concurrent)
        try:
            await self._take(call, rate, who)
            yield
        finally:
            await self.places.leave(place)

    async def _take(self, call: Call, rate: RateEntry, who: str) -> None:
        wanted = []
        if rate.per_minute is not None:
            wanted.append(_bucket(who + _CALLS, rate.per_minute))
        if rate.writes_per_minute is not None and call.tool is not None and call.tool.writes:
            wanted.append(_bucket(who + _WRITES, rate.writes_per_minute))
        empty = await self.buckets.take(wanted) if wanted else None
        if empty is not None:
            most = next(bucket.size for bucket in wanted if bucket.key == empty.key)
            raise self._spent(who, empty, most)

    def _spent(self, who: str, empty: Empty, most: int) -> RateLimited:
        of = "writes" if empty.key.endswith(_WRITES) else "calls"
        wait = max(1, math.ceil(empty.wait_s))
        reset_at = datetime.fromtimestamp(self.clock.now() + empty.wait_s, UTC)
        return RateLimited(
            f"{who!r} may make {most} {of} in a minute, and has made them; nothing was sent.",
            hint=f"Wait {wait} s. Ask for more at once, or for what has changed only.",
            retry_after=wait,
            details={
                "reason": "caller_limit",
                "limit": {
                    "scope": "caller",
                    "of": of,
                    "per": "minute",
                    "allowed": most,
                    "remaining": 0,
                    "reset_at": reset_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
                },
            },
        )


def _bucket(key: str, per_minute: int) -> Bucket:
    return Bucket(key=key, size=per_minute, per_s=per_minute / _MINUTE_S)


def _crowded(who: str, most: int) -> Overloaded:
    return Overloaded(
        f"{who!r} may make {most} calls at the same time, and does; nothing was sent.",
        hint="Wait for one of them to end, then call again.",
        retry_after=1,
        details={
            "reason": "caller_limit",
            "limit": {"scope": "caller", "of": "concurrent calls", "allowed": most, "remaining": 0},
        },
    )
