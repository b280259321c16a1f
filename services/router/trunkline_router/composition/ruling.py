"""The house rules and the minting of job tokens, as a plan wants them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from trunkline_router.access.audit import Audit
from trunkline_router.access.caller_limits import CallerLimits
from trunkline_router.access.contexts import Contexts
from trunkline_router.access.key_credentials import KeyCredentials
from trunkline_router.access.repositories import RepositoryGuard
from trunkline_router.access.rules import Rules
from trunkline_router.adapters.audit_file import open_audit
from trunkline_router.composition.plan import Plan
from trunkline_router.edges.contexts import ContextsEndpoint
from trunkline_router.ports import TokenVerifier
from trunkline_shared.github.allowed import AllowedRepositories


@asynccontextmanager
async def open_rules(plan: Plan) -> AsyncIterator[Rules]:
    """Open the rules; at the end every audit record is written. Raises ConfigurationError."""
    async with open_audit(plan.settings.audit_log) as trail:
        plan.recent_audit.then = trail
        yield Rules(
            repositories=RepositoryGuard(
                allowed=AllowedRepositories.of(plan.settings.allowed_repos)
            ),
            limits=CallerLimits(
                buckets=plan.store.buckets, places=plan.store.places, clock=plan.clock
            ),
            audit=Audit(trail=plan.recent_audit, clock=plan.clock),
            credentials=KeyCredentials(plan.live, plan.fleet),
        )


def contexts_of(plan: Plan, rules: Rules, tokens: TokenVerifier) -> ContextsEndpoint:
    """Return what mints job tokens for the callers that `tokens` knows."""
    contexts = Contexts(
        tokens=plan.tokens,
        keys=plan.keys,
        repositories=rules.repositories,
        clock=plan.clock,
        url=f"{plan.base}/mcp",
    )
    return ContextsEndpoint(contexts=contexts, tokens=tokens, limits=plan.limits)
