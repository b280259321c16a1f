"""A Basecamp to ask: one value after another, or a list."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from trunkline_project_reader.basecamp.account import Account, Accounts
from trunkline_project_reader.basecamp.listing import Extent, Listed, Listing, read_list
from trunkline_shared.cursor import Cursors
from trunkline_shared.exchange import Endpoint
from trunkline_shared.vendor.credential import Credential, Credentials
from trunkline_shared.vendor.paging import Performer

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Basecamp:
    """What the tools ask; `opening.open_basecamp` builds it.

    `asking` gives what performs endpoints in one account.
    """

    accounts: Accounts
    credentials: Credentials[Credential]
    asking: Callable[[Account], Performer]
    cursors: Cursors

    async def account(self) -> Account:
        """Return the account that is asked.

        Raises CredentialsMissing, before anything else, when there is no token to ask with.
        """
        await self.credentials.get()
        return await self.accounts.current()

    async def fetch(self, endpoint: Endpoint[T]) -> T:
        """Perform one endpoint. Raises a TrunklineError."""
        return await self.asking(await self.account()).perform(endpoint)

    async def listed(self, listing: Listing[T], extent: Extent) -> Listed[T]:
        """Return the part of a list that is wanted. Raises as `read_list` does."""
        performer = self.asking(await self.account())
        return await read_list(performer, self.cursors, listing, extent)
