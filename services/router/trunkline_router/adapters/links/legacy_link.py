"""A server of an older revision as the pipeline's end: asked in the words of 2026-07-28."""

import asyncio
from dataclasses import dataclass, field
from http import HTTPStatus

from mcp_types.jsonrpc import URL_ELICITATION_REQUIRED
from yarl import URL

from trunkline_router.adapters.links.client import ROUTER, Client
from trunkline_router.adapters.links.connection import Misunderstood, SessionLost
from trunkline_router.adapters.links.link_tasks import LinkTasks
from trunkline_router.adapters.links.parking import Parking, deliver, input_required
from trunkline_router.adapters.links.pending import Pending
from trunkline_router.adapters.links.server_session import ASKING, ServerSession
from trunkline_router.adapters.links.server_sessions import ServerSessions
from trunkline_router.adapters.links.server_subscriptions import ServerSubscriptions
from trunkline_router.adapters.links.translation import (
    asked_capabilities,
    discovered,
    meta_of,
    modern_reply,
)
from trunkline_router.link import Post, Reply
from trunkline_router.model import Json, JsonRpcError
from trunkline_router.wire.refusal import Refused
from trunkline_shared.errors import UpstreamUnavailable

_LISTEN = "subscriptions/listen"


@dataclass(frozen=True, slots=True, kw_only=True)
class LegacyLink:
    """Sends each request over the session of its caller."""

    sessions: ServerSessions
    parking: Parking
    background: LinkTasks
    subscriptions: ServerSubscriptions = field(default_factory=ServerSubscriptions)

    @property
    def url(self) -> URL:
        return self.sessions.connector.url

    async def open(self) -> None:
        """Shake hands for the router itself; raises as `perform`."""
        await self.sessions.of(ROUTER)

    async def perform(self, post: Post) -> Reply:
        """Send and read to the end.

        Raises HandshakeRefused when the server takes part in no handshake (any more), and
        Misunderstood when it refuses the request as one of another era would.
        """
        state = post.params.get("requestState")
        if isinstance(state, str) and post.method in ASKING:
            try:
                parked = self.parking.taken(post, state)
            except Refused as refusal:
                return _refused(refusal)
            if parked is not None:
                parked.pending.taken_up(meta_of(post.params))
                deliver(parked, post.params.get("inputResponses"))
                return await self._followed(parked.session, parked.pending, post)
        return await self._asked(post)

    def abandon(self, state: str) -> None:
        self.parking.abandon(state)

    async def close(self) -> None:
        await self.sessions.close()
        await self.background.close()

    async def _asked(self, post: Post) -> Reply:
        """Ask, and once more where the session turns out to be lost: nothing was executed then."""
        client = (
            Client(partition=post.partition, capabilities=asked_capabilities(post.params))
            if post.partition
            else ROUTER
        )
        for _ in range(2):
            session = await self.sessions.of(client)
            try:
                return await self._over(session, post)
            except SessionLost:
                self.sessions.lose(session)
        raise UpstreamUnavailable(f"Server {post.server!r} forgets its sessions at once.")

    async def _over(self, session: ServerSession, post: Post) -> Reply:
        if post.method == "server/discover":
            return Reply(result=discovered(session.initialized))
        if post.method == _LISTEN:
            return await self.subscriptions.listen(session, post)
        await session.lower_level(post)
        return await self._followed(session, session.begin(post), post)

    async def _followed(self, session: ServerSession, pending: Pending, post: Post) -> Reply:
        try:
            reply = await pending.follow(post.channel)
        except asyncio.CancelledError:
            session.give_up(pending, "Nobody waits for it any more.")
            raise
        except BaseException:
            session.done(pending)
            raise
        if reply is None:
            return self.parking.park(session, pending, post)
        session.done(pending)
        if reply.error is not None and reply.error.code == URL_ELICITATION_REQUIRED:
            return self._sent_elsewhere(post, reply.error)
        completed = modern_reply(post, reply)
        if reply.error is not None and reply.error.status >= HTTPStatus.BAD_REQUEST:
            raise Misunderstood(completed)
        return completed

    def _sent_elsewhere(self, post: Post, error: JsonRpcError) -> Reply:
        """Ask for what has to be done at some URL first; the request is then made once more."""
        data = error.data if isinstance(error.data, dict) else {}
        given = data.get("elicitations")
        asked: Json = {
            f"elicitation-{number}": {"method": "elicitation/create", "params": params}
            for number, params in enumerate(given if isinstance(given, list) else [], 1)
            if isinstance(params, dict)
        }
        return Reply(result=input_required(asked, self.parking.sealed(post, "")))


def _refused(refusal: Refused) -> Reply:
    return Reply(error=JsonRpcError(code=refusal.code, message=refusal.message, status=400))
