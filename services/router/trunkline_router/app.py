"""The router as a whole: opens what it needs, serves, and closes all of it."""

import asyncio
import gc
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import replace

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider

from trunkline_router.adapters.otel_metrics import OtelMetrics, open_otel_metrics
from trunkline_router.adapters.otel_spans import OtelSpans
from trunkline_router.composition.plan import Seat, Surroundings
from trunkline_router.composition.router import configured, serving
from trunkline_router.configuration.metrics_export import MetricsExport
from trunkline_router.configuration.settings import RouterSettings
from trunkline_router.configuration.worker_count import must_be_alone
from trunkline_router.listening import bind
from trunkline_router.open_files import raise_limit
from trunkline_router.telemetry.pending import Consumer
from trunkline_shared import telemetry
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.settings import load
from trunkline_shared.signals import obeying_signals
from trunkline_shared.telemetry.settings import TelemetrySettings


async def serve(
    settings: RouterSettings,
    *,
    on: socket.socket | None = None,
    ready: Callable[[], None] | None = None,
    clock: Clock | None = None,
    reread: Callable[[], RouterSettings] | None = None,
) -> None:
    """Run the router until it is cancelled or told to end by SIGINT or SIGTERM.

    SIGHUP has the configuration read again; `reread` does so for the settings. SIGTERM lets calls
    in flight finish; SIGINT waits for little, and so does any second signal.
    Raises ConfigurationError when the address cannot be had.
    """
    # Before anything is bound: a configuration that cannot be used is the first thing to say.
    configured(settings)
    around = _around(clock, reread=reread)
    with _obeying_signals(around):
        await _run(settings, on or bind(settings.host, settings.port), around, ready)


async def work(
    settings: RouterSettings,
    *,
    on: socket.socket,
    seat: Seat,
    obeying: Callable[[Surroundings], AbstractAsyncContextManager[None]],
    ready: Callable[[], None],
    reread: Callable[[], RouterSettings],
) -> None:
    """Run as one of several workers until whoever is obeyed ends it. Raises ConfigurationError."""
    around = replace(_around(None, reread=reread), seat=seat)
    async with obeying(around):
        await _run(settings, on, around, ready)


async def run(
    settings: RouterSettings,
    *,
    on: socket.socket | None = None,
    ready: Callable[[], None] | None = None,
    clock: Clock | None = None,
    repository: Callable[[], str] | None = None,
) -> None:
    """Run until cancelled; signals are for whoever runs it.

    `on` is a listening socket to use in place of the configured address; `ready` is called once,
    when the router listens and every server is listed or past its budget of 20 s. `repository`
    tells the default `owner/repo` where the starter finds it out only later. Ends within 2 s, open
    streams included. Raises ConfigurationError when the address cannot be had, and for more than
    one worker.
    """
    must_be_alone(settings.workers)
    around = _around(clock, repository=repository)
    await _run(settings, on or bind(settings.host, settings.port), around, ready)


async def _run(
    settings: RouterSettings,
    on: socket.socket,
    around: Surroundings,
    ready: Callable[[], None] | None,
) -> None:
    raise_limit()
    async with serving(settings, on, around) as catalog, asyncio.TaskGroup() as tasks:
        seeking = tasks.create_task(_sought(catalog.wait_sought, ready))
        await around.departure.wait()
        seeking.cancel()


async def _sought(sought: Callable[[], Awaitable[None]], ready: Callable[[], None] | None) -> None:
    await sought()
    # What is there now stays until the end: no collection needs to look at it again.
    gc.freeze()
    if ready is not None:
        ready()


@contextmanager
def _obeying_signals(around: Surroundings) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGHUP, around.reload.set)
    try:
        with obeying_signals(around.departure):
            yield
    finally:
        loop.remove_signal_handler(signal.SIGHUP)


def _around(
    clock: Clock | None,
    *,
    reread: Callable[[], RouterSettings] | None = None,
    repository: Callable[[], str] | None = None,
) -> Surroundings:
    return Surroundings(
        clock=clock or SystemClock(),
        exporters=_exporters(),
        metrics=_metrics(),
        observes=load(TelemetrySettings).is_on,
        reread=reread,
        repository=repository,
    )


def _exporters() -> Sequence[Consumer]:
    """Return who sends spans elsewhere: an exporter when an endpoint is configured, else nobody."""
    processor = telemetry.exporting()
    if processor is None:
        return ()
    return (OtelSpans(processor, _resource()),)


def _metrics() -> OtelMetrics | None:
    """Return who sends metrics elsewhere, where a collector is configured."""
    sender = open_otel_metrics(load(MetricsExport), _resource())
    if sender is not None:
        telemetry.at_end(sender.close)
    return sender


def _resource() -> Resource:
    provider = trace.get_tracer_provider()
    return provider.resource if isinstance(provider, TracerProvider) else Resource.create()
