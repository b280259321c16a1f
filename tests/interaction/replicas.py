"""Two routers that share a Redis and a secret, as two replicas of one deployment do."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from tests.interaction.mesh import QUICK, Mesh, routing
from tests.redis_process import running_redis
from trunkline_router.composition.plan import Terms
from trunkline_shared.store.opening import open_store

SECRET = "known-to-both-of-the-replicas"


@asynccontextmanager
async def replicas(
    servers: Mapping[str, str], *, terms: Terms = QUICK
) -> AsyncIterator[tuple[Mesh, Mesh]]:
    """Run both in front of `servers`."""
    with running_redis() as redis:
        async with (
            open_store(redis.settings) as one,
            open_store(redis.settings) as other,
            routing(servers, terms=terms, store=one, secret=SECRET) as first,
            routing(servers, terms=terms, store=other, secret=SECRET) as second,
        ):
            yield first, second
