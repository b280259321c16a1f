"""`/metrics` for Prometheus: read off the router's own counters when somebody asks."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from aiohttp import web
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from trunkline_router.edges.exposition import families
from trunkline_router.edges.json_pages import method_not_allowed
from trunkline_router.measures.instrument import Reading

PATH: Final = "/metrics"


class MetricsPage:
    """Shows all instruments in the format that is asked for: Prometheus 0.0.4, or OpenMetrics."""

    def __init__(self, readings: Callable[[], Sequence[Reading]]) -> None:
        # A registry of its own: several routers may run in one process.
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(_Router(readings))

    def handle(self, http: web.BaseRequest) -> web.Response:
        if http.method not in {"GET", "HEAD"}:
            return method_not_allowed(f"{PATH} takes GET only.", "GET", "HEAD")
        encode, content_type = choose_encoder(http.headers.get("Accept", ""))
        return web.Response(body=encode(self._registry), headers={"Content-Type": content_type})


class _Router(Collector):
    """Reads when it is asked; nothing is read to find out which metrics there are."""

    def __init__(self, readings: Callable[[], Sequence[Reading]]) -> None:
        self._readings = readings

    def describe(self) -> Sequence[Metric]:
        return ()

    def collect(self) -> Iterator[Metric]:
        return families(self._readings())
