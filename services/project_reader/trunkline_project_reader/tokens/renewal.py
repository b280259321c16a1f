"""One renewal over all processes: hold the record, look again, ask once, keep, then use."""

from contextlib import suppress
from dataclasses import dataclass, field, replace

from trunkline_project_reader.tokens.answers import REFUSED
from trunkline_project_reader.tokens.authorization_server import (
    AuthorizationServer,
    as_told,
    is_unknown,
)
from trunkline_project_reader.tokens.configured import Renewable
from trunkline_project_reader.tokens.grant import Grant, configured_grant, newest
from trunkline_project_reader.tokens.keeping import GrantMemory, HeldGrant
from trunkline_shared.clock import Clock
from trunkline_shared.errors import TokenExpired, TrunklineError
from trunkline_shared.store.record_failures import HoldLost
from trunkline_shared.store.record_port import Records

WAIT_S = 20.0
LEASE_S = 30.0
REMEMBERED_S = 60.0
_LOST_ANSWER = (
    " An earlier attempt got no answer: the refresh token may have been spent by it, and its "
    "successor lost."
)


@dataclass(slots=True)
class _Refused:
    """The last refusal, so that a dead refresh token is not sent again and again."""

    source: Renewable | None = None
    serial: int = 0
    until: float = float("-inf")
    error: TokenExpired | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewal:
    """Renews the shared grant. What it takes from the server is in the store before anyone uses it.

    A process that dies on the way leaves the mark `in_doubt`, and the refresh token as it was:
    the next attempt sends it once more.
    """

    records: Records
    server: AuthorizationServer
    memory: GrantMemory
    clock: Clock
    refusal: _Refused = field(default_factory=_Refused)

    async def run(self, source: Renewable, refused: str) -> Grant:
        """Return a grant whose access token is not the `refused` one (empty: any that lasts).

        Raises TokenExpired, Overloaded, or the failure of the store or the server.
        """
        try:
            return await self._held(source, refused)
        except HoldLost:
            # What was taken from the server is remembered, and now comes first.
            return await self._held(source, refused)

    async def _held(self, source: Renewable, refused: str) -> Grant:
        async with self.records.held(source.key, wait_s=WAIT_S, lease_s=LEASE_S) as record:
            held = HeldGrant(record=record, source=source)
            stored = await held.read()
            known = newest([stored, self.memory.of(source)]) or configured_grant(source)
            if not self._is_good(known, refused):
                return await self._renewed(held, known)
            if known is not stored:
                await self._keep(held, known)
            self.memory.hold(source, known, kept=True)
            return known

    def _is_good(self, grant: Grant, refused: str) -> bool:
        usable = grant.access_token not in {"", refused}
        return usable and not grant.is_due(self.clock.now())

    async def _renewed(self, held: HeldGrant, known: Grant) -> Grant:
        self._check(held.source, known)
        # This also finds out, before anything is spent, that the store cannot be written.
        await held.write(replace(known, in_doubt=True))
        try:
            fresh = await self.server.renew(held.source, known)
        except TrunklineError as error:
            if not is_unknown(error):
                # a mark that stays only makes a later failure say more than is known
                with suppress(TrunklineError):
                    await held.write(known)
            raise self._noted(held.source, known, error) from None
        await self._keep(held, fresh)
        return fresh

    async def _keep(self, held: HeldGrant, grant: Grant) -> None:
        self.memory.hold(held.source, grant, kept=False)
        await held.write(grant)
        self.memory.hold(held.source, grant, kept=True)

    def _check(self, source: Renewable, known: Grant) -> None:
        """Raise the last refusal again while nothing has changed since."""
        last = self.refusal
        same = (last.source, last.serial) == (source, known.serial)
        if same and last.error is not None and self.clock.monotonic() < last.until:
            raise as_told(last.error)

    def _noted(self, source: Renewable, known: Grant, error: TrunklineError) -> TrunklineError:
        if isinstance(error, TokenExpired) and error.details.get("reason") == REFUSED:
            if known.in_doubt:
                error = TokenExpired(
                    error.message + _LOST_ANSWER,
                    hint=error.hint,
                    details={**error.details, "earlier_renewal": "unknown"},
                )
            self.refusal.source, self.refusal.serial = source, known.serial
            self.refusal.until = self.clock.monotonic() + REMEMBERED_S
            self.refusal.error = error
        return as_told(error)
