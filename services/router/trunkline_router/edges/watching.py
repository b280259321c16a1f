"""The event streams of operators' pages: for whoever may observe, for as long as he may."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from aiohttp import web

from trunkline_router.identity.bearer import bearer_of
from trunkline_router.identity.scopes import OBSERVE, require
from trunkline_router.model import Limits
from trunkline_router.standing import Standing
from trunkline_router.wire.channel import EventStream
from trunkline_router.wire.event import KEEP_ALIVE, KEEP_ALIVE_S, named_event
from trunkline_router.wire.refusal import Refused

Tell = Callable[[EventStream], Coroutine[Any, Any, object]]
"""Writes what happens to a stream, until cancelled."""


async def watched(
    http: web.BaseRequest, tell: Tell, *, standing: Standing, limits: Limits
) -> web.StreamResponse:
    """Answer by a stream; one that has begun says at its end why its caller may watch no more.

    Raises Refused for a caller who may not watch at all.
    """
    bearer = bearer_of(http.headers)
    caller = await standing.tokens.verify(bearer)
    require(caller, OBSERVE)
    stream = EventStream(http, stall_s=limits.stall_s)
    try:
        await standing.keep(bearer, caller, tell(stream))
    except Refused as refusal:
        if stream.response is None:
            raise
        await stream.write(named_event(b"refused", {"error": refusal.message}))
    await stream.write(b"")
    assert stream.response is not None
    return stream.response


async def news(filled: asyncio.Event) -> bytes:
    """Wait until something waits to be told; return what to write in case that takes long."""
    try:
        async with asyncio.timeout(KEEP_ALIVE_S):
            await filled.wait()
    except TimeoutError:
        return KEEP_ALIVE
    return b""
