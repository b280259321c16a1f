"""One session at a server of an older revision: the handshake, and requests over it."""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION

from trunkline_router.adapters.incoming import NotMcp
from trunkline_router.adapters.links.client import Client
from trunkline_router.adapters.links.connection import (
    Connection,
    Connector,
    HandshakeRefused,
    SessionLost,
)
from trunkline_router.adapters.links.link_tasks import LinkTasks
from trunkline_router.adapters.links.peer import Peer, more_verbose, not_mcp
from trunkline_router.adapters.links.pending import Pending
from trunkline_router.adapters.links.translation import legacy_params, meta_of, modern_params
from trunkline_router.adapters.outgoing import CLIENT_INFO
from trunkline_router.link import NeverSent, Post, Reply
from trunkline_router.model import Json, Unheard
from trunkline_shared import meta, wire
from trunkline_shared.errors import NetworkError, TrunklineError, UpstreamUnavailable

log = logging.getLogger(__name__)

ASKING = frozenset({"tools/call", "prompts/get", "resources/read"})
"""What may be answered with `input_required`, so that its server may ask something back."""
BROKEN = ""
"""What listeners are told in place of a notification when the session is gone."""
_NOTICE_S = 2.0


@dataclass(slots=True, kw_only=True, eq=False)
class ServerSession:
    """A connection after its handshake; `began` and `used` are monotonic seconds.

    `lost` is set once it cannot be used any more. `initialized` is the server's own introduction.
    """

    peer: Peer
    connection: Connection
    background: LinkTasks
    initialized: Json = field(default_factory=dict)
    began: float = 0.0
    used: float = 0.0
    held: int = 0
    modern: bool = False
    lost: Exception | None = None
    _level: str | None = None
    _carriers: dict[int, "asyncio.Task[None]"] = field(default_factory=dict)

    @property
    def busy(self) -> bool:
        return bool(self.peer.pending) or self.held > 0

    def break_off(self, error: Exception) -> None:
        """Note that the connection is gone: whatever is open ends."""
        self.lost = self.lost or error
        self.peer.broken(error)
        for heard in tuple(self.peer.listeners):
            heard(BROKEN, {})

    def begin(self, post: Post) -> Pending:
        """Send a request of the pipeline; it runs on when its caller leaves."""
        given = meta_of(post.params)
        number = self.peer.number()
        token, level = given.get("progressToken"), given.get(meta.LOG_LEVEL)
        pending = Pending(
            number=number,
            method=post.method,
            token=token,
            level=level if isinstance(level, str) else None,
            asks=not self.modern and post.method in ASKING and bool(self.peer.client.capabilities),
        )
        shaped = modern_params if self.modern else legacy_params
        params = shaped(post.params, number, progress=token is not None)
        traced = post.traceparent
        self._start(pending, params, {"traceparent": traced} if traced else {})
        return pending

    async def request(self, method: str, params: Json) -> Reply:
        """Ask something for the session itself. Raises NeverSent, SessionLost, TrunklineError."""
        pending = Pending(number=self.peer.number(), method=method)
        self._start(pending, params, {})
        try:
            reply = await pending.follow(Unheard())
            assert reply is not None, "what may not be asked back is answered"
            return reply
        finally:
            self.done(pending)

    def done(self, pending: Pending) -> None:
        """Let go of a request that has ended, or whose end nobody waits for."""
        self.peer.forget(pending)
        carrier = self._carriers.pop(pending.number, None)
        if carrier is not None:
            carrier.cancel()

    def give_up(self, pending: Pending, reason: str) -> None:
        """Tell the server that nobody waits for a request any more."""
        open_ = not pending.ended
        self.done(pending)
        if open_ and self.lost is None:
            params: Json = {"requestId": pending.number, "reason": reason}
            self.notify("notifications/cancelled", params)

    def notify(self, method: str, params: Json) -> None:
        """Send a notification, without waiting for it."""
        self.background.spawn(self._sent({"jsonrpc": "2.0", "method": method, "params": params}))

    def answer(self, message: Json) -> None:
        """Send the answer to a request of the server, without waiting for it."""
        self.background.spawn(self._sent(message))

    async def lower_level(self, post: Post) -> None:
        """Have the server tell at least what this request wants to be told."""
        level = meta_of(post.params).get(meta.LOG_LEVEL)
        capabilities = self.initialized.get("capabilities")
        offered = isinstance(capabilities, dict) and "logging" in capabilities
        if isinstance(level, str) and offered and more_verbose(level, self._level):
            self._level = level
            await self.request("logging/setLevel", {"level": level})

    async def close(self) -> None:
        """End it, at the server too."""
        self.break_off(NetworkError(f"The session at server {self.peer.server!r} was ended."))
        with suppress(Exception):
            async with asyncio.timeout(_NOTICE_S):
                await self.connection.close()

    def _start(self, pending: Pending, params: Json, headers: Mapping[str, str]) -> None:
        if self.lost is not None:
            raise SessionLost
        message: Json = {
            "jsonrpc": "2.0",
            "id": pending.number,
            "method": pending.method,
            "params": params,
        }
        self.peer.begin(pending)
        carrying = self._carried(message, pending, headers)
        self._carriers[pending.number] = self.background.start(carrying)

    async def _carried(self, message: Json, pending: Pending, headers: Mapping[str, str]) -> None:
        server = self.peer.server
        try:
            await self.connection.carry(message, pending, headers)
        except NotMcp:
            pending.end(not_mcp(server))
        except HandshakeRefused as refusal:
            handshake = pending.method == "initialize"
            pending.end(refusal if handshake else _not_taken(server, refusal.status))
        except (NeverSent, SessionLost, TrunklineError) as error:
            pending.end(error)
        except Exception as bug:  # noqa: BLE001 - whoever waits for the answer must not wait forever
            pending.end(wire.unexpected(bug, doing=f"asking {server}"))
        pending.end(UpstreamUnavailable(f"Server {server!r} ended the answer before its end."))

    async def _sent(self, message: Json) -> None:
        try:
            async with asyncio.timeout(_NOTICE_S):
                await self.connection.send(message)
        except (NeverSent, SessionLost, HandshakeRefused, TrunklineError, TimeoutError) as error:
            log.info("%s did not take a notice: %s", self.peer.server, type(error).__name__)


