"""Asks the authorization server which account the present token is for, once per chain of tokens.

It is asked with the same credentials as the API, and so with renewed ones when it refuses them.
"""

import asyncio
from dataclasses import dataclass, field

from trunkline_project_reader.tokens.accounts import (
    Account,
    Authorization,
    authorization_address,
    basecamp_account,
    get_authorization,
)
from trunkline_shared.clock import Clock
from trunkline_shared.http.client import HttpClient
from trunkline_shared.http.etag_store import EtagStore
from trunkline_shared.http.retry import Retry
from trunkline_shared.vendor.credential import Credential, Credentials
from trunkline_shared.vendor.limit_windows import LimitWindows
from trunkline_shared.vendor.transport import Transport, Vendor

_AT_ONCE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """Finds the account of a token; `discovery_at` builds it."""

    transport: Transport[Credential]
    found: dict[str, Account] = field(default_factory=dict)
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def authorization(self) -> Authorization:
        """Return what the present token is good for. Raises a TrunklineError."""
        return await self.transport.perform(get_authorization())

    async def account(self) -> Account:
        """Return the token's one account of Basecamp.

        Raises CredentialsMissing when there are several, PermissionDenied when there is none, or
        the failure of asking.
        """
        name = (await self.transport.credentials.get()).account
        if name not in self.found:
            async with self.asking:
                await self._find(name)
        return self.found[name]

    async def _find(self, name: str) -> None:
        """Ask, unless somebody has just found it for all who waited."""
        if name in self.found:
            return
        known = basecamp_account(await self.authorization())
        self.found.clear()
        self.found[name] = known


def discovery_at(
    token_url: str,
    credentials: Credentials[Credential],
    http: HttpClient,
    *,
    user_agent: str,
    clock: Clock,
) -> Discovery:
    """Return a discovery at the server that renews tokens at `token_url`."""
    name = "Basecamp's authorization server"
    vendor: Vendor[Credential] = Vendor(
        name=name,
        address=authorization_address(token_url),
        headers=lambda credential: {
            "Accept": "application/json",
            "Authorization": credential.authorization,
            "User-Agent": user_agent,
        },
    )
    return Discovery(
        transport=Transport(
            http=http,
            vendor=vendor,
            credentials=credentials,
            retry=Retry(clock=clock),
            etags=EtagStore(),
            windows=LimitWindows(vendor=name, clock=clock),
            slots=asyncio.Semaphore(_AT_ONCE),
        )
    )
