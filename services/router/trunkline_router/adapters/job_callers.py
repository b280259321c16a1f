"""Whoever shows a job token is whom it was minted for, bound to what it binds."""

from dataclasses import dataclass

from trunkline_router.job_tokens import JobTokens
from trunkline_router.model import Caller
from trunkline_router.ports import TokenVerifier
from trunkline_shared.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class JobCallers:
    """Knows the bearers of job tokens; whoever shows none is known by `others`."""

    tokens: JobTokens
    others: TokenVerifier
    clock: Clock

    async def verify(self, bearer: str | None) -> Caller:
        grant = self.tokens.read(bearer) if bearer else None
        if grant is None:
            return await self.others.verify(bearer)
        return Caller(
            subject=grant.subject,
            scopes=grant.scopes,
            context=grant.context,
            depth=grant.depth,
            until=self.clock.monotonic() + grant.expires - self.clock.now(),
        )
