"""How the cache stands where routers share a Redis, as `/status`, `/metrics` and commands say."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.interaction.cache_operating import invalidate, samples, stats
from tests.interaction.caching import SERVER, TOOLS, Documents, call
from tests.interaction.mesh import Mesh, routing
from tests.interaction.reloading import until
from tests.interaction.replicas import SECRET
from tests.interaction.trunkline_process import ended, environment
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import get
from tests.redis_process import RedisProcess, running_redis
from trunkline_shared.store.opening import open_store

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]


@dataclass(frozen=True, kw_only=True)
class Shared:
    """Two routers before one server, and the Redis that they share."""

    redis: RedisProcess
    one: Mesh
    other: Mesh


@pytest.fixture
async def shared() -> AsyncIterator[Shared]:
    """Both routers, once each knows of the other."""
    async with asyncio.timeout(100), _shared() as made:
        for mesh in (made.one, made.other):
            await until(_stands(mesh, lambda cache: cache["on"] and len(cache["routers"]) == 2))
        yield made


@asynccontextmanager
async def _shared() -> AsyncIterator[Shared]:
    with running_redis() as redis:
        async with (
            running(Scripted(answer=Documents(), tools=list(TOOLS))) as url,
            open_store(redis.settings) as one,
            open_store(redis.settings) as other,
            routing({SERVER: url}, store=one, secret=SECRET) as first,
            routing({SERVER: url}, store=other, secret=SECRET) as second,
        ):
            yield Shared(redis=redis, one=first, other=second)


def _stands(mesh: Mesh, wanted: Callable[[Any], bool]) -> Callable[[], Awaitable[bool]]:
    async def stands() -> bool:
        return bool(wanted(await stats(mesh)))

    return stands


@pytest.mark.requirement("cache.status")
async def test_what_another_router_fetched_is_counted_as_shared(
    shared: Shared, tmp_path: Path
) -> None:
    """And the routers that share it are named, in the page and in the metrics' number."""
    assert (await call(shared.one, "look")).source == "upstream"
    assert (await call(shared.other, "look")).source == "cache"
    seen = await stats(shared.other)
    assert (seen["mode"], seen["silent"], seen["hits"]["shared"]) == ("shared", [], 1)
    scraped = samples((await get(shared.other.port, "/metrics")).body.decode())
    assert scraped["trunkline_cache_hits_total tier=shared"] == 1
    assert scraped["trunkline_cache_routers"] == 2
    assert scraped["trunkline_cache_silent_routers"] == 0
    env = environment(tmp_path, {"TRUNKLINE_PORT": str(shared.other.port)})
    done = await ended("status", env=env, cwd=tmp_path)
    assert "cache: on, shared by 2 routers; 1 of 1 read answered without asking" in done.out


@pytest.mark.requirement("cache.invalidate")
async def test_an_invalidation_spoils_what_both_keep(shared: Shared) -> None:
    """Through the one, for the other: in its memory and in Redis."""
    for mesh in (shared.one, shared.other):
        await call(mesh, "look")
    assert (await invalidate(shared.one, "doc:1")).json == {"bumped": ["doc:1"]}
    assert (await call(shared.other, "look")).source == "upstream"


@pytest.mark.requirement("cache.status")
async def test_without_its_redis_the_cache_is_off_and_says_why(
    shared: Shared, tmp_path: Path
) -> None:
    """In each place where operators look; calls are answered all the same."""
    shared.redis.kill()
    await until(_stands(shared.one, lambda cache: not cache["on"]))
    assert (await call(shared.one, "look")).source == "upstream"
    seen = await stats(shared.one)
    assert "Redis" in seen["reason"]
    scraped = samples((await get(shared.one.port, "/metrics")).body.decode())
    assert scraped["trunkline_cache_on"] == 0
    env = environment(tmp_path, {"TRUNKLINE_PORT": str(shared.one.port)})
    for words in (("status",), ("cache",)):
        done = await ended(*words, env=env, cwd=tmp_path)
        assert f"off ({seen['reason']}); every read is asked" in done.out
