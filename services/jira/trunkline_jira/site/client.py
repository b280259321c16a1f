"""A Jira to ask: one value after another, within what the operator and the context allow."""

from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from trunkline_jira.keys import IssueKey, KeyRules
from trunkline_jira.projects import AllowedProjects
from trunkline_jira.site.flavour import Deployment, Detection
from trunkline_jira.site.login import Login, names_account
from trunkline_shared.binding import require_bound
from trunkline_shared.clock import Clock
from trunkline_shared.cursor import Cursors
from trunkline_shared.errors import NotFound
from trunkline_shared.exchange import Endpoint, Response
from trunkline_shared.vendor.credential import Credential, Credentials

T = TypeVar("T")


class Performer(Protocol):
    """Whatever performs an endpoint: credentials, limits, retries and all."""

    async def perform(self, endpoint: Endpoint[T]) -> T: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Jira:
    """What the tools ask; `opening.open_jira` builds it.

    `login` is confirmed where an answer does not name the account that it was given to. `site` is
    its name in the mesh's tags, empty when none is configured.
    """

    transport: Performer
    credentials: Credentials[Credential]
    detection: Detection
    login: Login
    rules: KeyRules
    projects: AllowedProjects
    cursors: Cursors
    clock: Clock
    site: str

    async def fetch(self, endpoint: Endpoint[T]) -> T:
        """Perform one endpoint.

        Raises a TrunklineError; AuthError for what was told or denied to nobody in particular.
        """
        named: list[bool] = []

        def read(response: Response) -> T:
            named.append(names_account(response))
            return endpoint.read(response)

        try:
            found = await self.transport.perform(replace(endpoint, read=read))
        except NotFound:
            await self._confirm_login(named)
            raise
        if not endpoint.request.writes:
            # What a write has done stays done, in whose name ever.
            await self._confirm_login(named)
        return found

    async def _confirm_login(self, named: list[bool]) -> None:
        if named and not named[-1]:
            await self.login.confirm((await self.credentials.get()).fingerprint)

    async def check_credentials(self) -> None:
        """Raise CredentialsMissing when there is no Jira or no credential to ask with."""
        await self.credentials.get()

    async def deployment(self) -> Deployment:
        """Return what this Jira is, asking it at the first call. Raises a TrunklineError."""
        return await self.detection.get()

    async def issue_key(self, text: str) -> IssueKey:
        """Return the issue that a call is about.

        Raises CredentialsMissing before anything else, then InvalidInput or BlockedByPolicy.
        """
        await self.check_credentials()
        key = self.rules.parsed(text)
        require_bound("The issue", str(key), "issue_key")
        self.projects.require_key(key)
        return key
