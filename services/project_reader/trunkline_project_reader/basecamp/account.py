"""Which account of Basecamp is asked, and where its API is."""

from dataclasses import dataclass
from typing import Protocol

from trunkline_shared.errors import CredentialsMissing
from trunkline_shared.vendor.address import BaseUrl


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account, with the base URL under which all its routes lie."""

    id: str
    address: BaseUrl


class Accounts(Protocol):
    """Says which account is asked; `current` raises a TrunklineError when there is none."""

    async def current(self) -> Account: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfiguredAccount:
    """The account that the settings name."""

    id: str
    api_url: str

    async def current(self) -> Account:
        if not self.id:
            raise CredentialsMissing(
                "No Basecamp account is configured.",
                hint="Set BASECAMP_ACCOUNT_ID: the number in https://3.basecamp.com/NUMBER.",
                details={"reason": "no_account"},
            )
        return Account(id=self.id, address=BaseUrl(f"{self.api_url}/{self.id}"))
