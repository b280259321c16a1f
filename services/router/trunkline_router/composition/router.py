"""The router put together: each part is made in one place, from one plan."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from trunkline_router.access.api_keys import KeyRing
from trunkline_router.access.delegation import Delegation
from trunkline_router.access.rules import Rules
from trunkline_router.adapters.exchange import Exchange
from trunkline_router.adapters.http1.client import Client
from trunkline_router.adapters.links.named import follow_name
from trunkline_router.adapters.links.opening import Links
from trunkline_router.adapters.listen_hub import ListenHub
from trunkline_router.adapters.live_catalog import LiveCatalog
from trunkline_router.adapters.mcp_upstream import McpUpstream
from trunkline_router.composition.browsing import dashboard_of
from trunkline_router.composition.caching import cache_of, caching
from trunkline_router.composition.cataloguing import catalog_of
from trunkline_router.composition.defaulting import defaults_of
from trunkline_router.composition.entrances import Entered, door_of, endpoint_of, sessions_of
from trunkline_router.composition.hooking import updates_of, webhooks_of
from trunkline_router.composition.judging import usable_servers
from trunkline_router.composition.leaving import leaving_of, openings_of
from trunkline_router.composition.live_configuration import LiveConfiguration
from trunkline_router.composition.measuring import readings_of, sending
from trunkline_router.composition.observing import telemetry_of
from trunkline_router.composition.operating import Operating
from trunkline_router.composition.plan import Plan, Surroundings
from trunkline_router.composition.ruling import contexts_of, open_rules
from trunkline_router.composition.sharing import siblings_of, told_to_siblings
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.file import configuration_path, read_configuration
from trunkline_router.configuration.live import Live
from trunkline_router.configuration.settings import DELEGATING, RouterSettings
from trunkline_router.configuration.share import Share
from trunkline_router.configuration.worker_count import workers_of
from trunkline_router.core import Core
from trunkline_router.edges.http_server import Paths
from trunkline_router.edges.http_sse import SseEndpoint
from trunkline_router.fleet import Fleet
from trunkline_router.following import for_each_member
from trunkline_router.gates import Admission
from trunkline_router.identity.callers import Callers, Signed
from trunkline_router.listening import base_of
from trunkline_router.pipeline import compose
from trunkline_router.protection.protection import Guarded, Protection
from trunkline_router.span import Recorder
from trunkline_router.standing import Standing
from trunkline_router.webhooks.secrets import WebhookSecrets
from trunkline_shared.signing import SigningKeys
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.store.store import Store


def configured(settings: RouterSettings) -> Configuration:
    """Return what the settings' file says, if it fits the settings. Raises ConfigurationError."""
    configuration = _read(settings)
    # The last worker has the smallest part.
    workers = workers_of(settings.workers)
    usable_servers(settings, configuration, Share(number=workers - 1, of=workers))
    return configuration


@asynccontextmanager
async def serving(
    settings: RouterSettings, on: socket.socket, around: Surroundings | None = None
) -> AsyncIterator[LiveCatalog]:
    """Serve on a listening socket for the length of the block; yields the catalogue.

    Raises ConfigurationError.
    """
    given = around or Surroundings()
    configuration = given.share.of_configuration(given.configuration or _read(settings))
    entries = usable_servers(settings, configuration, given.share)
    live = Live(configuration)
    limits = given.terms.limits
    async with _store(given) as store, Client(limits.connect_s) as client:
        mesh_headers = settings.mesh_headers
        exchange = Exchange(client=client, answer_bytes=limits.answer_bytes)
        signing = SigningKeys.of(settings)
        links = Links(
            exchange=exchange,
            mesh_headers=mesh_headers,
            signing=signing,
            clock=given.clock,
        )
        plan = Plan(
            settings=settings,
            live=live,
            keys=KeyRing(live),
            on=on,
            store=store,
            around=given,
            signing=signing,
            links=links,
            mesh_headers=mesh_headers,
            webhook_secrets=WebhookSecrets.of(settings),
            fleet=links.fleet(entries),
        )
        async with open_rules(plan) as rules, _running(plan, rules) as catalog:
            yield catalog


def _read(settings: RouterSettings) -> Configuration:
    return read_configuration(configuration_path(settings.config))


