"""Which kind of Jira this is, found out once.

Cloud speaks API 3, whose texts are Atlassian documents; Server and Data Center speak API 2, whose
texts are wiki text.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict

from trunkline_jira.address import GATEWAY
from trunkline_jira.site.reading import one
from trunkline_shared.deadline import remaining
from trunkline_shared.errors import TrunklineError, UpstreamTimeout
from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.http.network_failures import deadline_passed
from trunkline_shared.vendor.transport import PATIENCE_S


class Flavour(Enum):
    """A kind of Jira, by the path of its API."""

    CLOUD = "/rest/api/3"
    DATA_CENTER = "/rest/api/2"

    @property
    def api(self) -> str:
        """The path that every request's path begins with."""
        return self.value

    @property
    def is_cloud(self) -> bool:
        return self is Flavour.CLOUD


class ServerInfo(BaseModel):
    """What a Jira says about itself; servers before 7 do not say `deploymentType`."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    baseUrl: str | None = None  # noqa: N815 - Jira's spelling
    deploymentType: str | None = None  # noqa: N815 - Jira's spelling
    version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """A Jira as it was found: its flavour, and the base URL of the pages that people see."""

    flavour: Flavour
    pages: str

    def page(self, key: str) -> str:
        """Return the address of an issue's page."""
        return f"{self.pages}/browse/{key}"


SERVER_INFO = "/rest/api/2/serverInfo"
_read_info = one(ServerInfo)


def server_info() -> Endpoint[ServerInfo]:
    """Ask a Jira about itself, in the one way that both flavours understand."""
    request = Request(method="GET", path=SERVER_INFO, template=SERVER_INFO)
    return Endpoint(request=request, read=_read_info, repeatable=True)


def deployment(info: ServerInfo, base: str) -> Deployment:
    """Return what a Jira at `base` is; the gateway has no pages, so there Jira's word counts."""
    cloud = (info.deploymentType or "").lower() == "cloud"
    pages = base
    if urlsplit(base).hostname == GATEWAY and _is_address(info.baseUrl):
        pages = (info.baseUrl or "").rstrip("/")
    return Deployment(flavour=Flavour.CLOUD if cloud else Flavour.DATA_CENTER, pages=pages)


def _is_address(url: str | None) -> bool:
    parts = urlsplit(url or "")
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


@dataclass(slots=True, kw_only=True)
class Detection:
    """Finds the deployment out once per process; those who ask meanwhile wait for the same answer.

    A failure is told to all who waited for it and then forgotten.
    """

    ask: Callable[[], Awaitable[Deployment]]
    known: Deployment | None = None
    ended: int = 0
    failure: TrunklineError | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def get(self) -> Deployment:
        """Return the deployment. Raises a TrunklineError."""
        if self.known is not None:
            return self.known
        begun = self.ended
        try:
            async with asyncio.timeout(remaining(PATIENCE_S)):
                await self.lock.acquire()
        except TimeoutError:
            raise deadline_passed("Jira") from None
        try:
            return await self._found(begun)
        finally:
            self.lock.release()

    async def _found(self, begun: int) -> Deployment:
        """Ask, unless somebody did so since `begun`; one call at a time comes here."""
        if self.known is not None:
            return self.known
        if self.ended > begun and self.failure is not None:
            raise self.failure
        self.failure = None
        try:
            self.known = await self.ask()
        except UpstreamTimeout:
            # The one who asked ran out of time; those who wait may have more.
            raise
        except TrunklineError as error:
            self.failure = error
            raise
        finally:
            self.ended += 1
        return self.known
