"""Webhooks and what they wake, as a plan wants them."""

from trunkline_router.access.rules import Rules
from trunkline_router.cache.cache import Cache
from trunkline_router.cache.watching import Watching
from trunkline_router.composition.plan import Plan
from trunkline_router.edges.webhooks import WebhooksEndpoint
from trunkline_router.ports import Catalog, Updates
from trunkline_router.span import Recorder
from trunkline_router.webhooks.basecamp import Basecamp
from trunkline_router.webhooks.github import GitHub
from trunkline_router.webhooks.jira import Jira
from trunkline_router.webhooks.receiving import Receiving
from trunkline_router.webhooks.sites import sites_in


def webhooks_of(plan: Plan, cache: Cache, catalog: Catalog, recorder: Recorder) -> WebhooksEndpoint:
    """Return what takes the vendors' deliveries."""
    jira = Jira(clock=plan.clock, sites=lambda: sites_in(catalog.directory()))
    return WebhooksEndpoint(
        vendors={one.name: one for one in (GitHub(), Basecamp(), jira)},
        secrets=plan.webhook_secrets,
        receiving=Receiving(
            bumps=cache.bumps,
            hooked=cache.hooked,
            kept=plan.store.kept,
            tasks=cache.tasks.group,
        ),
        recorder=recorder,
        limits=plan.limits,
    )


def updates_of(
    plan: Plan, cache: Cache, catalog: Catalog, served: Updates, rules: Rules
) -> Watching:
    """Return who hears of changed resources: as their servers tell, or as tags are bumped."""
    return Watching(
        catalog=catalog,
        served=served,
        feed=cache.feed,
        repositories=rules.repositories,
        owned=plan.fleet.owns,
    )
