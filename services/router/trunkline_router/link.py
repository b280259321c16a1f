"""How the pipeline's end reaches one server, whatever wire that server speaks."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from yarl import URL

from trunkline_router.model import Channel, Json, JsonRpcError


class NeverSent(Exception):
    """No connection came about, so the server has seen nothing of the request."""


_NONE: Mapping[str, str] = MappingProxyType({})


class Post(NamedTuple):
    """One request of revision 2026-07-28, ready to be sent; `number` is its JSON-RPC id.

    `name` is the server's own name of the target. `headers` are the call's own, on top of the
    server's; `traceparent` names its span, if there is one. `partition` says whose state a session
    at the server may hold: requests of different ones never share a session. `repeatable` says
    that another replica may be asked as well. `answers` says that its client is one of an older
    revision that a server can ask.
    """

    server: str
    number: int
    method: str
    params: Json
    channel: Channel
    name: str | None = None
    headers: Mapping[str, str] = _NONE
    traceparent: str = ""
    partition: str = ""
    repeatable: bool = False
    answers: bool = False

    def __repr__(self) -> str:
        """Say which it is, and nothing that may be secret in it."""
        return f"Post({self.server}, {self.number}, {self.method})"


class Reply(NamedTuple):
    """The end of an exchange: exactly one of result and error is set.

    `size` is the bytes of the answer as it came, 0 where the link does not know.
    """

    result: Json | None = None
    error: JsonRpcError | None = None
    size: int = 0


class SessionEnd(NamedTuple):
    """A session that was held at a server of an older revision; `seconds` is how long.

    `piped` says that the server is a child of this process. `error` is empty for one that was let
    go of, else what broke it off.
    """

    server: str
    version: str
    seconds: float
    piped: bool
    error: str


class Link(Protocol):
    """One server as the router reaches it; it takes and gives the words of 2026-07-28."""

    @property
    def url(self) -> URL:
        """Where the server is, for the operator's eyes."""

    async def perform(self, post: Post) -> Reply:
        """Send and read to the end; events go to the channel as they come.

        Raises NeverSent, Refused, NetworkError, UpstreamUnavailable.
        """

    def abandon(self, state: str) -> None:
        """Let go of the call that waits under a `requestState`: nobody comes back for it."""

    async def close(self) -> None:
        """Let go of connections, sessions and children."""