@asynccontextmanager
async def _store(around: Surroundings) -> AsyncIterator[Store]:
    if around.store is not None:
        yield around.store
        return
    async with open_store(StoreSettings(), around.clock) as store:
        yield store


@asynccontextmanager
async def _running(plan: Plan, rules: Rules) -> AsyncIterator[LiveCatalog]:
    telemetry = telemetry_of(plan)
    recorder = telemetry.recorder
    upstream = _upstream(plan, recorder)
    protection = _protection(plan, upstream)
    cache = cache_of(plan)
    catalog = catalog_of(plan, upstream)
    await catalog.recall()
    hub = ListenHub(catalog=catalog, upstream=upstream, fleet=plan.fleet, clock=plan.clock)
    callers = _callers(plan)
    leaving = leaving_of(plan, Standing(tokens=callers, clock=plan.clock))
    core = Core.of(
        standing=leaving.standing,
        admission=Admission(catalog=catalog, limits=plan.limits, rules=rules),
        relay=compose(
            (
                cache.at_hand,
                leaving.underway,
                cache.stage,
                cache.quotas.stage,
                cache.trimmings.stage,
                *protection.stages,
            ),
            upstream.send,
        ),
        updates=updates_of(plan, cache, catalog, hub, rules),
        recorder=recorder,
        defaults=defaults_of(plan, catalog),
    )
    entered = Entered(core=core, health=protection)
    sessions = sessions_of(plan, entered, leaving.underway, telemetry.sessions)
    operating = Operating(
        plan=plan,
        catalog=catalog,
        protection=protection,
        cache=cache,
        standing=leaving.standing,
        telemetry=telemetry,
        readings=readings_of(plan, cache, protection, telemetry, leaving.underway),
        siblings=siblings_of(plan),
    )
    operators = operating.pages()
    paths = Paths(
        door=door_of(plan, callers, recorder),
        endpoint=endpoint_of(plan, entered, sessions),
        streams=SseEndpoint(sessions=sessions, limits=plan.limits),
        contexts=contexts_of(plan, rules, callers),
        operators=operators,
        dashboard=dashboard_of(plan, callers),
        webhooks=webhooks_of(plan, cache, catalog, recorder),
        status=operating.status(),
    )
    async with (
        telemetry.running(),
        sending(plan, operating.readings),
        callers.kept(),
        _kept(catalog, hub, plan.fleet),
        protection.running(),
        caching(plan, cache),
        LiveConfiguration(plan, catalog, leaving.standing).followed(),
        sessions.running(),
        told_to_siblings(operators),
        leaving.serving(openings_of(plan), paths),
    ):
        yield catalog


def _upstream(plan: Plan, recorder: Recorder) -> McpUpstream:
    delegation = Delegation(
        tokens=plan.tokens,
        keys=plan.keys,
        servers=DELEGATING,
        fleet=plan.fleet,
        url=plan.settings.internal_url or f"{base_of(plan.on)}/mcp",
        clock=plan.clock,
    )
    return McpUpstream(
        fleet=plan.fleet,
        delegation=delegation,
        recorder=recorder,
        clock=plan.clock,
        limits=plan.limits,
    )


def _callers(plan: Plan) -> Callers:
    signed = Signed(jobs=plan.tokens, sessions=plan.browser_sessions)
    return Callers(plan.live, signed, plan.keys, base=plan.base, clock=plan.clock)


def _protection(plan: Plan, upstream: McpUpstream) -> Protection:
    return Protection.of(
        Guarded(
            fleet=plan.fleet,
            upstream=upstream,
            store=plan.store,
            clock=plan.clock,
            configuration=lambda: plan.live.now,
            margin_s=plan.limits.margin_s,
        )
    )


@asynccontextmanager
async def _kept(catalog: LiveCatalog, hub: ListenHub, fleet: Fleet) -> AsyncIterator[None]:
    async def following(server: str) -> None:
        await follow_name(fleet[server].link)

    async with asyncio.TaskGroup() as tasks:
        kept = [
            tasks.create_task(for_each_member(fleet, work))
            for work in (catalog.keep, hub.listen, following)
        ]
        try:
            yield
        finally:
            for task in kept:
                task.cancel()
            await fleet.close()
