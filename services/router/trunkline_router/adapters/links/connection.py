"""What carries the messages of one session to a server and back, as a port."""

from collections.abc import Callable, Mapping
from typing import Protocol

from yarl import URL

from trunkline_router.adapters.links.pending import Pending
from trunkline_router.link import Reply
from trunkline_router.model import Json, JsonRpcError

Deliver = Callable[[Json, Pending | None], None]
"""Takes a message of the server; the pending request is the one whose stream it came on, where a
wire tells that."""


class SessionLost(Exception):
    """The server does not know the session any more; the request was not executed."""


class HandshakeRefused(Exception):
    """The server does not take part in this handshake: it is of another era, or no MCP server.

    `status` is the HTTP status, or 0 where there is none.
    """

    def __init__(self, status: int, error: JsonRpcError | None = None) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        self.error = error


class Misunderstood(Exception):
    """The server refused the request by its HTTP status, as one of another era would.

    `reply` is what it said.
    """

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply)
        self.reply = reply


class Connection(Protocol):
    """One session's way to its server, both ways."""

    @property
    def hears(self) -> bool:
        """Whether the server can tell something while nothing is asked."""

    async def carry(self, message: Json, pending: Pending, headers: Mapping[str, str]) -> None:
        """Send a request; everything that belongs to it is delivered before this returns.

        Raises NeverSent, SessionLost, HandshakeRefused, TrunklineError.
        """

    async def send(self, message: Json) -> None:
        """Send a notification, or the answer to a request of the server; raises as `carry`."""

    async def ready(self, version: str) -> None:
        """Note the negotiated version: the handshake is done."""

    async def close(self) -> None:
        """End the session, politely and within a second or two."""


class Connector(Protocol):
    """Opens connections to one server."""

    @property
    def url(self) -> URL:
        """Where the server is, for the operator's eyes."""

    async def connect(self, deliver: Deliver, lost: Callable[[Exception], None]) -> Connection:
        """Return a connection on which nothing has been sent.

        `lost` is told when it breaks. Raises NeverSent, HandshakeRefused, TrunklineError.
        """
