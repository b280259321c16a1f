"""The servers as the pipeline's end: attempts, deadline, span and vitals around each exchange."""

import asyncio
import itertools
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from trunkline_router.access.delegation import Delegation
from trunkline_router.adapters.outgoing import (
    Told,
    outgoing_params,
    own_meta,
    param_headers,
)
from trunkline_router.attributes import ERROR
from trunkline_router.fleet import Fleet, Member
from trunkline_router.link import Link, NeverSent, Post, Reply
from trunkline_router.model import Call, Channel, Json, Limits, Outcome, Unheard
from trunkline_router.span import Recorder
from trunkline_router.tracing import upstream_span
from trunkline_router.wire.refusal import Refused
from trunkline_shared.clock import Clock
from trunkline_shared.errors import (
    NetworkError,
    RateLimited,
    TrunklineError,
    UpstreamError,
    UpstreamTimeout,
    UpstreamUnavailable,
)

_PAUSES_S = (0.05, 0.2)
"""Waits before another attempt, when nothing has been sent yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpUpstream:
    """Sends calls to the servers over their links."""

    fleet: Fleet
    delegation: Delegation
    recorder: Recorder
    clock: Clock
    limits: Limits
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    async def send(self, call: Call) -> Outcome:
        # One member for the whole call: the configuration may change in the middle of it.
        member = self._member(call.server)
        vitals = member.vitals
        vitals.begun()
        began = self.clock.monotonic()
        try:
            async with asyncio.timeout(call.deadline - began):
                try:
                    reply = await self._attempt(call, member.link)
                except NeverSent:
                    reply = await self._attempt_again(call, member.link)
        except TimeoutError:
            error = UpstreamTimeout(
                f"Server {call.server!r} did not answer within {call.timeout_s:g} s."
            )
            vitals.timed_out(error.code, self.clock.monotonic() - began)
            raise _honest(error, call) from None
        except RateLimited:
            # Refused before anything was done: it may be asked again as it is.
            raise
        except UpstreamError as error:
            vitals.failed(error.code)
            raise _honest(error, call) from None
        finally:
            vitals.in_flight -= 1
        vitals.answered(self.clock.monotonic() - began)
        return Outcome(
            server=call.server, result=reply.result or {}, error=reply.error, size=reply.size
        )

    def _member(self, server: str) -> Member:
        member = self.fleet.members.get(server)
        if member is None:
            raise UpstreamUnavailable(
                f"Server {server!r} has just been taken out of the configuration.",
                retryable=False,
            )
        return member

    async def _attempt_again(self, call: Call, link: Link) -> Reply:
        for pause in _PAUSES_S:
            if self.clock.monotonic() + pause >= call.deadline:
                break
            await self.clock.sleep(pause)
            with suppress(NeverSent):
                return await self._attempt(call, link)
        raise NetworkError(f"Server {call.server!r} cannot be reached.", details=_UNSENT)

    async def _attempt(self, call: Call, link: Link) -> Reply:
        method = call.request.method
        with upstream_span(self.recorder, method, call.name, call.server, link.url) as span:
            traceparent = span.traceparent
            told = Told(
                traceparent=traceparent,
                left_s=call.deadline - self.limits.margin_s - self.clock.monotonic(),
                delegation=self.delegation.of(call),
            )
            reply = await link.perform(
                Post(
                    server=call.server,
                    number=next(self._numbers),
                    method=method,
                    params=outgoing_params(call, told),
                    name=call.name,
                    headers=param_headers(call),
                    traceparent=traceparent,
                    channel=call.request.channel,
                    partition=_partition(call),
                    repeatable=call.tool is None or not call.tool.writes,
                    answers=bool(call.request.session),
                )
            )
            if reply.error is not None:
                span.mark_code(reply.error.code)
            elif reply.result is not None and reply.result.get("isError") is True:
                span.attributes[ERROR] = "tool_error"
            return reply

    async def ask(
        self, server: str, method: str, params: Json, channel: Channel | None = None
    ) -> Json:
        """Ask on the router's own behalf, once and untraced.

        Raises Refused for a server's own error, UpstreamError for any other failure.
        """
        post = Post(
            server=server,
            number=next(self._numbers),
            method=method,
            params=params | {"_meta": own_meta()},
            channel=channel or Unheard(),
            repeatable=True,
        )
        try:
            reply = await self._member(server).link.perform(post)
        except NeverSent:
            raise NetworkError(f"Server {server!r} cannot be reached.") from None
        if reply.error is not None:
            raise Refused(reply.error.code, reply.error.message)
        return reply.result or {}


def _partition(call: Call) -> str:
    """Return whose state a session at the server may hold.

    A client that can be asked has one of its own, so that it is asked for its own calls alone.
    """
    subject, session = call.caller.subject, call.request.session
    return f"{subject}\n{session}" if session else subject


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
