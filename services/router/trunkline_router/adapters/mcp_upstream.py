"""The servers as the pipeline's end: attempts, deadline, span and vitals around each exchange."""

import asyncio
import itertools
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from trunkline_router.adapters.exchange import Exchange, NeverSent, Post
from trunkline_router.adapters.incoming import Reply
from trunkline_router.adapters.outgoing import (
    Told,
    encode,
    outgoing_body,
    outgoing_headers,
    own_meta,
    param_headers,
)
from trunkline_router.delegation import Delegation
from trunkline_router.model import Call, Channel, Json, Limits, Outcome, ServerAddress, Unheard
from trunkline_router.refusal import Refused
from trunkline_router.span import Recorder
from trunkline_router.tracing import upstream_span
from trunkline_router.vitals import Vitals
from trunkline_shared.clock import Clock
from trunkline_shared.errors import (
    NetworkError,
    TrunklineError,
    UpstreamError,
    UpstreamTimeout,
    UpstreamUnavailable,
)

_PAUSES_S = (0.05, 0.2)
"""Waits before another attempt, when nothing has been sent yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpUpstream:
    """Sends calls to the servers over Streamable HTTP, revision 2026-07-28."""

    addresses: Mapping[str, ServerAddress]
    vitals: Mapping[str, Vitals]
    exchange: Exchange
    delegation: Delegation
    recorder: Recorder
    clock: Clock
    limits: Limits
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    async def send(self, call: Call) -> Outcome:
        vitals = self.vitals[call.server]
        vitals.in_flight += 1
        began = self.clock.monotonic()
        try:
            async with asyncio.timeout(call.deadline - began):
                try:
                    reply = await self._attempt(call)
                except NeverSent:
                    reply = await self._attempt_again(call)
        except TimeoutError:
            error = UpstreamTimeout(
                f"Server {call.server!r} did not answer within {call.timeout_s:g} s."
            )
            vitals.failed(error.code)
            raise _honest(error, call) from None
        except UpstreamError as error:
            vitals.failed(error.code)
            raise _honest(error, call) from None
        finally:
            vitals.in_flight -= 1
        vitals.answered(self.clock.monotonic() - began)
        return Outcome(server=call.server, result=reply.result or {}, error=reply.error)

    async def _attempt_again(self, call: Call) -> Reply:
        for pause in _PAUSES_S:
            await self.clock.sleep(pause)
            with suppress(NeverSent):
                return await self._attempt(call)
        raise NetworkError(f"Server {call.server!r} cannot be reached.", details=_UNSENT)

    async def _attempt(self, call: Call) -> Reply:
        address = self.addresses[call.server]
        method = call.request.method
        with upstream_span(self.recorder, method, call.name, address) as span:
            traceparent = span.traceparent
            told = Told(
                traceparent=traceparent,
                left_s=call.deadline - self.limits.margin_s - self.clock.monotonic(),
                delegation=self.delegation.of(call),
            )
            number = next(self._numbers)
            headers = outgoing_headers(method, call.name, address.headers)
            headers.update(param_headers(call))
            headers["traceparent"] = traceparent
            reply = await self.exchange.perform(
                Post(
                    server=address.id,
                    url=address.url,
                    number=number,
                    body=outgoing_body(call, number, told),
                    headers=headers,
                    channel=call.request.channel,
                )
            )
            if reply.error is not None:
                span.mark_code(reply.error.code)
            return reply

    async def ask(
        self, server: str, method: str, params: Json, channel: Channel | None = None
    ) -> Json:
        """Ask on the router's own behalf, once and untraced.

        Raises Refused for a server's own error, UpstreamError for any other failure.
        """
        address, number = self.addresses[server], next(self._numbers)
        post = Post(
            server=server,
            url=address.url,
            number=number,
            body=encode(number, method, params | {"_meta": own_meta()}),
            headers=outgoing_headers(method, None, address.headers),
            channel=channel or Unheard(),
        )
        try:
            reply = await self.exchange.perform(post)
        except NeverSent:
            raise NetworkError(f"Server {server!r} cannot be reached.") from None
        if reply.error is not None:
            raise Refused(reply.error.code, reply.error.message)
        return reply.result or {}


_UNSENT = {"may_have_happened": False}


def _honest(error: UpstreamError, call: Call) -> TrunklineError:
    """Say of a write whose end nobody saw that it may have happened, and must not be repeated."""
    if call.tool is None or not call.tool.writes or error.details.get("may_have_happened") is False:
        return type(error)(error.message, hint=_HINTS.get(type(error)))
    return type(error)(
        error.message,
        hint="Look whether it took effect before calling again.",
        retryable=False,
        details={"may_have_happened": True},
    )


_HINTS: Mapping[type[UpstreamError], str] = {
    NetworkError: "The server may be restarting; call again shortly.",
    UpstreamTimeout: "Call again, or ask for less at once.",
    UpstreamUnavailable: "The server may be restarting; call again shortly.",
}
