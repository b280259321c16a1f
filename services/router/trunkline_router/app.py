"""The router as a whole: opens what it needs, serves, and closes all of it."""

import asyncio
import gc
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider

from trunkline_router.adapters.otel_spans import OtelSpans
from trunkline_router.composition import configured, serving
from trunkline_router.listening import bind
from trunkline_router.plan import Surroundings
from trunkline_router.settings import RouterSettings
from trunkline_router.span import Span
from trunkline_shared import telemetry
from trunkline_shared.clock import Clock, SystemClock


async def serve(
    settings: RouterSettings,
    *,
    on: socket.socket | None = None,
    ready: Callable[[], None] | None = None,
    clock: Clock | None = None,
) -> None:
    """Run the router until it is cancelled or told to end by SIGINT or SIGTERM.

    Raises ConfigurationError when the address cannot be had.
    """
    end = asyncio.Event()
    # Done outside the group, which would wrap a plain message in a group of errors.
    configured(settings)
    listening = on or bind(settings.host, settings.port)
    with _ended_by_signal(end):
        async with asyncio.TaskGroup() as tasks:
            running = tasks.create_task(run(settings, on=listening, ready=ready, clock=clock))
            await end.wait()
            running.cancel()


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
    streams included. Raises ConfigurationError when the address cannot be had.
    """
    listening = on or bind(settings.host, settings.port)
    around = Surroundings(clock=clock or SystemClock(), spans=_collectors(), repository=repository)
    async with serving(settings, listening, around) as catalog:
        await catalog.wait_settled()
        # What is there now stays until the end: no collection needs to look at it again.
        gc.freeze()
        if ready is not None:
            ready()
        await asyncio.get_running_loop().create_future()


@contextmanager
def _ended_by_signal(end: asyncio.Event) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, end.set)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


def _collectors() -> Sequence[Callable[[Span], object]]:
    """Return who collects spans: an exporter when an endpoint is configured, else nobody."""
    processor = telemetry.exporting()
    if processor is None:
        return ()
    provider = trace.get_tracer_provider()
    resource = provider.resource if isinstance(provider, TracerProvider) else Resource.create()
    return (OtelSpans(processor, resource),)
