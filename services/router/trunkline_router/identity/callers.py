"""Whom the configuration in force lets in."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from trunkline_router.access.api_keys import KeyRing
from trunkline_router.access.browser_sessions import LASTS_S, BrowserSession, BrowserSessions
from trunkline_router.access.job_tokens import JobTokens
from trunkline_router.configuration.entries import Configuration, OAuthEntry
from trunkline_router.configuration.live import Derived, Live
from trunkline_router.identity.bearer import SESSION
from trunkline_router.identity.claims import Expected
from trunkline_router.identity.issuer import Issuer
from trunkline_router.identity.job_callers import JobCallers
from trunkline_router.identity.key_callers import KeyCallers
from trunkline_router.identity.key_keeper import KeyKeeper
from trunkline_router.identity.local_callers import LocalCallers
from trunkline_router.identity.recent_callers import RecentCallers
from trunkline_router.identity.resource_metadata import ResourceMetadata
from trunkline_router.identity.scopes import OBSERVE, TOOLS
from trunkline_router.identity.session_callers import SessionCallers, mark_of_issuer
from trunkline_router.identity.strangers import Strangers
from trunkline_router.identity.token_callers import TokenCallers
from trunkline_router.model import Caller
from trunkline_router.ports import TokenVerifier
from trunkline_router.wire.challenge import insufficient_scope
from trunkline_shared.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """What this mesh signs itself: the tokens of jobs, and the sessions of browsers."""

    jobs: JobTokens
    sessions: BrowserSessions


class Callers:
    """Knows every caller, by the configuration that holds when it is asked.

    `base` is the router's public URL without a slash at its end.
    """

    def __init__(
        self,
        live: Live[Configuration],
        signed: Signed,
        keys: KeyRing,
        *,
        base: str,
        clock: Clock,
    ) -> None:
        self._live = live
        self._tokens = signed.jobs
        self._keys = keys
        self.base = base
        self._clock = clock
        self._keeper: tuple[OAuthEntry, KeyKeeper] | None = None
        self._verifier = Derived(live, self._known)
        self.sessions = signed.sessions
        self._in_sessions = SessionCallers(
            sessions=self.sessions, keys=keys, issuer=lambda: live.now.oauth, clock=clock
        )

    async def verify(self, bearer: str | None) -> Caller:
        """Return the caller, or raise Refused."""
        if bearer is not None and bearer.startswith(SESSION) and self.authenticate:
            return await self._in_sessions.verify(bearer)
        return await self._verifier.now.verify(bearer)

    async def session_of(self, key: str) -> BrowserSession:
        """Return the session of whoever shows an API key or an access token.

        A job token opens none: a session has no bound to keep it in. Raises Refused.
        """
        now = self._live.now
        caller = await self._besides_jobs(now).verify(key)
        if OBSERVE not in caller.scopes or caller.servers is not None:
            raise insufficient_scope(
                (OBSERVE,),
                "The key is valid, and the dashboard is not among what it is for: that needs the "
                "scope observe, and all servers.",
            )
        left_s = min(LASTS_S, caller.until - self._clock.monotonic())
        issued = caller.key is None
        return BrowserSession(
            subject=caller.subject,
            key=caller.key,
            mark=mark_of_issuer(now.oauth) if issued else self._keys.mark_of(caller.key),
            scopes=tuple(sorted(caller.scopes)) if issued else (),
            expires=self._clock.now() + left_s,
        )

    @property
    def authenticate(self) -> bool:
        """Whether callers have to say who they are."""
        return self._live.now.authenticates

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Know the keys of the issuer that is trusted at the time, for the length of the block."""
        async with asyncio.TaskGroup() as tasks:
            keeping = tasks.create_task(self._keep())
            try:
                yield
            finally:
                keeping.cancel()

    async def _keep(self) -> None:
        while True:
            now = self._live.now
            async with asyncio.TaskGroup() as tasks:
                oauth = now.oauth
                running = () if oauth is None else (tasks.create_task(self._kept(oauth).run()),)
                await self._live.changed(now)
                for task in running:
                    task.cancel()

    def _known(self, configuration: Configuration) -> TokenVerifier:
        others = self._besides_jobs(configuration)
        known = JobCallers(tokens=self._tokens, keys=self._keys, others=others, clock=self._clock)
        return RecentCallers(known, self._clock)

    def _besides_jobs(self, configuration: Configuration) -> TokenVerifier:
        if not configuration.authenticates:
            return LocalCallers()
        known: TokenVerifier = Strangers()
        if configuration.oauth is not None:
            known = self._token_callers(configuration.oauth, known)
        return KeyCallers(configuration.keys, known)

    def _token_callers(self, oauth: OAuthEntry, others: TokenVerifier) -> TokenVerifier:
        return TokenCallers(
            keys=self._kept(oauth),
            expected=Expected(issuer=oauth.issuer, base=self.base, audience=oauth.audience),
            required=frozenset(oauth.required_scopes),
            others=others,
            clock=self._clock,
        )

    def _kept(self, oauth: OAuthEntry) -> KeyKeeper:
        """Return the keeper of an issuer's keys, which outlives changes of anything else."""
        if self._keeper is None or self._keeper[0] != oauth:
            issuer = Issuer(oauth)
            self._keeper = oauth, KeyKeeper(issuer.keys, self._clock)
        return self._keeper[1]

    @property
    def resource(self) -> ResourceMetadata | None:
        """The router as a protected resource; None where no issuer is trusted."""
        oauth = self._live.now.oauth
        if oauth is None:
            return None
        scopes = tuple(oauth.required_scopes)
        return ResourceMetadata(base=self.base, issuer=oauth.issuer, scopes=scopes)

    def spelled(self, scope: str) -> tuple[str, ...]:
        """Return what a scope is called where clients ask for it."""
        oauth = self._live.now.oauth
        return oauth.required_scopes if oauth is not None and scope == TOOLS else (scope,)

    def parameters(self, path: str) -> Mapping[str, str]:
        """Return what a challenge at `path` says besides what is wrong."""
        resource = self.resource
        if resource is None:
            return {}
        scopes = {"scope": " ".join(resource.scopes)} if resource.scopes else {}
        return {"resource_metadata": resource.url_for(path)} | scopes
