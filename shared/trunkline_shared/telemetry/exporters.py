"""Where spans go: to the operator's collector, and to the router of the mesh.

What only an exporting process needs is imported there; gRPC alone takes 14 MB.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from opentelemetry.sdk.trace.export import SpanExporter

from trunkline_shared.settings import ConfigurationError
from trunkline_shared.telemetry.counted_queue import CountedQueue
from trunkline_shared.telemetry.outage import LastWords, Outage, Watched
from trunkline_shared.telemetry.sending import Sending
from trunkline_shared.telemetry.settings import TelemetrySettings

ROUTER_DELAY_MS = 100
_ROUTER_QUEUE = 8192
_ROUTER_BATCH = 512
_EXPORT_MS = 2_000


def to_collector(settings: TelemetrySettings) -> Sending:
    """Return what sends spans to the collector; OTEL_EXPORTER_OTLP_* and OTEL_BSP_* say how.

    Raises ConfigurationError for a variable that the exporter cannot use.
    """
    with made_for("traces"):
        exporter = _over_grpc() if settings.protocol == "grpc" else _over_http()
    outage = Outage(where=f"the collector at {_shown(settings)}")
    return CountedQueue(Watched(exporter=exporter, outage=outage), settings.queue)


@contextmanager
def made_for(what: str) -> Iterator[None]:
    """Make an exporter of the SDK in the block, whose complaints are ours from then on.

    Raises ConfigurationError for a variable that it cannot use.
    """
    LastWords.take_over()
    try:
        yield
    except ValueError as error:
        raise ConfigurationError(
            f"OTEL_EXPORTER_OTLP_*: the exporter of {what} cannot use them ({error}). "
            "Mend the one it names, or unset it."
        ) from None


def _over_http() -> SpanExporter:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415 - only an exporting process pays
        OTLPSpanExporter,
    )

    return OTLPSpanExporter()


def _over_grpc() -> SpanExporter:
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import (  # noqa: PLC0415 - only who asks for it pays
        OTLPSpanExporter,
    )

    return OTLPSpanExporter()


def to_router(settings: TelemetrySettings) -> Sending | None:
    """Return what sends spans to the router, soon after they end; None where none is named.

    OTEL_BSP_* are about the collector and change nothing here.
    """
    if not settings.traces_url or not settings.is_on:
        return None
    from trunkline_shared.telemetry.router_exporter import (  # noqa: PLC0415 - only who sends pays for protobuf
        RouterExporter,
    )

    LastWords.take_over()
    key = settings.mesh_key.get_secret_value() if settings.mesh_key is not None else ""
    exporter = RouterExporter(
        url=settings.traces_url,
        key=key,
        outage=Outage(where=f"the router at {_place(settings.traces_url)}"),
    )
    return Sending(
        exporter,
        max_queue_size=_ROUTER_QUEUE,
        schedule_delay_millis=ROUTER_DELAY_MS,
        max_export_batch_size=_ROUTER_BATCH,
        export_timeout_millis=_EXPORT_MS,
    )


def _shown(settings: TelemetrySettings) -> str:
    given = settings.otlp_traces_endpoint or settings.otlp_endpoint
    return _place(given) if given else "its usual place"


def _place(url: str) -> str:
    """Return a URL's host and port: user, password and query are nobody's business."""
    return urlsplit(url if "//" in url else f"//{url}").netloc.rpartition("@")[2]
