"""`/api/events`: calls as they end, and how the mesh stands, to whoever may look and reads."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any

import pytest

from tests.interaction.cache_operating import EYE, KEYS, WORKER
from tests.interaction.caching import Library, call, library
from tests.interaction.event_streams import CALLS, events_of, told
from tests.interaction.mesh import Mesh
from tests.interaction.reloading import until
from tests.interaction.wire import call_modern
from trunkline_router.telemetry.listener import PER_SECOND, Listener

pytestmark = pytest.mark.anyio


def watching(
    mesh: Mesh, key: str | None = None
) -> AbstractAsyncContextManager[asyncio.StreamReader]:
    """Open the stream of calls; the block begins when it has."""
    return events_of(mesh, CALLS, key)


async def next_of(reader: asyncio.StreamReader, wanted: str) -> Any:
    """Return the next event of a kind."""
    async with asyncio.timeout(5):
        while True:
            kind, event = await told(reader)
            if kind == wanted:
                return event


@pytest.fixture
async def books() -> AsyncIterator[Library]:
    """A router before documents."""
    async with library() as made:
        yield made


@pytest.mark.requirement("seeing.live")
async def test_a_call_is_told_as_it_ends(books: Library) -> None:
    """In the words of the list of traces."""
    async with watching(books.one) as stream:
        seen = await call(books.one, "look")
        row = await next_of(stream, "call")
    assert (row["trace_id"], row["tool"]) == (seen.note["trace_id"], "look")
    assert (row["server"], row["source"], row["error"]) == ("github", "upstream", "")
    assert row["spans"] >= 2


@pytest.mark.requirement("seeing.live")
async def test_how_the_mesh_stands_is_told_at_once_and_every_two_seconds(books: Library) -> None:
    """Servers, cache and quota as `/status` has them, and the newest point of the series."""
    async with watching(books.one) as stream:
        first = await next_of(stream, "state")
        assert first["servers"]["github"]["available"] is True
        assert set(first) == {"servers", "cache", "quota", "point"}
        assert first["point"]["calls"] == 0
        await call(books.one, "look")
        began = asyncio.get_running_loop().time()
        again = await next_of(stream, "state")
        assert asyncio.get_running_loop().time() - began < 3
        assert again["point"]["calls"] == 1
        assert again["cache"]["misses"] == 1


@pytest.mark.requirement("seeing.live")
async def test_all_who_watch_are_told_the_same(books: Library) -> None:
    """Each from the moment at which it came; one that has left holds nobody up."""
    async with watching(books.one) as first:
        async with watching(books.one):
            pass
        async with watching(books.one) as second:
            await call(books.one, "look")
            assert await next_of(first, "call") == await next_of(second, "call")


@pytest.mark.requirement("seeing.live-bounded")
async def test_of_many_calls_at_once_fifty_are_told(books: Library) -> None:
    """And how many were not."""
    mesh, many = books.one, PER_SECOND + 30
    async with watching(mesh) as stream:
        async with asyncio.timeout(10):
            for _ in range(many):
                await call_modern(mesh.port, "look_unkept")
        heard, skipped = 0, 0
        while heard + skipped < many:
            kind, event = await told(stream)
            heard += kind == "call"
            skipped += event["calls"] if kind == "skipped" else 0
        # The router's clock stands still: all of it is one second.
    assert (heard, skipped) == (PER_SECOND, 30)


@pytest.mark.requirement("seeing.live-bounded")
async def test_watchers_that_left_leave_nothing(books: Library) -> None:
    """However they left: nothing waits for them any more."""
    async with AsyncExitStack() as watchers:
        for _ in range(10):
            await watchers.enter_async_context(watching(books.one))
        assert listeners() == 10

    async def alone() -> bool:
        await call(books.one, "look")
        return listeners() == 0

    async with asyncio.timeout(10):
        await until(alone)


def listeners() -> int:
    """Return how many listeners there are in this process, which is the router's as well."""
    gc.collect()
    return sum(isinstance(one, Listener) for one in gc.get_objects())


@pytest.mark.requirement("seeing.live", "gateway.scopes")
async def test_watching_needs_the_scope_observe() -> None:
    """As looking does."""
    async with library(configured=KEYS) as books, watching(books.one, EYE) as stream:
        await call(books.one, "look", bearer=WORKER)
        assert (await next_of(stream, "call"))["agent"] == "worker"
