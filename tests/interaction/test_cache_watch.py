"""`/api/cache/events`: what is changed, as it happens, at this router and at the others."""

import asyncio

import pytest

from tests.interaction.cache_operating import (
    BOSS,
    EYE,
    KEYS,
    WORKER,
    invalidate,
    watching,
)
from tests.interaction.caching import call, library
from tests.interaction.event_streams import BUMPS, told
from tests.interaction.keys import bearing
from tests.interaction.replicas import replicas
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import get

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("cache.watch")
async def test_a_write_and_an_invalidation_are_told_with_tags_and_cause() -> None:
    """Each once, with the time and where; a write when it has ended, not when it begins."""
    async with library() as books, watching(books.one) as stream:
        await call(books.one, "change", "7")
        await invalidate(books.one, "doc:8")
        at = books.clock.now()
        first = {"tags": ["doc:7"], "cause": "write", "at": at, "router": "here"}
        second = {"tags": ["doc:8"], "cause": "operator", "at": at, "router": "here"}
        assert [await told(stream), await told(stream)] == [("bump", first), ("bump", second)]


@pytest.mark.requirement("cache.watch")
async def test_what_another_router_bumps_is_told_as_such() -> None:
    """Over Redis, each bump once at each of two watchers."""
    async with (
        asyncio.timeout(20),
        running(Scripted()) as url,
        replicas({"one": url}) as (first, second),
        watching(first) as here,
        watching(second) as there,
    ):
        await invalidate(first, "doc:1")
        await invalidate(second, "doc:2")
        for stream, mine in ((here, "doc:1"), (there, "doc:2")):
            bumps: list[tuple[list[str], str]] = []
            while len(bumps) < 2:
                kind, event = await told(stream)
                # A gap is told when the bus is first heard, which may be now.
                bumps += [(event["tags"], event["router"])] if kind == "bump" else []
            assert ([mine], "here") in bumps
            other = "doc:2" if mine == "doc:1" else "doc:1"
            assert ([other], "elsewhere") in bumps


@pytest.mark.requirement("cache.watch", "gateway.scopes")
async def test_watching_needs_the_scope_observe() -> None:
    """As looking does; 403 names it."""
    async with library(configured=KEYS) as books:
        assert (await get(books.one.port, BUMPS)).status == 401
        refused = await get(books.one.port, BUMPS, bearing(WORKER))
        assert (refused.status, "observe" in refused.json["error"]) == (403, True)
        async with watching(books.one, EYE) as stream:
            await invalidate(books.one, "doc:1", BOSS)
            assert (await told(stream))[1]["tags"] == ["doc:1"]
