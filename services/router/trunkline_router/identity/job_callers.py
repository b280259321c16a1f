"""Whoever shows a job token is whom it was minted for, with no more than it and its key say."""

from dataclasses import dataclass

from trunkline_router.access.api_keys import KeyRing
from trunkline_router.access.job_tokens import Grant, JobTokens, ended_with_key
from trunkline_router.identity.local_callers import LOCAL
from trunkline_router.model import Caller
from trunkline_router.ports import TokenVerifier
from trunkline_shared.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class JobCallers:
    """Knows the bearers of job tokens; whoever shows none is known by `others`.

    A token ends with the key that it goes back to, and is narrowed whenever that key is.
    """

    tokens: JobTokens
    keys: KeyRing
    others: TokenVerifier
    clock: Clock

    async def verify(self, bearer: str | None) -> Caller:
        grant = self.tokens.read(bearer) if bearer else None
        if grant is None:
            return await self.others.verify(bearer)
        caller = self._caller(grant)
        if grant.key is None:
            return self._known(caller)
        held = self.keys.held_to(caller, grant.mark)
        if held is None:
            raise ended_with_key()
        return held

    def _known(self, caller: Caller) -> Caller:
        """Return the caller of a token without a key, unless it is of times without any."""
        if caller.subject == LOCAL and self.keys.must_be_shown:
            raise ended_with_key()
        return caller

    def _caller(self, grant: Grant) -> Caller:
        return Caller(
            subject=grant.subject,
            key=grant.key,
            scopes=grant.scopes,
            context=grant.context,
            rights=grant.rights,
            searches=grant.searches,
            depth=grant.depth,
            until=self.clock.monotonic() + grant.expires - self.clock.now(),
        )
