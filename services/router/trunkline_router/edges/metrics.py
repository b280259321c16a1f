"""`/metrics` for Prometheus: read off the router's own counters when somebody asks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from aiohttp import web
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    InfoMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.registry import Collector

from trunkline_router.cache.report import CacheReport
from trunkline_router.catalogue.lists import OWN_INFO
from trunkline_router.edges.json_pages import method_not_allowed
from trunkline_router.fleet import Fleet
from trunkline_router.protection.breaker import State
from trunkline_router.protection.protection import Protection

PATH: Final = "/metrics"


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """Whose counters are shown."""

    cache: CacheReport
    fleet: Fleet
    protection: Protection


class MetricsPage:
    """Shows the counters in the format that is asked for: Prometheus 0.0.4, or OpenMetrics."""

    def __init__(self, observed: Observed) -> None:
        # A registry of its own: several routers may run in one process.
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(_Router(observed))
        ProcessCollector(registry=self._registry)

    def handle(self, http: web.BaseRequest) -> web.Response:
        if http.method not in {"GET", "HEAD"}:
            return method_not_allowed(f"{PATH} takes GET only.", "GET", "HEAD")
        encode, content_type = choose_encoder(http.headers.get("Accept", ""))
        return web.Response(body=encode(self._registry), headers={"Content-Type": content_type})


class _Router(Collector):
    """Reads everything anew each time: nothing is counted twice, and no call pays for it."""

    def __init__(self, observed: Observed) -> None:
        self._observed = observed

    def collect(self) -> Iterator[Metric]:
        version = {"version": str(OWN_INFO["version"])}
        yield InfoMetricFamily("trunkline_build", "The router that runs.", version)
        yield from _of_cache(self._observed.cache)
        yield from _of_calls(self._observed.fleet)
        yield from _of_servers(self._observed)
        yield from _of_quotas(self._observed)


def _of_cache(report: CacheReport) -> Iterator[Metric]:
    counters = report.cache.counters
    hits = CounterMetricFamily(
        "trunkline_cache_hits", "Reads answered by what was kept, by where.", labels=["tier"]
    )
    hits.add_metric(["process"], counters.process_hits)
    hits.add_metric(["shared"], counters.shared_hits)
    yield hits
    for name, value, help_ in (
        ("coalesced", counters.coalesced, "Reads answered by one that was underway."),
        (
            "stale",
            counters.stale,
            "Reads answered by what was over, since no better was to be had.",
        ),
        ("misses", counters.misses, "Reads that were asked of their server."),
        ("passed", counters.passed, "Reads passed on since what is current could not be told."),
        ("stores", counters.kept, "Answers that were kept."),
        ("bumps", counters.bumps, "Times that tags were bumped by this router."),
        ("saved_calls", counters.saved, "Calls that their server was not asked."),
        ("saved_quota", counters.quota_saved, "Requests that vendors were not asked."),
    ):
        yield CounterMetricFamily(f"trunkline_cache_{name}", help_, value=value)
    yield from _of_memory(report)


def _of_memory(report: CacheReport) -> Iterator[Metric]:
    process, standing = report.cache.process, report.standing()
    for name, value, help_ in (
        ("on", bool(standing["on"]), "Whether anything that is kept may be used."),
        ("routers", standing["routers"], "Routers that share what is kept, this one included."),
        ("silent_routers", standing["silent"], "Those of them that are not heard."),
        ("entries", len(process), "Answers that are kept in the process."),
        ("bytes", process.used, "Bytes that they take."),
        ("limit_bytes", process.most(), "Bytes that they may take."),
        ("in_flight", len(report.cache.reading.flights), "Reads underway that others may join."),
    ):
        yield GaugeMetricFamily(f"trunkline_cache_{name}", help_, value=_number(value))


def _of_calls(fleet: Fleet) -> Iterable[Metric]:
    calls = CounterMetricFamily(
        "trunkline_server_calls", "Calls that were sent to a server.", labels=["server"]
    )
    failures = CounterMetricFamily(
        "trunkline_server_failures",
        "Those that it did not answer: not reached, too late, or broken off.",
        labels=["server"],
    )
    seconds = SummaryMetricFamily(
        "trunkline_server_duration_seconds", "How long its answers took.", labels=["server"]
    )
    for server, member in fleet.items():
        vitals = member.vitals
        calls.add_metric([server], vitals.calls)
        failures.add_metric([server], vitals.failures)
        seconds.add_metric([server], vitals.timed, vitals.seconds)
    return calls, failures, seconds


def _of_servers(observed: Observed) -> Iterable[Metric]:
    protection = observed.protection
    available, in_flight, queued = (
        GaugeMetricFamily(f"trunkline_server_{name}", help_, labels=["server"])
        for name, help_ in (
            ("available", "Whether it answers, and calls reach it."),
            ("in_flight", "Calls that it is making."),
            ("queued", "Calls that wait for a slot of it."),
        )
    )
    breaker = GaugeMetricFamily(
        "trunkline_server_breaker_state",
        "1 for the state that its breaker is in.",
        labels=["server", "state"],
    )
    for server, member in observed.fleet.items():
        is_available = member.vitals.available and protection.admits(server)
        available.add_metric([server], float(is_available))
        in_flight.add_metric([server], member.vitals.in_flight)
        queued.add_metric([server], protection.bulkheads.queued(server))
        now = protection.breakers.of(server).breaker.state
        for state in State:
            breaker.add_metric([server, state.value], float(state is now))
    return available, in_flight, queued, breaker


def _of_quotas(observed: Observed) -> Iterable[Metric]:
    labels = ["credential", "resource"]
    left = GaugeMetricFamily(
        "trunkline_quota_remaining",
        "Requests that a vendor still takes of a credential, by its fingerprint.",
        labels=labels,
    )
    limit = GaugeMetricFamily("trunkline_quota_limit", "Requests that it takes.", labels=labels)
    for quota in observed.cache.quota(observed.protection.quota()):
        names = [str(quota[label]) for label in labels]
        left.add_metric(names, _number(quota.get("remaining", 0)))
        if quota.get("limit") is not None:
            limit.add_metric(names, _number(quota["limit"]))
    return left, limit


def _number(value: object) -> float:
    """Return a number; of several things how many there are."""
    if isinstance(value, int | float):
        return float(value)
    return float(len(value)) if isinstance(value, list | tuple | set | dict) else 0.0
