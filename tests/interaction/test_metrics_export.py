"""Metrics by OTLP: a collector sees what Prometheus sees, and holds nothing up."""

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager

import pytest
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.sdk.resources import Resource

from tests.interaction.caching import call, library
from tests.interaction.measuring import measured, total
from tests.interaction.otlp_metrics_receiver import (
    Labels,
    MetricsReceiver,
    receiving_metrics,
    receiving_metrics_over_grpc,
)
from tests.interaction.test_measures import every_end
from tests.interaction.test_router_process import free_port, program, until_ready
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import call_modern
from tests.interaction.workers import workers
from tests.redis_process import running_redis
from trunkline_router.adapters.otel_metrics import OtelMetrics, open_otel_metrics
from trunkline_router.configuration.metrics_export import MetricsExport
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.testing.loopback import address, free_socket

pytestmark = pytest.mark.anyio

MINUTE = 60.0
RESOURCE = Resource({"service.name": "router", "service.instance.id": "one"})


@contextmanager
def sender(url: str) -> Iterator[OtelMetrics]:
    """Send to a collector every minute; the thread ends with the block."""
    exporter = OTLPMetricExporter(endpoint=url, timeout=0.2)
    metrics = OtelMetrics(exporter, RESOURCE, MINUTE)
    try:
        yield metrics
    finally:
        metrics.close()


@pytest.mark.requirement("seeing.otlp-metrics")
async def test_a_collector_is_sent_the_numbers_that_metrics_shows() -> None:
    """Every counter, gauge and histogram of the router, with the same labels; nothing besides."""
    async with receiving_metrics() as receiver:
        with sender(receiver.url) as metrics:
            async with library(metrics=metrics) as books:
                await every_end(books)
                shown = await measured(books.one)
                await books.clock.pass_by(MINUTE, sleepers=1)
                await receiver.until(1)
                sent = receiver.samples
    known: dict[tuple[str, Labels], float] = {
        (one.name, frozenset((k, v) for k, v in one.labels.items() if v)): one.value
        for one in shown
        if not one.name.endswith("_bucket") and not one.name.startswith("process_")
    }
    assert len(known) > 60
    assert {key: sent.get(key) for key in known} == pytest.approx(known)
    assert {name for name, _ in sent.keys() - known.keys()} <= _PROCESS
    assert receiver.resources[0]["service.name"] == "router"
    assert receiver.resources[0]["service.instance.id"] == "one"


_PROCESS = frozenset({
    "process_cpu_time_seconds_total",
    "process_memory_usage_bytes",
    "process_memory_virtual_bytes",
    "process_start_time_seconds",
    "process_unix_file_descriptor_count",
    "process_unix_file_descriptor_limit",
})


@pytest.mark.requirement("seeing.otlp-metrics", "seeing.exemplars")
async def test_a_collector_is_sent_the_traces_of_buckets() -> None:
    """The ids are those of the mesh's own spans; buckets add up to the count."""
    async with receiving_metrics() as receiver:
        with sender(receiver.url) as metrics:
            async with library(metrics=metrics) as books:
                await every_end(books)
                spans = {span.span_id.to_bytes(8) for span in books.one.spans}
        await receiver.until(1)
    assert len(receiver.exemplars) >= 7
    assert {one.span_id for one in receiver.exemplars} <= spans
    for metric in receiver.metrics:
        for point in metric.histogram.data_points:
            assert sum(point.bucket_counts) == point.count
            assert len(point.bucket_counts) == len(point.explicit_bounds) + 1


@pytest.mark.requirement("seeing.otlp-metrics")
async def test_the_last_numbers_are_sent_at_the_end() -> None:
    """Those of the last call among them, though no minute has passed."""
    async with receiving_metrics() as receiver:
        with sender(receiver.url) as metrics:
            async with library(metrics=metrics) as books:
                await call(books.one, "look")
                await call(books.one, "look")
        await receiver.until(1)
    assert receiver.samples["trunkline_cache_hits_total", frozenset({("tier", "process")})] == 1


