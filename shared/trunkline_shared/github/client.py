"""A GitHub to ask: one value after another, or all pages of a list."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from trunkline_shared.exchange import Endpoint
from trunkline_shared.github.page import Collected, Page
from trunkline_shared.github.repository import Repositories, Repository

T = TypeVar("T")

PAGE_CAP = 100


class Fetch(Protocol):
    """Whatever performs an endpoint: credentials, limits, retries and all."""

    async def __call__(self, endpoint: Endpoint[T]) -> T: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHub:
    """What a GitHub server's tools ask; open it with `trunkline_shared.github.opening`.

    `check_credentials` raises CredentialsMissing, `login` says in whose name comments are written.
    """

    perform: Fetch
    check_credentials: Callable[[], Awaitable[None]]
    login: Callable[[], Awaitable[str]]
    repositories: Repositories

    async def fetch(self, endpoint: Endpoint[T]) -> T:
        """Perform one endpoint. Raises a TrunklineError."""
        return await self.perform(endpoint)

    async def collect(self, endpoint: Endpoint[Page[T]], *, limit: int) -> Collected[T]:
        """Follow the pages of a list from `endpoint` on, until the end or `limit` items.

        Raises a TrunklineError; a page link to another origin is refused.
        """
        items: list[T] = []
        next_url: str | None = None
        for _ in range(PAGE_CAP):
            page = await self.perform(endpoint)
            items += page.items
            next_url = page.next_url
            if next_url is None or len(items) >= limit:
                break
            following = replace(endpoint.request, path=next_url, query=())
            endpoint = replace(endpoint, request=following)
        truncated = next_url is not None or len(items) > limit
        return Collected(items=tuple(items[:limit]), truncated=truncated)

    async def repository(self, owner: str, repo: str) -> Repository:
        """Return the repository that a call is about, empty names standing for the default.

        Raises CredentialsMissing before anything else, then InvalidInput or BlockedByPolicy.
        """
        await self.check_credentials()
        return self.repositories.choose(owner, repo)
