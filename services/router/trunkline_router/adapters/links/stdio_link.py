"""A server that runs as our child; which revision it speaks is found out with its first process."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from yarl import URL

from trunkline_router.adapters.links.client import ROUTER
from trunkline_router.adapters.links.connection import Connector, HandshakeRefused, SessionLost
from trunkline_router.adapters.links.either_session import open_either, open_modern
from trunkline_router.adapters.links.legacy_link import LegacyLink
from trunkline_router.adapters.links.link_tasks import LinkTasks, joined
from trunkline_router.adapters.links.parking import Parking
from trunkline_router.adapters.links.server_session import ServerSession, open_session
from trunkline_router.adapters.links.server_sessions import ServerSessions, SessionTerms
from trunkline_router.link import Link, Post, Reply, SessionEnd
from trunkline_shared.clock import Clock
from trunkline_shared.errors import UpstreamTimeout, UpstreamUnavailable

log = logging.getLogger(__name__)

CHILDREN = SessionTerms(most=16, idle_s=3600.0, open_s=60.0)
"""A child may have to be downloaded first, and what it remembers is worth keeping for long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModernStdio:
    """A child that speaks 2026-07-28: one for all callers, as it keeps nothing of any."""

    sessions: ServerSessions

    @property
    def url(self) -> URL:
        return self.sessions.connector.url

    async def perform(self, post: Post) -> Reply:
        for _ in range(2):
            with suppress(SessionLost):
                return await self._asked(post)
        raise UpstreamUnavailable(f"Server {post.server!r} was let go of at once.")

    def abandon(self, state: str) -> None:
        """Nothing waits: a server of this revision keeps what it needs in the state."""

    async def close(self) -> None:
        await self.sessions.close()

    async def _asked(self, post: Post) -> Reply:
        session = await self.sessions.of(ROUTER)
        pending = session.begin(post)
        try:
            reply = await pending.follow(post.channel)
        except asyncio.CancelledError:
            session.give_up(pending, "Nobody waits for it any more.")
            raise
        finally:
            session.done(pending)
        assert reply is not None, "a server of this revision asks in its results only"
        return reply


@dataclass(slots=True, kw_only=True)
class StdioLink:
    """Finds out once what the server speaks, and again when it refuses to."""

    server: str
    connector: Connector
    clock: Clock
    background: LinkTasks
    parking: Parking
    terms: SessionTerms = CHILDREN
    ends: Sequence[Callable[[SessionEnd], object]] = ()
    _link: Link | None = None
    _finding: "asyncio.Task[Link] | None" = None

    @property
    def url(self) -> URL:
        return self.connector.url

    async def perform(self, post: Post) -> Reply:
        link = self._link or await self._found()
        try:
            return await link.perform(post)
        except HandshakeRefused:
            log.info("%s takes part in its handshake no more", self.server)
        if self._link is link:
            # Only by the first to notice: what has been found since is not to be closed.
            self._link = None
            await link.close()
        try:
            return await (await self._found()).perform(post)
        except HandshakeRefused:
            raise self._no_server() from None

    def abandon(self, state: str) -> None:
        if self._link is not None:
            self._link.abandon(state)

    async def close(self) -> None:
        if self._link is not None:
            await self._link.close()
        await self.background.close()

    async def _found(self) -> Link:
        if self._finding is None:
            self._finding = self.background.start(self._find())
        return await joined(self._finding)

    async def _find(self) -> Link:
        try:
            async with asyncio.timeout(self.terms.open_s):
                session = await open_either(self.connector, self.server, self.background)
            self._link = self._adopting(session)
        except HandshakeRefused:
            raise self._no_server() from None
        except TimeoutError:
            raise UpstreamTimeout(
                f"Server {self.server!r} did not start in {self.terms.open_s:g} s."
            ) from None
        finally:
            self._finding = None
        return self._link

    def _no_server(self) -> UpstreamUnavailable:
        return UpstreamUnavailable(
            f"Server {self.server!r} understands neither server/discover nor initialize.",
            hint=f"Whoever runs the mesh looks whether servers.{self.server}.command starts an "
            "MCP server that speaks on its standard streams.",
        )

    def _adopting(self, session: ServerSession) -> Link:
        sessions = ServerSessions(
            server=self.server,
            connector=self.connector,
            clock=self.clock,
            terms=self.terms,
            background=self.background,
            opened=open_modern if session.modern else open_session,
            ends=self.ends,
        )
        sessions.adopt(ROUTER, session)
        if session.modern:
            return ModernStdio(sessions=sessions)
        return LegacyLink(sessions=sessions, parking=self.parking, background=self.background)
