"""What the pipeline needs from outside, as protocols."""

from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from trunkline_router.catalogue.directory import Directory
from trunkline_router.model import Call, Caller, Channel, Json, Outcome
from trunkline_router.updates import Updated
from trunkline_router.view import WHOLE, View


class TokenVerifier(Protocol):
    """Knows who a bearer token belongs to."""

    async def verify(self, bearer: str | None) -> Caller:
        """Return the caller, or raise Refused."""


class Catalog(Protocol):
    """Knows what the servers offer."""

    def directory(self, view: View = WHOLE) -> Directory:
        """Return what is known now, as it is seen from a view."""

    @property
    def settled(self) -> bool:
        """Whether every server is listed, remembered, or past its budget."""

    async def changed(self, since: Directory, scope: str | None) -> Directory:
        """Wait until a whole scope shows something else, or misses others, and return it."""

    def pins(self, server: str) -> Json:
        """Return a server's tools that differ from what was approved, by what happened to them."""

    async def look_again(self) -> None:
        """Ask every server once more, not too often and not for long."""


class Updates(Protocol):
    """Hears of changed resources."""

    def of(self, uris: Iterable[str], view: View = WHOLE) -> AbstractAsyncContextManager[Updated]:
        """Listen to the resources that a view shows, for the length of the block.

        `Updated.honoured` are those that have an owner; each change is told after the block began.
        """

    def reaches(self, uri: str, view: View = WHOLE) -> bool:
        """Say whether a resource has an owner that tells of it in this view."""


class Upstream(Protocol):
    """Reaches the servers."""

    async def send(self, call: Call) -> Outcome:
        """Perform a call. Raises NetworkError, UpstreamTimeout, UpstreamUnavailable."""

    async def ask(
        self, server: str, method: str, params: Json, channel: Channel | None = None
    ) -> Json:
        """Ask a server something on the router's own behalf; raises as `send` does.

        `channel` hears what the server tells before it answers.
        """
