"""One request from its caller to its outcome: admit, stages, relay."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Never

from trunkline_router.binding import bind
from trunkline_router.defaults import Defaults
from trunkline_router.gates import Admission
from trunkline_router.job_tokens import expired
from trunkline_router.model import Caller, Outcome, Request
from trunkline_router.pipeline import Next, Stage, compose
from trunkline_router.ports import Catalog, TokenVerifier, Upstream
from trunkline_router.span import Recorder, Span
from trunkline_router.subscriptions import Subscriptions
from trunkline_router.tracing import note_defaults, note_outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """What both eras share; an era only reads requests and writes answers."""

    tokens: TokenVerifier
    catalog: Catalog
    admission: Admission
    recorder: Recorder
    relay: Next
    defaults: Defaults | None
    subscriptions: Subscriptions

    @classmethod
    def of(
        cls,
        *,
        tokens: TokenVerifier,
        admission: Admission,
        upstream: Upstream,
        recorder: Recorder,
        defaults: Defaults | None = None,
        stages: Sequence[Stage] = (),
    ) -> "Core":
        """Put the stages before the upstream; without `defaults`, no argument is ever added."""
        catalog = admission.catalog
        return cls(
            tokens=tokens,
            catalog=catalog,
            admission=admission,
            recorder=recorder,
            relay=compose(stages, upstream.send),
            defaults=defaults,
            subscriptions=Subscriptions(catalog=catalog, upstream=upstream, clock=recorder.clock),
        )

    async def listened(self, request: Request, caller: Caller) -> Never:
        """Serve a subscription until its client leaves. Raises Refused when its token ends."""
        left_s = caller.until - self.recorder.clock.monotonic()
        try:
            async with asyncio.timeout(left_s if isfinite(left_s) else None):
                await self.subscriptions.serve(request)
        except TimeoutError:
            raise expired() from None

    async def relayed(self, request: Request, caller: Caller, span: Span) -> Outcome:
        """Send a request to its server. Raises Refused and TrunklineError."""
        call = await self.admission.admit(request, caller)
        span.attributes["trunkline.server"] = call.server
        if caller.depth:
            span.attributes["trunkline.depth"] = caller.depth
        call = bind(call)
        if self.defaults is not None:
            call = await self.defaults.fill(call, self.relay)
            note_defaults(span, call)
        outcome = await self.relay(call)
        note_outcome(span, outcome)
        return outcome
