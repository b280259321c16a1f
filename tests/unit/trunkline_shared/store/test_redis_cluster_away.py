"""A Cluster that is away, which its client says in words of its own."""

import asyncio

import pytest

from tests.unit.trunkline_shared.store.routers import NAME, router
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.settings import load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.settings import StoreSettings

pytestmark = pytest.mark.anyio

NOWHERE = load(StoreSettings, {"redis_url": "redis+cluster://127.0.0.1:1,127.0.0.1:2"})


@pytest.mark.requirement("store.arrangements")
async def test_a_router_starts_before_its_cluster_does() -> None:
    """Nothing that was kept is used, and changes are made all the same."""
    async with asyncio.timeout(20), router(NOWHERE) as one:
        assert await one.read([NAME]) is None
        await one.bump([NAME], hold_s=0)
        assert one.state()["on"] is False


@pytest.mark.requirement("store.arrangements")
async def test_whoever_asks_a_cluster_that_is_away_is_told_so() -> None:
    """In the same words as of any other Redis, by every part of the store."""
    async with asyncio.timeout(20), open_store(NOWHERE) as store:
        with pytest.raises(UpstreamUnavailable):
            await store.kept.get("key")
    async with asyncio.timeout(20), open_store(NOWHERE) as store:
        with pytest.raises(UpstreamUnavailable):
            async with store.bus.heard("topic"):
                pass
    async with asyncio.timeout(20), open_store(NOWHERE) as store:
        assert await store.entries.get("key") is None
