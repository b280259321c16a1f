"""The house rules around a call that was admitted: limits, repositories, the record of writes."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from trunkline_router.access.audit import Audit
from trunkline_router.access.caller_limits import CallerLimits
from trunkline_router.access.key_credentials import KeyCredentials
from trunkline_router.access.repositories import RepositoryGuard
from trunkline_router.configuration.entries import RateEntry
from trunkline_router.model import Call, Outcome
from trunkline_router.span import Span

Send = Callable[[Call, Span], Awaitable[Outcome]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What every call keeps to; a part that is not configured costs nothing, not even an await."""

    repositories: RepositoryGuard = field(default_factory=RepositoryGuard)
    limits: CallerLimits | None = None
    audit: Audit | None = None
    credentials: KeyCredentials | None = None

    def prepared(self, call: Call) -> Call:
        """Return a call, whose arguments are complete, as it may be sent.

        Raises BlockedByPolicy, and CredentialsMissing for a caller's own that is not there.
        """
        self.repositories.check(call)
        return call if self.credentials is None else self.credentials.attached(call)

    def performed(self, call: Call, span: Span, send: Send) -> Awaitable[Outcome]:
        """Send a call under the rules. Raises what `send` does, RateLimited and Overloaded."""
        if self.audit is None or call.tool is None or not call.tool.writes:
            return self._limited(call, span, send)
        return self._recorded(self.audit, call, span, send)

    async def _recorded(self, audit: Audit, call: Call, span: Span, send: Send) -> Outcome:
        with audit.record(call, span.trace) as record:

            async def sent(call: Call, span: Span) -> Outcome:
                record.sent = True
                return await send(call, span)

            record.outcome = await self._limited(call, span, sent)
            return record.outcome

    def _limited(self, call: Call, span: Span, send: Send) -> Awaitable[Outcome]:
        rate = call.caller.rate
        if self.limits is None or rate is None:
            return send(call, span)
        return _within(self.limits, rate, call, span, send)


async def _within(
    limits: CallerLimits, rate: RateEntry, call: Call, span: Span, send: Send
) -> Outcome:
    async with limits.taken(call, rate):
        return await send(call, span)
