"""A GitHub to ask: one value after another, or all pages of a list."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from trunkline_shared.errors import PermissionDenied
from trunkline_shared.exchange import Endpoint
from trunkline_shared.github.repository import Repositories, Repository
from trunkline_shared.github.tokens.token import TokenProvider
from trunkline_shared.github.viewer import authenticated_user, viewer
from trunkline_shared.sink import Sink
from trunkline_shared.vendor.page import Collected, Page
from trunkline_shared.vendor.paging import collect, pages

T = TypeVar("T")


class Performer(Protocol):
    """Whatever performs an endpoint: credentials, limits, retries and all."""

    async def perform(self, endpoint: Endpoint[T]) -> T: ...

    async def stream(self, endpoint: Endpoint[object], begin: Callable[[], Sink[T]]) -> T: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHub:
    """What a GitHub server's tools ask; `opening.open_github` builds it."""

    transport: Performer
    tokens: TokenProvider
    repositories: Repositories
    logins: dict[str, str] = field(default_factory=dict)

    async def fetch(self, endpoint: Endpoint[T]) -> T:
        """Perform one endpoint. Raises a TrunklineError."""
        return await self.transport.perform(endpoint)

    async def stream(self, endpoint: Endpoint[object], begin: Callable[[], Sink[T]]) -> T:
        """Let the body of an endpoint's success flow into a sink; return what comes of it.

        `begin` makes a new sink for each attempt: a body that breaks off is never taken for
        whole. `endpoint.read` sees the answer without its body, and raises for a failure.
        Raises a TrunklineError.
        """
        return await self.transport.stream(endpoint, begin)

    async def collect(self, endpoint: Endpoint[Page[T]], *, limit: int) -> Collected[T]:
        """Follow the pages of a list from `endpoint` on, until the end or `limit` items.

        Raises a TrunklineError; a page link to another origin is refused.
        """
        return await collect(self.transport, endpoint, limit)

    async def each(self, endpoint: Endpoint[Page[T]]) -> AsyncIterator[T]:
        """Yield the items of a list from `endpoint` on; a page is asked for when it is needed.

        Ends after 100 pages. Raises as `collect` does.
        """
        async for page in pages(self.transport, endpoint):
            for item in page.items:
                yield item

    async def repository(self, owner: str, repo: str) -> Repository:
        """Return the repository that a call is about, empty names standing for the default.

        Raises CredentialsMissing before anything else, then InvalidInput or BlockedByPolicy.
        """
        await self.check_credentials()
        return self.repositories.choose(owner, repo)

    async def check_credentials(self) -> None:
        """Raise CredentialsMissing when there is no token to ask with."""
        await self.tokens.get()

    async def login(self) -> str:
        """Return the account in whose name this GitHub is changed, such as `octocat` or `x[bot]`.

        Raises a TrunklineError.
        """
        credential = (await self.tokens.get()).fingerprint
        known = self.logins.get(credential)
        if known is None:
            known = await self._ask_login()
            self.logins.clear()
            self.logins[credential] = known
        return known

    async def _ask_login(self) -> str:
        try:
            return (await self.transport.perform(authenticated_user())).login
        except PermissionDenied:
            return (await self.transport.perform(viewer())).viewer.login
