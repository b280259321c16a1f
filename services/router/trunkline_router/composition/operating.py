"""What operators see and do, made from one plan and from the parts that it shows."""

from dataclasses import dataclass

from trunkline_router.adapters.live_catalog import LiveCatalog
from trunkline_router.cache.cache import Cache
from trunkline_router.cache.report import CacheReport
from trunkline_router.composition.cataloguing import pins_of
from trunkline_router.composition.plan import Plan
from trunkline_router.composition.seeing import Seen, seeing_of, sends_of
from trunkline_router.edges.breakers import BreakerPage
from trunkline_router.edges.cache_page import CachePage
from trunkline_router.edges.gathered_pages import GatheredPages
from trunkline_router.edges.mesh_page import MeshPage
from trunkline_router.edges.metrics import MetricsPage
from trunkline_router.edges.operator_pages import OperatorPages
from trunkline_router.edges.server_pages import ServerPages
from trunkline_router.edges.siblings import Siblings
from trunkline_router.edges.status import Status
from trunkline_router.gathering.ledger import Ledger
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
    siblings: Siblings | None = None

    def status(self) -> Status:
        """Return the probes and the state of the mesh."""
        return Status(
            catalog=self.catalog,
            fleet=self.plan.fleet,
            protection=self.protection,
            cache=CacheReport(cache=self.cache),
            departure=self.plan.around.departure,
            complete=self._is_complete,
        )

    def pages(self) -> OperatorPages:
        """Return the pages beside that."""
        gathered = self._gathered()
        return OperatorPages(
            servers=self._server_pages(),
            cache=self._cache_page(),
            metrics=MetricsPage(self.readings if gathered is None else gathered.all_readings),
            mesh=MeshPage(
                catalog=self.catalog,
                fleet=self.plan.fleet,
                protection=self.protection,
                tokens=self.standing.tokens,
            ),
            seeing=seeing_of(
                self.plan,
                self.telemetry,
                Seen(status=self.status(), standing=self.standing, siblings=self.siblings),
            ),
            status=self.status(),
            gathered=gathered,
        )

    def _gathered(self) -> GatheredPages | None:
        """Return what puts the pages of several workers together, where there are several."""
        if self.siblings is None:
            return None
        return GatheredPages(
            siblings=self.siblings,
            ledger=Ledger(self.siblings.folder, self.siblings.number),
            readings=self.readings,
            sends=sends_of(self.plan),
        )

    def _is_complete(self) -> bool:
        seat = self.plan.around.seat
        return seat is None or seat.complete.is_set()

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
