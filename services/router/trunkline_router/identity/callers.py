"""Whom the configuration in force lets in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from trunkline_router.configuration import Configuration
from trunkline_router.identity.key_callers import KeyCallers
from trunkline_router.identity.remembered import Remembered
from trunkline_router.identity.resource_metadata import ResourceMetadata
from trunkline_router.identity.scopes import TOOLS
from trunkline_router.identity.strangers import Strangers
from trunkline_router.live import Live
from trunkline_router.model import Caller
from trunkline_router.ports import TokenVerifier
from trunkline_shared.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Others:
    """Who knows callers that no configuration names.

    `local` stands where nobody has to say who they are; `jobs` puts who knows the bearers of job
    tokens before who knows all others.
    """

    local: TokenVerifier
    jobs: Callable[[TokenVerifier], TokenVerifier]


class Callers:
    """Knows every caller, by the configuration that holds when it is asked.

    `base` is the router's public URL without a slash at its end.
    """

    def __init__(
        self, live: Live[Configuration], others: Others, *, base: str, clock: Clock
    ) -> None:
        self._live = live
        self._others = others
        self._base = base
        self._clock = clock
        self._of: Configuration | None = None
        self._verifier: TokenVerifier = Strangers()

    async def verify(self, bearer: str | None) -> Caller:
        """Return the caller, or raise Refused."""
        now = self._live.now
        if now is not self._of:
            self._verifier = Remembered(self._others.jobs(self._known(now)), self._clock)
            self._of = now
        return await self._verifier.verify(bearer)

    def _known(self, configuration: Configuration) -> TokenVerifier:
        if not configuration.authenticates:
            return self._others.local
        return KeyCallers(configuration.keys, Strangers())

    @property
    def resource(self) -> ResourceMetadata | None:
        """The router as a protected resource; None where no issuer is trusted."""
        oauth = self._live.now.oauth
        if oauth is None:
            return None
        scopes = tuple(oauth.required_scopes)
        return ResourceMetadata(base=self._base, issuer=oauth.issuer, scopes=scopes)

    def spelled(self, scope: str) -> tuple[str, ...]:
        """Return what a scope is called where clients ask for it."""
        oauth = self._live.now.oauth
        return oauth.required_scopes if oauth is not None and scope == TOOLS else (scope,)

    def parameters(self, path: str) -> Mapping[str, str]:
        """Return what a challenge at `path` says besides what is wrong."""
        resource = self.resource
        if resource is None:
            return {}
        scopes = {"scope": " ".join(resource.scopes)} if resource.scopes else {}
        return {"resource_metadata": resource.url_for(path)} | scopes
