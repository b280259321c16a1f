"""The router as a whole: opens what it needs, serves, and closes all of it."""

import asyncio
import gc
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from aiohttp import web
from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from yarl import URL

from trunkline_router.adapters.exchange import Exchange, session_for
from trunkline_router.adapters.job_callers import JobCallers
from trunkline_router.adapters.live_catalog import LiveCatalog, Pace
from trunkline_router.adapters.local_callers import LocalCallers
from trunkline_router.adapters.mcp_upstream import McpUpstream
from trunkline_router.adapters.otel_spans import OtelSpans
from trunkline_router.core import Core
from trunkline_router.defaults import Defaults
from trunkline_router.delegation import Delegation
from trunkline_router.edge import Endpoint
from trunkline_router.gates import Admission
from trunkline_router.http_server import HttpServer, Paths
from trunkline_router.job_tokens import PURPOSE, JobTokens
from trunkline_router.legacy import Legacy
from trunkline_router.listening import BACKLOG, base_of, bind
from trunkline_router.model import Limits, ServerAddress
from trunkline_router.modern import Modern
from trunkline_router.security import AddressCheck
from trunkline_router.settings import BUILT_IN, DELEGATING, RouterSettings
from trunkline_router.span import Recorder, Span
from trunkline_router.status import Status
from trunkline_router.vitals import Vitals
from trunkline_shared import telemetry
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.signing import SigningKeys


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Bounds and rhythms that tests tighten and operators leave alone."""

    limits: Limits = field(default_factory=Limits)
    pace: Pace = field(default_factory=Pace)


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
    # Taken outside the group, which would wrap a plain message in a group of errors.
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
    async with serving(
        settings,
        listening,
        clock=clock or SystemClock(),
        spans=_collectors(),
        repository=repository,
    ) as catalog:
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


@asynccontextmanager
async def serving(
    settings: RouterSettings,
    on: socket.socket,
    *,
    clock: Clock,
    spans: Sequence[Callable[[Span], object]] = (),
    terms: Terms | None = None,
    repository: Callable[[], str] | None = None,
) -> AsyncIterator[LiveCatalog]:
    """Serve on a listening socket for the length of the block; yields the catalogue."""
    bounds = terms or Terms()
    addresses = _addresses(settings)
    vitals = {server: Vitals() for server in addresses}
    recorder = Recorder(clock=clock, ended=tuple(spans))
    tokens = _job_tokens(settings, on, clock)
    async with session_for(bounds.limits) as session:
        upstream = McpUpstream(
            addresses=addresses,
            vitals=vitals,
            exchange=Exchange(session=session, answer_bytes=bounds.limits.answer_bytes),
            delegation=_delegation(settings, on, tokens),
            recorder=recorder,
            clock=clock,
            limits=bounds.limits,
        )
        catalog = LiveCatalog(
            upstream=upstream,
            vitals=vitals,
            exempt=frozenset(BUILT_IN),
            clock=clock,
            pace=bounds.pace,
        )
        defaults = Defaults(
            catalog=catalog,
            clock=clock,
            trusted=frozenset(BUILT_IN),
            repository=lambda: (repository and repository()) or settings.github_repository,
            margin_s=bounds.limits.margin_s,
        )
        core = Core.of(
            tokens=JobCallers(tokens=tokens, others=LocalCallers(), clock=clock),
            admission=Admission(catalog=catalog, limits=bounds.limits),
            upstream=upstream,
            recorder=recorder,
            defaults=defaults if settings.local_defaults else None,
        )
        paths = Paths(
            address=_address_check(settings),
            endpoint=_endpoint(core, clock, bounds.limits),
            status=Status(catalog=catalog, vitals=vitals),
        )
        async with _listening(paths, on, bounds.limits), _kept(catalog, vitals):
            yield catalog


def _job_tokens(settings: RouterSettings, on: socket.socket, clock: Clock) -> JobTokens:
    return JobTokens(
        keys=SigningKeys.of(settings).derived(PURPOSE),
        base=(settings.public_url or base_of(on)).rstrip("/"),
        clock=clock,
    )


def _delegation(settings: RouterSettings, on: socket.socket, tokens: JobTokens) -> Delegation:
    return Delegation(
        tokens=tokens,
        servers=DELEGATING,
        url=settings.internal_url or f"{base_of(on)}/mcp",
        clock=tokens.clock,
    )


def _address_check(settings: RouterSettings) -> AddressCheck:
    return AddressCheck.of(
        settings.host, settings.public_url, settings.allowed_origins, settings.internal_url
    )


def _endpoint(core: Core, clock: Clock, limits: Limits) -> Endpoint:
    return Endpoint(
        core=core,
        modern=Modern(catalog=core.catalog, clock=clock),
        legacy=Legacy(catalog=core.catalog),
        clock=clock,
        limits=limits,
    )


def _addresses(settings: RouterSettings) -> Mapping[str, ServerAddress]:
    key = settings.mesh_key
    own = {"Authorization": f"Bearer {key.get_secret_value()}"} if key is not None else {}
    # The mesh key opens the mesh's own servers; a foreign one must never learn it.
    return {
        server: ServerAddress(id=server, url=URL(url), headers=own if server in BUILT_IN else {})
        for server, url in settings.urls.items()
    }


@asynccontextmanager
async def _listening(paths: Paths, on: socket.socket, limits: Limits) -> AsyncIterator[None]:
    runner = web.ServerRunner(HttpServer(paths), shutdown_timeout=limits.close_s)
    await runner.setup()
    await web.SockSite(runner, on, backlog=BACKLOG).start()
    try:
        yield
    finally:
        await runner.cleanup()


@asynccontextmanager
async def _kept(catalog: LiveCatalog, vitals: Mapping[str, Vitals]) -> AsyncIterator[None]:
    async with asyncio.TaskGroup() as tasks:
        kept = [tasks.create_task(catalog.keep(server)) for server in vitals]
        try:
            yield
        finally:
            for task in kept:
                task.cancel()
