"""What a worker tells the others: its own part of each page, and of what happens."""

from dataclasses import dataclass

from aiohttp import web

from trunkline_router.edges.events_page import PATH as EVENTS
from trunkline_router.edges.gathered_pages import READINGS, GatheredPages
from trunkline_router.edges.json_pages import json_text
from trunkline_router.edges.operator_pages import OperatorPages
from trunkline_router.edges.siblings import SPANS
from trunkline_router.wire.refusal import Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerPages:
    """Answers siblings, who have asked whether their caller may see it."""

    own: OperatorPages
    gathered: GatheredPages

    async def __call__(self, http: web.BaseRequest) -> web.StreamResponse:
        path = http.path
        try:
            if path == READINGS:
                return json_text(await self.gathered.own_readings())
            if path == SPANS:
                await self.own.seeing.spans.told(http)
                return json_text(b"{}")
            if path == EVENTS:
                return await self.own.seeing.events.told(http)
            return await self.own.alone(http, path)
        except Refused as refusal:
            return json_text(b"{}", refusal.status or web.HTTPBadRequest.status_code)