@pytest.mark.requirement("seeing.otlp-metrics")
async def test_a_collector_that_hangs_is_waited_for_by_nobody() -> None:
    """Calls are answered while it does; it gets the newest numbers and no older ones."""
    with free_socket() as hung, sender(f"{address(hung)}/v1/metrics") as metrics:
        async with library(metrics=metrics) as books:
            for _ in range(3):
                await books.clock.pass_by(MINUTE, sleepers=1)
                assert not (await call(books.one, "look")).failed
            assert total(await measured(books.one), "trunkline_server_calls_total") == 1


@pytest.mark.requirement("seeing.otlp-metrics")
@pytest.mark.parametrize(
    ("protocol", "collecting"),
    [("http/protobuf", receiving_metrics), ("grpc", receiving_metrics_over_grpc)],
)
async def test_the_process_sends_where_the_standard_variables_say(
    protocol: str, collecting: Callable[[], AbstractAsyncContextManager[MetricsReceiver]]
) -> None:
    """Now and then, and once more at its end; SIGTERM."""
    async with asyncio.timeout(60), collecting() as receiver, running(Scripted()) as url:
        port = free_port()
        more = {
            "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": receiver.url,
            "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL": protocol,
            "OTEL_METRIC_EXPORT_INTERVAL": "100",
        }
        async with program(port, url, **more) as process:
            await until_ready(process)
            await receiver.until(1)
            await call_modern(port, "act")
            process.send_signal(signal.SIGTERM)
            await process.wait()
    assert _calls(receiver) == 1
    assert receiver.resources[-1]["service.name"] == "router"
    assert len(receiver.resources[-1]["service.instance.id"]) > 30


@pytest.mark.requirement("workers.metrics")
async def test_workers_are_told_apart_also_where_their_router_has_a_name() -> None:
    """A collector would take them for one process, whose counts jump from one to the other."""
    with running_redis() as redis:
        async with asyncio.timeout(20), receiving_metrics() as receiver, running(Scripted()) as url:
            more = {
                "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": receiver.url,
                "OTEL_METRIC_EXPORT_INTERVAL": "100",
                "OTEL_RESOURCE_ATTRIBUTES": "service.instance.id=pod",
            }

            def both() -> bool:
                seen = {one["service.instance.id"] for one in receiver.resources}
                return seen == {"pod-1", "pod-2"}

            async with workers(url, redis, **more), receiver.arrived:
                await receiver.arrived.wait_for(both)


def _calls(receiver: MetricsReceiver) -> float:
    return receiver.samples["trunkline_server_calls_total", frozenset({("server", "a")})]


@pytest.mark.requirement("seeing.otlp-metrics")
async def test_a_hung_collector_does_not_hold_up_the_end() -> None:
    """Neither for its spans nor for its metrics, both of which are lost: one second for all."""
    with free_socket() as hung:
        async with asyncio.timeout(60), running(Scripted()) as url:
            port = free_port()
            more = {"OTEL_EXPORTER_OTLP_ENDPOINT": address(hung), "TRUNKLINE_FINISH_S": "0.1"}
            async with program(port, url, **more) as process:
                await until_ready(process)
                await call_modern(port, "act")
                began = time.monotonic()
                process.send_signal(signal.SIGTERM)
                await process.wait()
    assert time.monotonic() - began < 4
    assert process.returncode == 0


@pytest.mark.requirement("seeing.otlp-metrics")
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_METRICS_EXPORTER": "none"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_SDK_DISABLED": "true"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": ""},
    ],
)
def test_nothing_is_sent_where_nobody_wants_it(given: dict[str, str]) -> None:
    """Without an endpoint, or switched off."""
    assert open_otel_metrics(load(MetricsExport, given), RESOURCE) is None


@pytest.mark.parametrize(
    ("given", "protocol"),
    [
        ({}, "http/protobuf"),
        ({"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "grpc"),
        (
            {
                "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
                "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL": "http/protobuf",
            },
            "http/protobuf",
        ),
    ],
)
def test_the_protocol_of_metrics_goes_before_the_general_one(
    given: dict[str, str], protocol: str
) -> None:
    """As the specification has it."""
    assert load(MetricsExport, given).protocol == protocol


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("OTEL_METRICS_EXPORTER", "prometheus"),
        ("OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "http/json"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "0"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "soon"),
    ],
)
def test_a_variable_that_cannot_be_used_is_named(variable: str, value: str) -> None:
    """With its value."""
    with pytest.raises(ConfigurationError, match=f"{variable}='{value}'"):
        load(MetricsExport, {variable: value})
