"""What is seen and changed beside `/status`: the pages below `/api`, and the metrics."""

from dataclasses import dataclass

from aiohttp import web

from trunkline_router.edges.cache_page import PATH as CACHE
from trunkline_router.edges.cache_page import CachePage
from trunkline_router.edges.mesh_page import PATH as MESH
from trunkline_router.edges.mesh_page import MeshPage
from trunkline_router.edges.metrics import PATH as METRICS
from trunkline_router.edges.metrics import MetricsPage
from trunkline_router.edges.otlp import PATH as SPANS
from trunkline_router.edges.seeing import SeeingPages
from trunkline_router.edges.server_pages import PREFIX, ServerPages


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorPages:
    """The pages by their paths."""

    servers: ServerPages
    cache: CachePage
    metrics: MetricsPage
    mesh: MeshPage
    seeing: SeeingPages

    @staticmethod
    def have(path: str) -> bool:
        """Say whether a path is one of theirs."""
        return path in {METRICS, SPANS} or path.startswith("/api/")

    async def handle(self, http: web.BaseRequest, path: str) -> web.StreamResponse:
        """Answer one HTTP request. Raises Refused for a caller who may not."""
        if path == METRICS:
            return await self.metrics.handle(http)
        if path == MESH:
            return await self.mesh.handle(http)
        if path.startswith(PREFIX):
            return await self.servers.handle(http, path)
        if path == CACHE or path.startswith(f"{CACHE}/"):
            return await self.cache.handle(http, path)
        return await self.seeing.handle(http, path)
