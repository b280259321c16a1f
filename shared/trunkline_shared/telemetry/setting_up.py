"""The telemetry of this process: its log, its tracer provider, and their end."""

import sys
import threading
import time
import uuid
from collections.abc import Callable
from functools import cache
from typing import TextIO

from opentelemetry import trace
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from trunkline_shared.settings import load
from trunkline_shared.telemetry.exporters import to_collector, to_router
from trunkline_shared.telemetry.logs import set_up_logs
from trunkline_shared.telemetry.outage import ENDING, Watched
from trunkline_shared.telemetry.sampling import CALLS
from trunkline_shared.telemetry.settings import TelemetrySettings

FLUSH_S = 1.0
_INSTANCE = "service.instance.id"
_at_end: list[Callable[[], object]] = []


def set_up(
    service: str,
    version: str,
    *,
    stream: TextIO = sys.stderr,
    level_unless_set: str = "INFO",
    tells_router: bool = False,
    part: str = "",
) -> None:
    """Configure logging on `stream` and the tracer provider of this process.

    TRUNKLINE_LOG_LEVEL decides the level; `level_unless_set` is the one without it. A process
    that `tells_router` sends its spans to TRUNKLINE_TRACES_URL, where that is set; the router's
    own does not. `part` tells one of several processes that an operator may have given one name.
    Raises ConfigurationError.
    """
    settings = load(TelemetrySettings)
    set_up_log(service, stream=stream, level_unless_set=level_unless_set)
    provider = TracerProvider(
        resource=_resource(service, version, part),
        # An operator's own choice is the SDK's to read.
        sampler=None if settings.sampler else CALLS,
        shutdown_on_exit=False,  # it would wait for a hung collector; `flush` does not
    )
    for processor in (exporting(), _telling() if tells_router else None):
        if processor is not None:
            provider.add_span_processor(processor)
    trace.set_tracer_provider(provider)


def set_up_log(
    service: str, *, stream: TextIO = sys.stderr, level_unless_set: str = "INFO"
) -> None:
    """Configure logging alone, which starts no thread. Raises ConfigurationError."""
    level = load(TelemetrySettings).log_level or level_unless_set
    set_up_logs(service, level.upper(), stream)


def _resource(service: str, version: str, part: str) -> Resource:
    """Return what tells this process from all others; what an operator says of it stands."""
    own = Resource.create({
        _INSTANCE: str(uuid.uuid4()),
        "service.name": service,
        "service.version": version,
        "service.namespace": "trunkline",
    })
    told = OTELResourceDetector().detect()
    whole, named = own.merge(told), told.attributes.get(_INSTANCE)
    if part and isinstance(named, str):
        return whole.merge(Resource({_INSTANCE: f"{named}-{part}"}))
    return whole


@cache
def exporting() -> BatchSpanProcessor | None:
    """Return the process's one processor that exports spans, or None without a collector.

    Raises ConfigurationError.
    """
    settings = load(TelemetrySettings)
    return to_collector(settings) if settings.exports else None


@cache
def _telling() -> BatchSpanProcessor | None:
    return to_router(load(TelemetrySettings))


def dropped_spans() -> int:
    """Return how many spans of this process no collector has taken, since the start."""
    return Watched.dropped


def at_end(send: Callable[[], object]) -> None:
    """Have something else sent when the process ends, in the time that `flush` has for all."""
    _at_end.append(send)


def flush() -> None:
    """Send what has been traced, so that nothing is lost at the end of the process.

    A collector that hangs does not hold the end up: after a second its spans are lost.
    """
    ENDING.set()
    begun = [one for of in (exporting, _telling) if of.cache_info().currsize and (one := of())]
    ending = (*(one.shutdown for one in begun), *_at_end)
    sending = [threading.Thread(target=end, daemon=True) for end in ending]
    for thread in sending:
        thread.start()
    ends = time.monotonic() + FLUSH_S
    for thread in sending:
        thread.join(max(0.0, ends - time.monotonic()))
