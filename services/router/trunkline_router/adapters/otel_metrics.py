"""Sends metrics to a collector by the OpenTelemetry SDK's exporter, in a thread of its own.

Nobody waits for it: what it has not begun to send when newer numbers come is left out, and
nothing is lost by that, since each number is since the start.
"""

import logging
import threading

from opentelemetry.sdk.metrics.export import MetricExporter, MetricExportResult
from opentelemetry.sdk.resources import Resource

from trunkline_router.adapters.otel_readings import metrics_data
from trunkline_router.configuration.metrics_export import MetricsExport
from trunkline_router.measures.sender import Snapshot
from trunkline_shared.telemetry.exporters import made_for
from trunkline_shared.telemetry.outage import LastWords, Outage

log = logging.getLogger(__name__)


class OtelMetrics:
    """Sends the newest snapshot that it was given; `every_s` is how often it wants one."""

    def __init__(self, exporter: MetricExporter, resource: Resource, every_s: float) -> None:
        self.every_s = every_s
        self._exporter = exporter
        self._resource = resource
        self._next: Snapshot | None = None
        self._woken = threading.Event()
        self._ending = False
        self._outage = Outage(where="the collector", what="metrics")
        self._thread = threading.Thread(target=self._run, name="metrics", daemon=True)
        self._thread.start()

    def put(self, snapshot: Snapshot) -> None:
        """Take what is to be sent; never waits."""
        self._next = snapshot
        self._woken.set()

    def close(self) -> None:
        """Send the last of it; blocks until that is done, however long the collector takes."""
        self._ending = True
        self._woken.set()
        self._thread.join()

    def _run(self) -> None:
        ending = False
        while not ending:
            self._woken.wait()
            self._woken.clear()
            # Read before what is next: whoever ends this has put the last of it before.
            ending = self._ending
            snapshot, self._next = self._next, None
            if snapshot is not None:
                self._send(snapshot)
        self._exporter.shutdown()

    def _send(self, snapshot: Snapshot) -> None:
        try:
            result = self._exporter.export(metrics_data(snapshot, self._resource))
        except Exception:
            log.exception("metrics could not be sent")
            return
        if result is MetricExportResult.SUCCESS:
            self._outage.passed()
        else:
            self._outage.failed(LastWords.said or "it gave no reason")


def open_otel_metrics(wanted: MetricsExport, resource: Resource) -> OtelMetrics | None:
    """Return what sends metrics where the environment says so, None where it names no place.

    Raises ConfigurationError for a variable that the exporter cannot use.
    """
    if not wanted.wanted:
        return None
    with made_for("metrics"):
        exporter = _over_grpc() if wanted.protocol == "grpc" else _over_http()
    return OtelMetrics(exporter, resource, wanted.interval_ms / 1000)


def _over_http() -> MetricExporter:
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import (  # noqa: PLC0415 - only an exporting process pays
        OTLPMetricExporter,
    )

    return OTLPMetricExporter()


def _over_grpc() -> MetricExporter:
    from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import (  # noqa: PLC0415 - only who asks for it pays
        OTLPMetricExporter,
    )

    return OTLPMetricExporter()
