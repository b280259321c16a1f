"""What is left of vendors' quotas: learnt from answers, kept from agents, spared near its end."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.interaction.caching import TTL_S, Library, call, library, versions
from tests.interaction.quota_notes import CREDENTIAL, noting
from tests.interaction.upstreams import Json

pytestmark = pytest.mark.anyio


@pytest.fixture
async def one() -> AsyncIterator[Library]:
    """One router before documents of its own."""
    async with library() as library_:
        yield library_


async def status(library_: Library) -> Json:
    """Return what the router tells its operators."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{library_.one.url}/status") as answered,
    ):
        told: Json = await answered.json()
    return told


@pytest.mark.requirement("cache.quota-noted")
async def test_no_agent_sees_what_a_call_has_cost(one: Library) -> None:
    """Neither on an answer that was fetched, nor on a hit, nor on what is never kept."""
    one.documents.mood = noting(4000)
    for name in ("look", "look", "look_unkept", "change"):
        seen = await call(one.one, name)
        assert not seen.failed
        assert "dev.trunkline/quota" not in seen.result["_meta"]
        assert "0123456789abcdef" not in str(seen.result)


@pytest.mark.requirement("cache.quota-saved")
async def test_operators_see_what_is_left_and_what_was_saved(one: Library) -> None:
    """By the credential's fingerprint; each hit saves what the answer has cost."""
    one.documents.mood = noting(4000)
    assert await versions(one.one, "look", 3) == [("upstream", 0), ("cache", 0), ("cache", 0)]
    told = await status(one)
    assert told["quota"] == [
        {
            "credential": CREDENTIAL,
            "resource": "core",
            "limit": 5000,
            "remaining": 4000,
            "resets_in_s": TTL_S * 3,
            "tools": ["github.look"],
        }
    ]
    cache = told["cache"]
    assert isinstance(cache, dict)
    assert cache["quota_saved"] == 6


@pytest.mark.requirement("cache.quota-saved")
async def test_who_joins_a_read_that_is_underway_saves_what_it_costs(one: Library) -> None:
    """Ten at once are paid for once."""
    gate = one.documents.hold("look", then=noting(4000))
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        asking = [tasks.create_task(call(one.one, "look")) for _ in range(10)]
        await gate.asked.wait()
        gate.free.set()
    assert sorted(task.result().source for task in asking).count("upstream") == 1
    cache = (await status(one))["cache"]
    assert isinstance(cache, dict)
    assert cache["quota_saved"] == 27


@pytest.mark.requirement("cache.quota-spared")
async def test_near_the_end_of_a_quota_older_answers_do(one: Library) -> None:
    """They are marked stale; nothing is asked. What is not kept is asked all the same."""
    one.documents.mood = noting(500)
    await versions(one.one, "look", 1)
    one.clock.advance(TTL_S + 10)
    seen = await call(one.one, "look")
    assert seen.source == "stale"
    assert seen.note["age_ms"] == pytest.approx((TTL_S + 10) * 1000, abs=5)
    assert one.documents.asked["look"] == 1
    assert (await call(one.one, "look", "2")).source == "upstream"


@pytest.mark.requirement("cache.quota-spared")
async def test_nothing_is_spared_that_a_write_has_spoiled(one: Library) -> None:
    """However little is left: the write would be undone in its writer's eyes."""
    one.documents.mood = noting(1)
    await versions(one.one, "look", 1)
    one.clock.advance(TTL_S + 10)
    await call(one.one, "change")
    assert (await call(one.one, "look")).source == "upstream"


@pytest.mark.requirement("cache.quota-spared")
async def test_a_renewed_quota_is_used_again(one: Library) -> None:
    """From the moment that the vendor has told."""
    one.documents.mood = noting(500)
    await versions(one.one, "look", 1)
    one.clock.advance(TTL_S * 2 + 1)
    assert (await call(one.one, "look")).source == "stale"
    one.clock.advance(TTL_S - 1)
    assert (await call(one.one, "look")).source == "upstream"


@pytest.mark.requirement("cache.quota-noted")
async def test_another_server_cannot_have_reads_answered_stale() -> None:
    """A server that is not the mesh's own speaks of nobody's quota."""
    policy = {"look": {"reads": {"ttl_s": TTL_S, "stale_s": TTL_S * 2, "tags": []}}}
    async with library(server="notes", entry={"policy": policy}) as theirs:
        theirs.documents.mood = noting(1)
        assert await versions(theirs.one, "look", 2) == [("upstream", 0), ("cache", 0)]
        theirs.clock.advance(TTL_S + 10)
        seen = await call(theirs.one, "look")
        assert seen.source == "upstream"
        assert "dev.trunkline/quota" not in seen.result["_meta"]
        assert (await status(theirs))["quota"] == []
