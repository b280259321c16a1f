"""What is seen and changed beside `/status`: the pages below `/api`, and the metrics."""

from dataclasses import dataclass

from aiohttp import web

from trunkline_router.edges.cache_page import PATH as CACHE
from trunkline_router.edges.cache_page import CachePage
from trunkline_router.edges.gathered_pages import GatheredPages
from trunkline_router.edges.json_pages import method_not_allowed
from trunkline_router.edges.mesh_page import PATH as MESH
from trunkline_router.edges.mesh_page import MeshPage
from trunkline_router.edges.metrics import PATH as METRICS
from trunkline_router.edges.metrics import MetricsPage
from trunkline_router.edges.otlp import PATH as SPANS
from trunkline_router.edges.seeing import SeeingPages
from trunkline_router.edges.server_pages import PREFIX, ServerPages
from trunkline_router.edges.status import PATH as STATUS
from trunkline_router.edges.status import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorPages:
    """The pages by their paths; of several workers those that are `gathered` show all of them."""

    servers: ServerPages
    cache: CachePage
    metrics: MetricsPage
    mesh: MeshPage
    seeing: SeeingPages
    status: Status
    gathered: GatheredPages | None = None

    @staticmethod
    def have(path: str) -> bool:
        """Say whether a path is one of theirs."""
        return path in {METRICS, SPANS, STATUS} or path.startswith("/api/")

    async def handle(self, http: web.BaseRequest, path: str) -> web.StreamResponse:
        """Answer one HTTP request. Raises Refused for a caller who may not."""
        own = await self.alone(http, path)
        if self.gathered is None or path == METRICS or not self.gathered.covers(http, path):
            return own
        return await self.gathered.gathered(http, path, own)

    async def alone(self, http: web.BaseRequest, path: str) -> web.StreamResponse:
        """Answer with what this process knows by itself. Raises Refused."""
        if path == STATUS:
            return self._status(http)
        if path == METRICS:
            return await self.metrics.handle(http)
        if path == MESH:
            return await self.mesh.handle(http)
        return await self._below(http, path)

    async def _below(self, http: web.BaseRequest, path: str) -> web.StreamResponse:
        if path.startswith(PREFIX):
            return await self.servers.handle(http, path)
        if path == CACHE or path.startswith(f"{CACHE}/"):
            return await self.cache.handle(http, path)
        return await self.seeing.handle(http, path)

    def _status(self, http: web.BaseRequest) -> web.Response:
        if http.method not in {"GET", "HEAD"}:
            return method_not_allowed(f"{STATUS} takes GET only.", "GET", "HEAD")
        return self.status.status()
