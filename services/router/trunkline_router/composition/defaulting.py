"""What reads are completed with, as a plan wants it."""

from trunkline_router.adapters.live_catalog import LiveCatalog
from trunkline_router.composition.plan import Plan
from trunkline_router.configuration.settings import BUILT_IN
from trunkline_router.defaults import Defaults


def defaults_of(plan: Plan, catalog: LiveCatalog) -> Defaults | None:
    """Return what completes reads, None where the settings want none of it."""
    if not plan.settings.local_defaults:
        return None
    found = plan.around.repository
    return Defaults(
        catalog=catalog,
        clock=plan.clock,
        trusted=frozenset(BUILT_IN),
        repository=lambda: (found and found()) or plan.settings.github_repository,
        margin_s=plan.limits.margin_s,
    )
