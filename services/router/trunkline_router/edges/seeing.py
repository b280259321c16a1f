"""The pages about what happens in the router, and where its servers tell what happens in them."""

from dataclasses import dataclass

from aiohttp import web

from trunkline_router.edges.audit_page import PATH as AUDIT
from trunkline_router.edges.audit_page import AuditPage
from trunkline_router.edges.events_page import PATH as EVENTS
from trunkline_router.edges.events_page import EventsPage
from trunkline_router.edges.json_pages import not_found
from trunkline_router.edges.otlp import PATH as SPANS
from trunkline_router.edges.otlp import OtlpEndpoint
from trunkline_router.edges.series_page import PATH as SERIES
from trunkline_router.edges.series_page import SeriesPage
from trunkline_router.edges.traces_page import PATH as TRACES
from trunkline_router.edges.traces_page import TracesPage


@dataclass(frozen=True, slots=True, kw_only=True)
class SeeingPages:
    """The pages by their paths."""

    traces: TracesPage
    series: SeriesPage
    events: EventsPage
    audit: AuditPage
    spans: OtlpEndpoint

    async def handle(self, http: web.BaseRequest, path: str) -> web.StreamResponse:
        """Answer one HTTP request. Raises Refused."""
        if path == TRACES or path.startswith(f"{TRACES}/"):
            return await self.traces.handle(http, path)
        if path == SPANS:
            return await self.spans.handle(http)
        if path == EVENTS:
            return await self.events.handle(http)
        if path == SERIES:
            return self.series.handle(http)
        if path == AUDIT:
            return self.audit.handle(http)
        known = f"{TRACES}, {SERIES}, {EVENTS}, {AUDIT}, /api/cache, /api/servers/{{id}}/…"
        return not_found(f"There is nothing at {path[:200]}; there are {known}.")
