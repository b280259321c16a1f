"""The cache, as a plan wants it."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Never

from trunkline_router.cache.cache import Cache, Surroundings
from trunkline_router.composition.plan import Plan

log = logging.getLogger(__name__)


def cache_of(plan: Plan) -> Cache:
    """Return what keeps answers."""
    host, port = plan.on.getsockname()[:2]
    share = plan.around.share
    worker = f" {share.number + 1}" if share.of > 1 else ""
    return Cache.of(
        Surroundings(
            fleet=plan.fleet,
            store=plan.store,
            clock=plan.clock,
            terms=lambda: plan.live.now.router.cache,
            # The same for all lives of one container, and for no two routers on one machine.
            name=f"{socket.gethostname()} {host}:{port}{worker}",
        )
    )


@asynccontextmanager
async def caching(plan: Plan, cache: Cache) -> AsyncIterator[None]:
    """Keep and spoil answers for the length of the block, on the terms of the moment."""
    async with cache.running(), asyncio.TaskGroup() as tasks:
        following = tasks.create_task(_follow(plan, cache))
        try:
            yield
        finally:
            following.cancel()


async def _follow(plan: Plan, cache: Cache) -> Never:
    now = plan.live.now
    while True:
        before, now = now, await plan.live.changed(now)
        cache.process.fit()
        if now.router.cache.forget_s != before.router.cache.forget_s:
            log.warning(
                "router.cache.forget_s has changed: that takes effect at the router's next start"
            )
