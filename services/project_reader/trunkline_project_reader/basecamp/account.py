"""Which account of Basecamp is asked, and where its API is."""

from dataclasses import dataclass
from typing import Protocol

from trunkline_project_reader.tokens.discovery import Discovery
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
        return Account(id=self.id, address=BaseUrl(f"{self.api_url}/{self.id}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveredAccount:
    """The only account of the token, at its own address unless `api_url` names another one."""

    discovery: Discovery
    api_url: str = ""

    async def current(self) -> Account:
        found = await self.discovery.account()
        base = f"{self.api_url}/{found.id}" if self.api_url else found.href.rstrip("/")
        return Account(id=str(found.id), address=BaseUrl(base))
