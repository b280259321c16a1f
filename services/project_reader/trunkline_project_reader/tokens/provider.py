"""Gives the Basecamp credential for each request, and a better one for a refused one."""

from dataclasses import dataclass, field

from trunkline_project_reader.tokens.configured import (
    ACCESS,
    CLIENT_ID,
    CLIENT_SECRET,
    REFRESH,
    AccessOnly,
    ConfiguredTokens,
    Renewable,
)
from trunkline_project_reader.tokens.flights import Flights
from trunkline_project_reader.tokens.grant import Grant, configured_grant
from trunkline_project_reader.tokens.keeping import GrantMemory, kept_grant
from trunkline_shared.clock import Clock
from trunkline_shared.errors import TokenExpired, TrunklineError
from trunkline_shared.store.record_port import Records
from trunkline_shared.vendor.callers_own import SOURCE
from trunkline_shared.vendor.credential import Credential, fingerprint_of

FRESH_S = 30.0
PAUSE_S = 30.0
_UNAUTHORIZED = 401
# The second may be of a token that another process renewed long ago, and that has ended since.
_MOST_REFUSALS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class BasecampCredential(Credential):
    """A credential; `granted_as` names the chain of tokens that it is one of, if it is."""

    granted_as: str = ""

    @property
    def account(self) -> str:
        """A name for whom Basecamp counts the requests to, whichever token is the present one."""
        return fingerprint_of(self.granted_as or self.authorization)


@dataclass(slots=True)
class _Pause:
    """Until when a token that still lasts is used although it could not be renewed."""

    until: float = float("-inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class BasecampTokens:
    """The configured credential, or what has been made of it; `opening.open_tokens` builds it."""

    configured: ConfiguredTokens
    records: Records
    memory: GrantMemory
    flights: Flights
    clock: Clock
    pause: _Pause = field(default_factory=_Pause)

    async def get(self) -> BasecampCredential:
        """Return the credential for the next request.

        Raises CredentialsMissing, AuthError for a malformed one, or, when it has to be renewed
        first, TokenExpired or the failure of the renewal.
        """
        source = self.configured.now()
        if isinstance(source, AccessOnly):
            return _credential(source.access_token, ACCESS)
        known = await self._known(source)
        if known is None or not known.access_token:
            return _granted(await self.flights.renewed(source, ""), source)
        if known.is_due(self.clock.now()):
            known = await self._prolonged(source, known)
        return _granted(known, source)

    async def renewed(
        self, refused: Credential, *, status: int, refusals: int
    ) -> BasecampCredential | None:
        """Return another credential for one that Basecamp refused with 401.

        Raises TokenExpired when there is none, or the failure of the renewal.
        """
        if status != _UNAUTHORIZED:
            return None
        source = self.configured.now()
        if isinstance(source, AccessOnly):
            present = _credential(source.access_token, ACCESS)
            if present.authorization == refused.authorization or refusals > 1:
                raise _ended()
            return present
        if refusals > _MOST_REFUSALS:
            raise _useless()
        return _granted(await self._better(source, refused), source)

    async def _better(self, source: Renewable, refused: Credential) -> Grant:
        token = refused.authorization.removeprefix("Bearer ")
        known = await self._known(source)
        if known is not None and known.access_token == token:
            age = self.clock.now() - known.obtained_at
            if known.serial and 0 <= age < FRESH_S:
                raise _useless()
        elif known is not None and known.access_token and not known.is_due(self.clock.now()):
            return known
        return await self.flights.renewed(source, token)

    async def _known(self, source: Renewable) -> Grant | None:
        """Return what this process knows, else what the store has, else what is configured.

        None when the store still has to be told what is known.
        """
        if self.memory.of(source) is not None:
            return self.memory.usable(source)
        try:
            stored = await kept_grant(self.records, source)
        except TrunklineError:
            # Nothing is spent by trying the configured access token.
            return configured_grant(source)
        self.memory.hold(source, stored or configured_grant(source), kept=True)
        return self.memory.usable(source)

    async def _prolonged(self, source: Renewable, known: Grant) -> Grant:
        """Renew a grant before its end; one that cannot be renewed now is used up to that."""
        lasts = not known.has_ended(self.clock.now())
        if lasts and self.clock.monotonic() < self.pause.until:
            return known
        try:
            return await self.flights.renewed(source, "")
        except TrunklineError:
            if not lasts or self.memory.usable(source) != known:
                raise
            self.pause.until = self.clock.monotonic() + PAUSE_S
            return known


def _granted(grant: Grant, source: Renewable) -> BasecampCredential:
    return _credential(grant.access_token, REFRESH, granted_as=source.key)


def brought(token: str) -> BasecampCredential:
    """Return the credential that a caller brings: an access token."""
    return _credential(token, SOURCE)


def _credential(token: str, source: str, granted_as: str = "") -> BasecampCredential:
    return BasecampCredential(authorization=f"Bearer {token}", source=source, granted_as=granted_as)


def _ended() -> TokenExpired:
    return TokenExpired(
        f"Basecamp refuses {ACCESS}: it has expired or was revoked.",
        hint=f"Set {ACCESS} to a new token (they last two weeks), or set {REFRESH}, {CLIENT_ID} "
        f"and {CLIENT_SECRET} to have it renewed.",
        details={"reason": "token_refused", "variables": [ACCESS, REFRESH]},
    )


def _useless() -> TokenExpired:
    return TokenExpired(
        "Basecamp refuses the token that its authorization server has just given.",
        hint=f"Check that the client of {CLIENT_ID} still has access to the account, then "
        f"authorize it again and set {REFRESH}.",
        details={"reason": "renewed_token_refused", "variables": [REFRESH, CLIENT_ID]},
    )
