"""Builds a Basecamp from its settings; the only place that names its parts together."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version

from trunkline_project_reader.basecamp.account import (
    Account,
    Accounts,
    ConfiguredAccount,
    DiscoveredAccount,
)
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.vendor import vendor_of
from trunkline_project_reader.settings import API_URL, ProjectReaderSettings
from trunkline_project_reader.tokens.discovery import discovery_at
from trunkline_project_reader.tokens.opening import open_tokens
from trunkline_project_reader.tokens.provider import brought
from trunkline_shared.clock import Clock
from trunkline_shared.cursor import Cursors
from trunkline_shared.http.client import HttpClient, open_http
from trunkline_shared.http.etag_store import EtagStore
from trunkline_shared.http.retry import Retry
from trunkline_shared.store.store import Store
from trunkline_shared.vendor.callers_own import CallersOwn
from trunkline_shared.vendor.credential import Credential, Credentials
from trunkline_shared.vendor.limit_windows import LimitWindows
from trunkline_shared.vendor.transport import Transport

PRODUCT = f"Trunkline/{version('trunkline-project-reader')}"


@asynccontextmanager
async def open_basecamp(
    settings: ProjectReaderSettings, store: Store, cursors: Cursors, clock: Clock
) -> AsyncIterator[Basecamp]:
    """Open the Basecamp that the settings name; its connections are closed at the end."""
    user_agent = f"{PRODUCT} ({settings.basecamp_contact})"
    async with (
        open_http(clock) as http,
        open_tokens(settings, store, http, user_agent=user_agent, clock=clock) as configured,
    ):
        # Called with its parameter in brackets, a frozen dataclass with slots cannot be made.
        tokens: CallersOwn[Credential] = CallersOwn(
            vendor="basecamp", read=brought, otherwise=configured
        )
        yield Basecamp(
            accounts=_accounts(settings, tokens, http, clock, user_agent),
            credentials=tokens,
            asking=_asking(settings, tokens, http, store, clock=clock, user_agent=user_agent),
            cursors=cursors,
        )


def _accounts(
    settings: ProjectReaderSettings,
    tokens: Credentials[Credential],
    http: HttpClient,
    clock: Clock,
    user_agent: str,
) -> Accounts:
    """Return the configured account, or the one that the token is for."""
    api_url = settings.basecamp_api_url
    if settings.basecamp_account_id:
        return ConfiguredAccount(id=settings.basecamp_account_id, api_url=api_url)
    token_url = settings.basecamp_token_url
    discovery = discovery_at(token_url, tokens, http, user_agent=user_agent, clock=clock)
    return DiscoveredAccount(discovery=discovery, api_url="" if api_url == API_URL else api_url)


def _asking(
    settings: ProjectReaderSettings,
    tokens: Credentials[Credential],
    http: HttpClient,
    store: Store,
    *,
    clock: Clock,
    user_agent: str,
) -> Callable[[Account], Transport[Credential]]:
    """Return what makes the transport to an account; all of them share what they remember."""
    retry, etags = Retry(clock=clock), EtagStore(others=store.answers)
    windows = LimitWindows(vendor="Basecamp", clock=clock)
    slots = asyncio.Semaphore(settings.basecamp_concurrency)

    def asking(account: Account) -> Transport[Credential]:
        return Transport(
            http=http,
            vendor=vendor_of(account, user_agent),
            credentials=tokens,
            retry=retry,
            etags=etags,
            windows=windows,
            slots=slots,
        )

    return asking
