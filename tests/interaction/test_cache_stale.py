"""Answers that are over: asked anew, or used once more where the server cannot be had."""

from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from tests.interaction.caching import STALE_S, TTL_S, Library, call, library, versions
from tests.interaction.guarding import code, sick
from tests.interaction.upstreams import Answer, Json, cut, result
from trunkline_shared import wire
from trunkline_shared.errors import NotFound, RateLimited, TrunklineError

pytestmark = pytest.mark.anyio


@pytest.fixture
async def two() -> AsyncIterator[Library]:
    """Two routers that share what they know."""
    async with library(routers=2) as library_:
        yield library_


def failing(error: TrunklineError) -> Answer:
    """Return an answer that is a tool's failure."""

    async def answer(_: web.Request, request: Json) -> web.StreamResponse:
        return result(request, wire.to_result(error))

    return answer


def limited() -> RateLimited:
    details = {"throttle": {"credential": "c", "resource": "core"}}
    return RateLimited("GitHub's quota is used up.", retry_after=60, details=details)


DOWN = {"cut": cut, "sick": failing(sick()), "limited": failing(limited())}


@pytest.mark.requirement("cache.expires")
async def test_an_answer_is_over_when_its_time_is(two: Library) -> None:
    """As long as its tool says, and not a second longer."""
    await versions(two.one, "look", 1)
    two.clock.advance(TTL_S - 1)
    two.documents.versions["1"] += 1
    assert await versions(two.one, "look", 1) == [("cache", 0)]
    two.clock.advance(2)
    assert await versions(two.one, "look", 2) == [("upstream", 1), ("cache", 1)]


@pytest.mark.requirement("cache.expires")
async def test_an_answer_may_live_shorter_or_longer_than_its_tool_says(two: Library) -> None:
    """What cannot change is kept for long; what is still going on, for seconds."""
    two.documents.told = {"ttl_s": 10}
    await call(two.one, "look", "running")
    two.documents.told = {"immutable": True}
    await call(two.one, "look", "finished")
    two.clock.advance(11)
    assert (await call(two.one, "look", "running")).source == "upstream"
    two.clock.advance(TTL_S * 2)
    assert (await call(two.one, "look", "finished")).source == "cache"


@pytest.mark.requirement("cache.expires")
async def test_what_cannot_change_is_spoiled_all_the_same(two: Library) -> None:
    """Somebody says that he has changed it."""
    two.documents.told = {"immutable": True}
    await versions(two.one, "look", 2)
    await call(two.other, "change")
    assert await versions(two.one, "look", 1) == [("upstream", 1)]


@pytest.mark.requirement("cache.stale-if-error")
@pytest.mark.parametrize("mood", [*DOWN])
async def test_an_answer_that_is_over_stands_in_for_a_server_that_is_down(
    two: Library, mood: str
) -> None:
    """It is marked, and tells its age; no reader is failed."""
    await versions(two.one, "look", 1)
    two.clock.advance(TTL_S + 100)
    two.documents.mood = DOWN[mood]
    for _ in range(5):
        seen = await call(two.one, "look")
        assert (seen.source, seen.version) == ("stale", 0)
        assert seen.note["age_ms"] == pytest.approx((TTL_S + 100) * 1000, abs=5)
    two.documents.mood = None


@pytest.mark.requirement("cache.stale-if-error")
async def test_an_answer_that_is_over_stands_in_while_the_breaker_is_open(two: Library) -> None:
    """The server is left alone meanwhile; who asks for what is not kept is refused."""
    await versions(two.one, "look", 1)
    two.clock.advance(TTL_S + 1)
    two.documents.mood = failing(sick())
    for _ in range(3):
        await call(two.one, "look_unkept")
    assert code((await call(two.one, "look_unkept")).reply) == "CIRCUIT_OPEN"
    asked = two.documents.asked["look"]
    assert [(await call(two.one, "look")).source for _ in range(3)] == ["stale"] * 3
    assert two.documents.asked["look"] == asked
    assert code((await call(two.one, "look", "2")).reply) == "CIRCUIT_OPEN"


@pytest.mark.requirement("cache.stale-if-error")
async def test_an_answer_that_is_over_stands_in_for_so_long_only(two: Library) -> None:
    """Then the failure is told."""
    await versions(two.one, "look", 1)
    two.clock.advance(TTL_S + STALE_S + 1)
    two.documents.mood = cut
    assert code((await call(two.one, "look")).reply) == "NETWORK_ERROR"


@pytest.mark.requirement("cache.stale-if-error")
async def test_a_server_that_says_no_is_believed(two: Library) -> None:
    """It is well, and what was there is not there any more."""
    await versions(two.one, "look", 1)
    two.clock.advance(TTL_S + 1)
    two.documents.mood = failing(NotFound("There is no such document."))
    assert code((await call(two.one, "look")).reply) == "NOT_FOUND"


@pytest.mark.requirement("cache.never-stale-after-a-bump")
@pytest.mark.parametrize("mood", [*DOWN])
@pytest.mark.parametrize("later_s", [0, 1, TTL_S + 1])
async def test_nothing_stands_in_that_a_write_has_spoiled(
    two: Library, mood: str, later_s: float
) -> None:
    """However the server fails after it, and however long after: a failure is better."""
    await versions(two.one, "look", 1)
    await call(two.other, "change")
    two.clock.advance(later_s)
    two.documents.mood = DOWN[mood]
    seen = await call(two.one, "look")
    assert seen.failed
    assert seen.source == "upstream"


@pytest.mark.requirement("cache.never-stale-after-a-bump")
async def test_a_failed_write_spoils_what_could_stand_in(two: Library) -> None:
    """Nobody knows what has become of it."""
    await versions(two.one, "look", 1)
    two.clock.advance(TTL_S + 1)
    two.documents.mood = cut
    await call(two.other, "change")
    assert (await call(two.one, "look")).failed


@pytest.mark.requirement("cache.bounded")
async def test_what_is_kept_in_the_process_is_bounded_in_bytes() -> None:
    """The answers used last stay, the others go; one that is too large alone is not kept."""
    cache = {"router": {"cache": {"memory_bytes": 400_000}}}
    async with library(configured=cache) as small:
        small.documents.text = "x" * 30_000
        for number in range(6):
            await call(small.one, "look", str(number))
        assert (await call(small.one, "look", "0")).source == "cache"
        await call(small.one, "look", "6")
        sources = [(await call(small.one, "look", str(number))).source for number in (0, 6, 5)]
        assert sources == ["cache"] * 3
        assert (await call(small.one, "look", "1")).source == "upstream"
        small.documents.text = "x" * 100_000
        assert [(await call(small.one, "look", "9")).source for _ in range(2)] == ["upstream"] * 2


@pytest.mark.requirement("cache.bounded")
async def test_with_no_memory_nothing_is_kept() -> None:
    """An operator may want that."""
    async with library(configured={"router": {"cache": {"memory_bytes": 0}}}) as none:
        assert await versions(none.one, "look", 2) == [("upstream", 0)] * 2
