"""The cache, as a plan wants it."""

import socket

from trunkline_router.cache.cache import Cache, Surroundings
from trunkline_router.composition.plan import Plan


def cache_of(plan: Plan) -> Cache:
    """Return what keeps answers."""
    host, port = plan.on.getsockname()[:2]
    return Cache.of(
        Surroundings(
            fleet=plan.fleet,
            store=plan.store,
            clock=plan.clock,
            terms=lambda: plan.live.now.router.cache,
            # The same for all lives of one container, and for no two routers on one machine.
            name=f"{socket.gethostname()} {host}:{port}",
        )
    )
