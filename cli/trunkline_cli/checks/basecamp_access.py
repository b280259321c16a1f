"""Whose the Basecamp token is, until when it lasts, and what it reaches."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime

from trunkline_cli.checks.finding import Finding, Level
from trunkline_cli.checks.refusal import PATIENCE_S, misconfigured, refusal
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.opening import PRODUCT, open_basecamp
from trunkline_project_reader.basecamp.projects import projects
from trunkline_project_reader.settings import ProjectReaderSettings
from trunkline_project_reader.tokens.accounts import BASECAMP, Authorization
from trunkline_project_reader.tokens.configured import ACCESS, REFRESH
from trunkline_project_reader.tokens.discovery import Discovery, discovery_at
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.cursor import Cursors
from trunkline_shared.deadline import deadline_in
from trunkline_shared.errors import CredentialError, NotFound, TrunklineError
from trunkline_shared.http.client import open_http
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.signing import SigningKeys, SigningSettings
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.untrusted import sanitize

ABOUT, EXPIRY, REACH = "basecamp", "basecamp token", "basecamp reach"
INACTIVE = "account_inactive"
SOON_DAYS = 3
_DAY_S = 86_400


async def check_basecamp(clock: Clock | None = None) -> AsyncIterator[Finding]:
    """Say whose the token is, until when it lasts, and which account and projects it reaches.

    A token that has ended is renewed as the server would do it, in the store that both share.
    `clock` stands in for the machine's.
    """
    try:
        settings, stored = load(ProjectReaderSettings), load(StoreSettings)
        cursors = Cursors(SigningKeys.of(load(SigningSettings)))
    except ConfigurationError as error:
        yield misconfigured(ABOUT, error)
        return
    time = clock or SystemClock()
    async with (
        open_store(stored, time) as store,
        open_basecamp(settings, store, cursors, time) as basecamp,
        open_http(time) as http,
    ):
        discovery = discovery_at(
            settings.basecamp_token_url,
            basecamp.credentials,
            http,
            user_agent=f"{PRODUCT} ({settings.basecamp_contact})",
            clock=time,
        )
        access = Access(settings=settings, basecamp=basecamp, discovery=discovery, clock=time)
        async for finding in access.findings():
            yield finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """A Basecamp to look at, and the server that knows whose its tokens are."""

    settings: ProjectReaderSettings
    basecamp: Basecamp
    discovery: Discovery
    clock: Clock

    async def findings(self) -> AsyncIterator[Finding]:
        """Yield what is found, up to the first refusal."""
        try:
            credential = await self.basecamp.credentials.get()
            known = await self._authorization()
        except TrunklineError as error:
            yield _refused(ABOUT, error)
            return
        if isinstance(known, Authorization):
            text = f"signed in as {_named(known)}, with {credential.source}"
            yield Finding(about=ABOUT, level="ok", text=text)
            if known.expires_at is not None:
                renewable = credential.source == REFRESH
                yield self._expiry(known.expires_at, renewable=renewable)
        else:
            yield known
        yield await self._reach(known if isinstance(known, Authorization) else None)

    async def _authorization(self) -> Authorization | Finding:
        """Return what the token is good for; only who refuses the token itself ends the check."""
        try:
            with deadline_in(PATIENCE_S):
                return await self.discovery.authorization()
        except CredentialError:
            raise
        except TrunklineError as error:
            return Finding(
                about=ABOUT,
                level="warn",
                text=f"whose the token is, and until when it lasts, is not known: {error.message}",
                mend="check the network and TRUNKLINE_BASECAMP_TOKEN_URL",
            )

    def _expiry(self, ends: datetime, *, renewable: bool) -> Finding:
        days = (ends.timestamp() - self.clock.now()) / _DAY_S
        lasts = f"lasts until {ends.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        if renewable:
            return Finding(about=EXPIRY, level="ok", text=f"{lasts} and is renewed by itself")
        mend = f"set {ACCESS} to a new one, or set {REFRESH} to have it renewed"
        level: Level = "ok" if days > SOON_DAYS else "warn"
        return Finding(about=EXPIRY, level=level, text=f"{lasts}; nothing renews it", mend=mend)

    async def _reach(self, known: Authorization | None) -> Finding:
        try:
            with deadline_in(PATIENCE_S):
                account = await self.basecamp.account()
                page = await self.basecamp.fetch(projects("active"))
        except NotFound as error:
            if error.details.get("reason") == INACTIVE:
                return _refused(REACH, error)
            mend = f"set BASECAMP_ACCOUNT_ID to an account of the token{_reachable(known)}"
            text = f"account {self.settings.basecamp_account_id}: {error.message}"
            return Finding(about=REACH, level="fail", text=text, mend=mend)
        except TrunklineError as error:
            return _refused(REACH, error)
        total = page.total_count if page.total_count is not None else len(page.items)
        count = f"{total} active project{'' if total == 1 else 's'}"
        text = f"account {account.id}{_name_of(account.id, known)} at {account.address.host}: "
        return Finding(about=REACH, level="ok", text=text + count)


def _refused(about: str, error: TrunklineError) -> Finding:
    return refusal(about, error, address="TRUNKLINE_BASECAMP_API_URL", credential=ACCESS)


def _named(known: Authorization) -> str:
    person = known.identity
    name = f"{person.first_name or ''} {person.last_name or ''}".strip()
    return sanitize(name or person.email_address or f"person {person.id}")


def _name_of(account: str, known: Authorization | None) -> str:
    """Return the name of an account in brackets, where it is known."""
    each = known.accounts if known is not None else ()
    return next((f" ({sanitize(one.name)})" for one in each if str(one.id) == account), "")


def _reachable(known: Authorization | None) -> str:
    """Return the accounts of Basecamp that the token reaches, as the end of a sentence."""
    each = known.accounts if known is not None else ()
    found = [f"{one.id} ({sanitize(one.name)})" for one in each if one.product == BASECAMP]
    return f": {', '.join(found)}" if found else ""
