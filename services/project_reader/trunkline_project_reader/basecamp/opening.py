"""Builds a Basecamp from its settings; the only place that names its parts together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from trunkline_project_reader.basecamp.access_token import VARIABLE, AccessToken
from trunkline_project_reader.basecamp.account import Account, ConfiguredAccount
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.vendor import vendor_of
from trunkline_project_reader.settings import ProjectReaderSettings
from trunkline_shared.clock import Clock
from trunkline_shared.cursor import Cursors
from trunkline_shared.http.client import open_http
from trunkline_shared.http.etag_store import EtagStore
from trunkline_shared.http.retry import Retry
from trunkline_shared.live_secret import LiveSecret
from trunkline_shared.store.store import Store
from trunkline_shared.vendor.credential import Credential
from trunkline_shared.vendor.limit_windows import LimitWindows
from trunkline_shared.vendor.transport import Transport

PRODUCT = f"Trunkline/{version('trunkline-project-reader')}"


@asynccontextmanager
async def open_basecamp(
    settings: ProjectReaderSettings, store: Store, cursors: Cursors, clock: Clock
) -> AsyncIterator[Basecamp]:
    """Open the Basecamp that the settings name; its connections are closed at the end."""
    async with open_http(clock) as http:
        credentials = AccessToken(secret=LiveSecret(VARIABLE))
        retry, etags = Retry(clock=clock), EtagStore()
        windows = LimitWindows(vendor="Basecamp", clock=clock)
        slots = asyncio.Semaphore(settings.basecamp_concurrency)
        user_agent = f"{PRODUCT} ({settings.basecamp_contact})"

        def asking(account: Account) -> Transport[Credential]:
            return Transport(
                http=http,
                vendor=vendor_of(account, user_agent),
                credentials=credentials,
                retry=retry,
                etags=etags,
                windows=windows,
                slots=slots,
            )

        yield Basecamp(
            accounts=ConfiguredAccount(
                id=settings.basecamp_account_id, api_url=settings.basecamp_api_url
            ),
            credentials=credentials,
            asking=asking,
            cursors=cursors,
        )
