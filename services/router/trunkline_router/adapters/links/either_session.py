"""The first words to a child: `server/discover`, and `initialize` when it is not understood."""

import asyncio

from trunkline_router.adapters.links.client import ROUTER, Client
from trunkline_router.adapters.links.connection import Connector, HandshakeRefused
from trunkline_router.adapters.links.discovery import DISCOVER, discover_params, is_modern
from trunkline_router.adapters.links.link_tasks import LinkTasks
from trunkline_router.adapters.links.server_session import (
    ServerSession,
    connected,
    handshaken,
    open_session,
)
from trunkline_router.link import Reply
from trunkline_router.model import Json
from trunkline_shared.errors import NetworkError

_SILENT_S = 10.0
"""Some servers never answer a method that they do not know; a slow start is no shorter."""


async def open_either(connector: Connector, server: str, background: LinkTasks) -> ServerSession:
    """Return a session of the revision that the server speaks.

    Raises NeverSent, HandshakeRefused, TrunklineError.
    """
    session = await connected(connector, server, ROUTER, background)
    try:
        if await _is_modern(session):
            return session
        return await handshaken(session)
    except NetworkError:
        await session.close()
        # Some servers end at once when they are not greeted first.
        return await open_session(connector, server, ROUTER, background)
    except BaseException:
        await session.close()
        raise


async def open_modern(
    connector: Connector, server: str, client: Client, background: LinkTasks
) -> ServerSession:
    """Return a session with a server that has been found to speak 2026-07-28; raises as above."""
    session = await connected(connector, server, client, background)
    try:
        await _must_be_modern(session)
    except BaseException:
        await session.close()
        raise
    return session


async def _must_be_modern(session: ServerSession) -> None:
    if not await _is_modern(session):
        raise HandshakeRefused(0)


async def _is_modern(session: ServerSession) -> bool:
    try:
        async with asyncio.timeout(_SILENT_S):
            reply = await session.request(DISCOVER, discover_params())
    except TimeoutError:
        return False
    session.modern = is_modern(_message(reply))
    return session.modern


def _message(reply: Reply) -> Json:
    if reply.error is not None:
        return {"error": {"code": reply.error.code, "data": reply.error.data}}
    return {"result": reply.result}
