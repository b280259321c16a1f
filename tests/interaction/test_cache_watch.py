"""`/api/cache/events`: what is changed, as it happens, at this router and at the others."""

import asyncio
from pathlib import Path

import pytest

from tests.interaction.cache_operating import (
    BOSS,
    EVENTS,
    EYE,
    KEYS,
    WORKER,
    invalidate,
    told,
    watching,
)
from tests.interaction.caching import call, library
from tests.interaction.keys import bearing
from tests.interaction.mesh import routing
from tests.interaction.reloading import OFTEN, bearer, following, key
from tests.interaction.replicas import replicas
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import get

END = b"0\r\n\r\n"
"""The last chunk of an answer."""
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
        assert (await get(books.one.port, EVENTS)).status == 401
        refused = await get(books.one.port, EVENTS, bearing(WORKER))
        assert (refused.status, "observe" in refused.json["error"]) == (403, True)
        async with watching(books.one, EYE) as stream:
            await invalidate(books.one, "doc:1", BOSS)
            assert (await told(stream))[1]["tags"] == ["doc:1"]


@pytest.mark.requirement("cache.watch", "gateway.reload-keys")
async def test_a_revoked_key_watches_no_longer(tmp_path: Path) -> None:
    """Its stream is told why, and ends."""
    kept, gone = key("kept", scopes=["observe"]), key("gone", scopes=["observe"])
    async with following(tmp_path / "t.yaml", {"keys": [kept, gone]}) as router:
        token = bearer("gone").removeprefix("Bearer ")
        async with watching(router.mesh, token) as stream:
            router.write({"keys": [kept]})
            kind, event = await told(stream)
            assert (kind, "revoked" in event["error"]) == ("refused", True)
            assert await stream.readuntil(END)


@pytest.mark.requirement("cache.watch", "gateway.ending-streams")
async def test_the_stream_ends_with_the_router() -> None:
    """With its last chunk, at once: nobody waits for a watcher."""
    async with asyncio.timeout(10):
        router = routing({"unused": "http://127.0.0.1:1"}, settled=False, terms=OFTEN)
        mesh = await router.__aenter__()
        async with watching(mesh) as stream:
            await router.__aexit__(None, None, None)
            assert (await stream.read()).endswith(END)
