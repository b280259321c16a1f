"""`/api/events` on HTTP: what happens, as server-sent events, for as long as somebody may look."""

import asyncio
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from trunkline_router.edges.json_pages import method_not_allowed
from trunkline_router.edges.status import Status
from trunkline_router.identity.bearer import bearer_of
from trunkline_router.identity.scopes import OBSERVE, require
from trunkline_router.model import Json, Limits
from trunkline_router.standing import Standing
from trunkline_router.telemetry.listener import Listener, event
from trunkline_router.telemetry.telemetry import Telemetry
from trunkline_router.wire.channel import EventStream
from trunkline_router.wire.refusal import Refused

PATH: Final = "/api/events"
_KEEP_ALIVE_S = 15.0
_KEEP_ALIVE = b": keep-alive\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsPage:
    """Streams calls, and how the mesh stands."""

    telemetry: Telemetry
    status: Status
    standing: Standing
    limits: Limits

    async def handle(self, http: web.BaseRequest) -> web.StreamResponse:
        """Answer one HTTP request. Raises Refused."""
        if http.method != "GET":
            return method_not_allowed(f"{PATH} takes GET only.", "GET")
        bearer = bearer_of(http.headers)
        caller = await self.standing.tokens.verify(bearer)
        require(caller, OBSERVE)
        stream = EventStream(http, stall_s=self.limits.stall_s)
        try:
            await self.standing.keep(bearer, caller, self._tell(stream))
        except Refused as refusal:
            if stream.response is None:
                raise
            await stream.write(event(b"refused", {"error": refusal.message}))
        await stream.write(b"")
        assert stream.response is not None
        return stream.response

    async def _tell(self, stream: EventStream) -> None:
        listener = Listener()
        with self.telemetry.feed.heard_by(listener, self._state):
            while True:
                await stream.write(await _next(listener))

    def _state(self) -> Json:
        stands = self.status.to_json()
        told = {name: stands[name] for name in ("servers", "cache", "quota")}
        return {**told, "point": self.telemetry.series.latest()}


async def _next(listener: Listener) -> bytes:
    """Wait for news; return what to write in case it takes long."""
    try:
        async with asyncio.timeout(_KEEP_ALIVE_S):
            await listener.filled.wait()
    except TimeoutError:
        return _KEEP_ALIVE
    return listener.take()
