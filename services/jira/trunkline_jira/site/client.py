"""A Jira to ask: one value after another, within what the operator and the context allow."""

from dataclasses import dataclass
from typing import Protocol, TypeVar

from trunkline_jira.keys import IssueKey, KeyRules
from trunkline_jira.projects import AllowedProjects
from trunkline_jira.site.flavour import Deployment, Detection
from trunkline_shared.binding import require_bound
from trunkline_shared.clock import Clock
from trunkline_shared.cursor import Cursors
from trunkline_shared.exchange import Endpoint
from trunkline_shared.vendor.credential import Credential, Credentials

T = TypeVar("T")


class Performer(Protocol):
    """Whatever performs an endpoint: credentials, limits, retries and all."""

    async def perform(self, endpoint: Endpoint[T]) -> T: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Jira:
    """What the tools ask; `opening.open_jira` builds it.

    `site` is its name in the mesh's tags, empty when none is configured.
    """

    transport: Performer
    credentials: Credentials[Credential]
    detection: Detection
    rules: KeyRules
    projects: AllowedProjects
    cursors: Cursors
    clock: Clock
    site: str

    async def fetch(self, endpoint: Endpoint[T]) -> T:
        """Perform one endpoint. Raises a TrunklineError."""
        return await self.transport.perform(endpoint)

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
