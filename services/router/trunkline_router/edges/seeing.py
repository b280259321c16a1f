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
from trunkline_router.edges.tokens_page import PATH as TOKENS
from trunkline_router.edges.tokens_page import TokensPage
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
    tokens: TokensPage

    async def handle(self, http: web.BaseRequest, path: str) -> web.StreamResponse:
        """Answer one HTTP request. Raises Refused."""
        if path == TRACES or path.startswith(f"{TRACES}/"):
            return await self.traces.handle(http, path)
        if path == SPANS:
            return await self.spans.handle(http)
        if path == SERIES:
            return await self.series.handle(http)
        if path == EVENTS:
            return await self.events.handle(http)
        page = {AUDIT: self.audit.handle, TOKENS: self.tokens.handle}.get(path)
        if page is not None:
            return page(http)
        known = f"{TRACES}, {SERIES}, {TOKENS}, {EVENTS}, {AUDIT}"
        return not_found(
            f"There is nothing at {path[:200]}; there are {known}, /api/cache, "
            "/api/mesh, /api/servers/{id}/…."
        )