async def open_session(
    connector: Connector, server: str, client: Client, background: LinkTasks
) -> ServerSession:
    """Connect and shake hands, spec 2025-11-25, "Lifecycle".

    Raises NeverSent, HandshakeRefused, TrunklineError.
    """
    session = await connected(connector, server, client, background)
    try:
        return await handshaken(session)
    except BaseException:
        await session.close()
        raise


async def connected(
    connector: Connector, server: str, client: Client, background: LinkTasks
) -> ServerSession:
    """Return a session before its first word; raises what connecting raises."""
    peer = Peer(server, client)
    holder: list[ServerSession] = []
    connection = await connector.connect(
        lambda message, of: _delivered(peer, holder, message, of),
        lambda error: holder[0].break_off(error) if holder else peer.broken(error),
    )
    session = ServerSession(peer=peer, connection=connection, background=background)
    holder.append(session)
    return session


async def handshaken(session: ServerSession) -> ServerSession:
    """Introduce the router to the server; raises as `open_session`."""
    reply = await session.request(
        "initialize",
        {
            "protocolVersion": LATEST_HANDSHAKE_VERSION,
            "capabilities": session.peer.client.capabilities,
            "clientInfo": CLIENT_INFO,
        },
    )
    session.initialized = _introduced(session.peer.server, reply)
    await session.connection.ready(str(session.initialized["protocolVersion"]))
    return session


def _delivered(peer: Peer, holder: list[ServerSession], message: Json, of: Pending | None) -> None:
    try:
        answer = peer.received(message, of)
    except Exception as bug:  # noqa: BLE001 - an odd message must not end who reads the next one
        wire.unexpected(bug, doing=f"hearing {peer.server}")
        return
    if answer is not None and holder:
        holder[0].answer(answer)


def _not_taken(server: str, status: int) -> UpstreamUnavailable:
    return UpstreamUnavailable(f"Server {server!r} refused the request with HTTP {status}.")


def _introduced(server: str, reply: Reply) -> Json:
    if reply.error is not None:
        raise HandshakeRefused(0, reply.error)
    result = reply.result or {}
    version = result.get("protocolVersion")
    if version not in HANDSHAKE_PROTOCOL_VERSIONS:
        raise UpstreamUnavailable(
            f"Server {server!r} wants MCP revision {str(version)[:40]!r}, which is not spoken here."
        )
    return result
