"""`/api/events` on HTTP: what happens, as server-sent events, for as long as somebody may look."""

from dataclasses import dataclass
from typing import Final

from aiohttp import web

from trunkline_router.edges.json_pages import method_not_allowed
from trunkline_router.edges.others import Others
from trunkline_router.edges.status import Status
from trunkline_router.edges.watching import news, watched
from trunkline_router.model import Json, Limits
from trunkline_router.standing import Standing
from trunkline_router.telemetry.listener import Listener
from trunkline_router.telemetry.live_feed import Seen, as_it_is
from trunkline_router.telemetry.telemetry import Telemetry
from trunkline_router.wire.channel import EventStream

PATH: Final = "/api/events"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsPage:
    """Streams calls, and how the mesh stands; with `others` those of other workers as well."""

    telemetry: Telemetry
    status: Status
    standing: Standing
    limits: Limits
    others: Others | None = None

    async def handle(self, http: web.BaseRequest) -> web.StreamResponse:
        """Answer one HTTP request. Raises Refused."""
        if http.method != "GET":
            return method_not_allowed(f"{PATH} takes GET only.", "GET")
        return await watched(http, self._tell, standing=self.standing, limits=self.limits)

    async def _tell(self, stream: EventStream) -> None:
        listener = Listener()
        if self.others is None:
            await self._write(stream, listener)
            return
        async with self.others.heard_by(listener) as heard:
            await self._write(stream, listener, heard.with_own)

    async def told(self, http: web.BaseRequest) -> web.StreamResponse:
        """Stream what happens in this worker to another one."""
        stream = EventStream(http, stall_s=self.limits.stall_s)
        await self._write(stream, Listener())
        assert stream.response is not None
        return stream.response

    async def _write(self, stream: EventStream, listener: Listener, seen: Seen = as_it_is) -> None:
        with self.telemetry.feed.heard_by(listener, self._state, seen):
            while True:
                waited = await news(listener.filled)
                await stream.write(waited or listener.take())

    def _state(self) -> Json:
        stands = self.status.to_json()
        told = {name: stands[name] for name in ("servers", "cache", "quota")}
        return {**told, "point": self.telemetry.series.latest()}
