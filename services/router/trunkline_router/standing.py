"""Streams that stand open, until their token, the configuration or the router ends them."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from http.client import SERVICE_UNAVAILABLE
from math import isfinite
from typing import Any

from trunkline_router.access.job_tokens import expired
from trunkline_router.model import Caller, Json, Request
from trunkline_router.ports import TokenVerifier
from trunkline_router.wire.refusal import Refused
from trunkline_shared import meta
from trunkline_shared.clock import Clock


@dataclass(slots=True, kw_only=True, eq=False)
class _Stream:
    """One open stream; `refusal` says why it was cut, if anything is wrong with its caller."""

    bearer: str | None
    caller: Caller
    cut: asyncio.Timeout
    ended: bool = False
    refusal: Refused | None = None

    def end(self, refusal: Refused | None = None) -> None:
        if not self.cut.expired():
            self.ended, self.refusal = True, refusal
            self.cut.reschedule(asyncio.get_running_loop().time())


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Knows every stream that stands open, and ends those that may not stand any longer."""

    tokens: TokenVerifier
    clock: Clock
    _streams: set[_Stream] = field(default_factory=set)

    async def keep(
        self, bearer: str | None, caller: Caller, stream: Coroutine[Any, Any, object]
    ) -> None:
        """Run `stream`, and return when it has been ended in peace: the client may come again.

        Raises Refused when the caller's token ends, or is taken from it.
        """
        left_s = caller.until - self.clock.monotonic()
        cut = asyncio.timeout(left_s if isfinite(left_s) else None)
        kept = _Stream(bearer=bearer, caller=caller, cut=cut)
        try:
            async with cut:
                self._streams.add(kept)
                await stream
        except TimeoutError:
            if not cut.expired():
                raise
            if kept.refusal is not None:
                raise kept.refusal from None
            if not kept.ended:
                raise expired() from None
        finally:
            self._streams.discard(kept)

    async def review(self) -> None:
        """Ask again who may come in: ends the streams of callers that are now others, or nobody."""
        for stream in list(self._streams):
            try:
                now = await self.tokens.verify(stream.bearer)
            except Refused as refusal:
                # Whoever nobody can judge at the moment may well be who he says.
                if stream in self._streams and refusal.status != SERVICE_UNAVAILABLE:
                    stream.end(refusal)
                continue
            same = replace(now, until=stream.caller.until) == stream.caller
            if not same and stream in self._streams:
                stream.end()

    def end(self) -> None:
        """End them all, in peace."""
        for stream in list(self._streams):
            stream.end()


def completed(request: Request) -> Json:
    """Return the result with which a listen stream ends, spec 2026-07-28, "Subscriptions"."""
    return {"resultType": "complete", "_meta": {meta.SUBSCRIPTION_ID: request.id}}
