"""A collector on a socket that keeps the newest metrics, named as Prometheus would name them."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.metrics.v1.metrics_pb2 import Exemplar, Metric

from tests.interaction.otlp_transport import exported, posted

Labels = frozenset[tuple[str, str]]
_UNITS = {"s": "_seconds", "By": "_bytes"}


@dataclass(kw_only=True)
class MetricsReceiver:
    """What has arrived: `resources` tell who sent each batch, `metrics` are of the newest one."""

    url: str = ""
    resources: list[Mapping[str, str]] = field(default_factory=list)
    metrics: list[Metric] = field(default_factory=list)
    arrived: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def until(self, batches: int) -> None:
        """Wait until so many batches have come."""
        async with self.arrived:
            await self.arrived.wait_for(lambda: len(self.resources) >= batches)

    @property
    def samples(self) -> dict[tuple[str, Labels], float]:
        """Numbers, counts and sums, by name and labels."""
        return {key: value for metric in self.metrics for key, value in _samples(metric)}

    @property
    def exemplars(self) -> list[Exemplar]:
        points = (one for metric in self.metrics for one in metric.histogram.data_points)
        return [exemplar for point in points for exemplar in point.exemplars]

    async def put(self, body: bytes, _: Mapping[str, str]) -> None:
        """Keep what one request brought."""
        sent = ExportMetricsServiceRequest.FromString(body)
        async with self.arrived:
            for resource in sent.resource_metrics:
                self.resources.append(dict(_read(resource.resource.attributes)))
                self.metrics = [one for scope in resource.scope_metrics for one in scope.metrics]
            self.arrived.notify_all()


def _read(attributes: Iterable[KeyValue]) -> Iterator[tuple[str, str]]:
    for one in attributes:
        yield one.key, one.value.string_value


def _samples(metric: Metric) -> Iterator[tuple[tuple[str, Labels], float]]:
    kind = metric.WhichOneof("data")
    name = metric.name.replace(".", "_")
    suffix = _UNITS.get(metric.unit, "")
    name = name if name.endswith(suffix) else name + suffix
    if kind == "histogram":
        for spread in metric.histogram.data_points:
            labels = _labels(spread.attributes)
            yield (f"{name}_count", labels), spread.count
            yield (f"{name}_sum", labels), spread.sum
        return
    is_total = kind == "sum" and metric.sum.is_monotonic
    for point in (metric.sum if kind == "sum" else metric.gauge).data_points:
        number = point.as_double if point.HasField("as_double") else float(point.as_int)
        yield (f"{name}_total" if is_total else name, _labels(point.attributes)), number


def _labels(attributes: Iterable[KeyValue]) -> Labels:
    return frozenset((key.replace(".", "_"), value) for key, value in _read(attributes))


@asynccontextmanager
async def receiving_metrics() -> AsyncIterator[MetricsReceiver]:
    """Listen on a port of the loopback for the block's length."""
    receiver = MetricsReceiver()
    async with posted("/v1/metrics", receiver.put) as base:
        receiver.url = f"{base}/v1/metrics"
        yield receiver


@asynccontextmanager
async def receiving_metrics_over_grpc() -> AsyncIterator[MetricsReceiver]:
    """Listen for gRPC on a free port of the loopback for the block's length."""
    receiver = MetricsReceiver()
    async with exported("metrics.v1.MetricsService", receiver.put) as receiver.url:
        yield receiver
