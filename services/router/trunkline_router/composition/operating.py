"""What operators see and do, made from one plan and from the parts that it shows."""

from dataclasses import dataclass

from trunkline_router.adapters.live_catalog import LiveCatalog
from trunkline_router.cache.cache import Cache
from trunkline_router.cache.report import CacheReport
from trunkline_router.composition.cataloguing import pins_of
from trunkline_router.composition.plan import Plan
from trunkline_router.composition.seeing import seeing_of
from trunkline_router.edges.breakers import BreakerPage
from trunkline_router.edges.cache_page import CachePage
from trunkline_router.edges.mesh_page import MeshPage
from trunkline_router.edges.metrics import MetricsPage
from trunkline_router.edges.operator_pages import OperatorPages
from trunkline_router.edges.server_pages import ServerPages
from trunkline_router.edges.status import Status
from trunkline_router.protection.protection import Protection
from trunkline_router.readings.readings import Readings
from trunkline_router.standing import Standing
from trunkline_router.telemetry.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Operating:
    """The parts of a router that its operators look at."""

    plan: Plan
    catalog: LiveCatalog
    protection: Protection
    cache: Cache
    standing: Standing
    telemetry: Telemetry
    readings: Readings

    def status(self) -> Status:
        """Return the probes and the state of the mesh."""
        return Status(
            catalog=self.catalog,
            fleet=self.plan.fleet,
            protection=self.protection,
            cache=CacheReport(cache=self.cache),
            departure=self.plan.around.departure,
        )

    def pages(self) -> OperatorPages:
        """Return the pages beside that."""
        return OperatorPages(
            servers=self._server_pages(),
            cache=self._cache_page(),
            metrics=MetricsPage(self.readings),
            mesh=MeshPage(
                catalog=self.catalog,
                fleet=self.plan.fleet,
                protection=self.protection,
                tokens=self.standing.tokens,
            ),
            seeing=seeing_of(self.plan, self.telemetry, self.status(), self.standing),
        )

    def _cache_page(self) -> CachePage:
        return CachePage(
            report=CacheReport(cache=self.cache),
            bumps=self.cache.bumps,
            feed=self.cache.feed,
            catalog=self.catalog,
            standing=self.standing,
            limits=self.plan.limits,
        )

    def _server_pages(self) -> ServerPages:
        tokens, clock = self.standing.tokens, self.plan.clock
        return ServerPages(
            fleet=self.plan.fleet,
            pages={
                "pins": pins_of(self.plan, self.catalog, tokens),
                "breaker": BreakerPage(
                    breakers=self.protection.breakers, tokens=tokens, clock=clock
                ),
            },
        )
