"""What agents did not have to read: counted each time that they are given an answer."""

import pytest
from aiohttp import web

from tests.interaction.caching import TTL_S, Library, call, library
from tests.interaction.caching_redis import over_redis, until_on
from tests.interaction.guarding import sick
from tests.interaction.measuring import by, measured
from tests.interaction.mesh import Mesh
from tests.interaction.test_cache_stale import failing
from tests.interaction.upstreams import Answer, Json, result
from tests.interaction.wire import call_legacy, call_modern, get
from tests.redis_process import RedisProcess
from trunkline_shared import meta

pytestmark = pytest.mark.anyio

LEFT_OUT = {"fields": 4000, "truncation": 401, "logs": 8}
SAVED = {("fields",): 1000, ("truncation",): 101, ("logs",): 2}


def trimmed(note: object = LEFT_OUT, text: str = "short", *, failed: bool = False) -> Answer:
    """Return an answer on which is noted what was left out of it."""
    given: Json = {"content": [{"type": "text", "text": text}], "isError": failed}

    async def answer(_: web.Request, request: Json) -> web.StreamResponse:
        return result(request, {"resultType": "complete", **given, "_meta": {meta.TRIMMED: note}})

    return answer


async def saved(mesh: Mesh) -> dict[tuple[str, ...], float]:
    return by(await measured(mesh), "trunkline_tokens_saved_total", "reason")


def times(count: int) -> dict[tuple[str, ...], float]:
    return {why: tokens * count for why, tokens in SAVED.items()}


async def asked(books: Library, *names: str) -> None:
    books.documents.mood = trimmed()
    for name in names:
        seen = await call(books.one, name)
        assert meta.TRIMMED not in seen.result["_meta"]


@pytest.mark.requirement("seeing.saved-tokens")
async def test_what_a_server_left_out_counts_each_time_it_is_answered() -> None:
    """From the server, from what is kept, and as stale; for a tool that keeps nothing as well."""
    async with library() as books:
        await asked(books, "look", "look", "look_unkept")
        assert await saved(books.one) == times(3)
        books.clock.advance(TTL_S + 1)
        books.documents.mood = failing(sick())
        assert (await call(books.one, "look")).source == "stale"
        assert await saved(books.one) == times(4)
        page = (await get(books.one.port, "/api/tokens")).json
    assert page["saved"] == {"fields": 4000, "truncation": 404, "logs": 8}


@pytest.mark.requirement("seeing.saved-tokens")
async def test_it_counts_with_a_router_that_took_the_answer_from_the_store(
    redis_process: RedisProcess,
) -> None:
    """What replicas share says it too, and what the answer's text costs."""
    async with over_redis(redis_process) as shared:
        for router in shared.routers:
            await until_on(router.port)
        shared.documents.mood = trimmed()
        first, second = await call(shared.one, "look"), await call(shared.other, "look")
        assert (first.source, second.source) == ("upstream", "cache")
        assert await saved(shared.other) == SAVED
        read = by(await measured(shared.other), "trunkline_tokens_out_total", "tool")
    assert read == {("look",): 2}


@pytest.mark.requirement("seeing.saved-tokens")
@pytest.mark.parametrize("era", [call_modern, call_legacy])
async def test_no_agent_sees_the_note(era: object) -> None:
    """Of either era, whether the answer was written out before or not."""
    async with library() as books:
        books.documents.mood = trimmed()
        for name in ("look", "look", "look_unkept", "change"):
            reply = await era(books.one.port, name)  # type: ignore[operator] # either function
            assert meta.TRIMMED.encode() not in reply.body


@pytest.mark.requirement("seeing.saved-tokens")
async def test_the_word_of_a_foreign_server_counts_nothing() -> None:
    """It could claim anything; nor is its note passed on."""
    async with library(server="wiki", entry={}) as books:
        await asked(books, "look")
        assert await saved(books.one) == {}


@pytest.mark.requirement("seeing.saved-tokens")
@pytest.mark.parametrize("note", [None, 5, [], {"fields": -1}, {"logs": "many"}])
async def test_a_note_that_says_nothing_sensible_counts_nothing(note: object) -> None:
    """Nor does it keep the answer from anybody."""
    async with library() as books:
        books.documents.mood = trimmed(note)
        assert not (await call(books.one, "look")).failed
        assert await saved(books.one) == {}


@pytest.mark.requirement("seeing.saved-tokens")
async def test_a_failure_saves_nobody_anything() -> None:
    """Whatever is noted on it."""
    async with library() as books:
        books.documents.mood = trimmed(failed=True)
        await call(books.one, "look")
        assert await saved(books.one) == {}


@pytest.mark.requirement("seeing.saved-tokens")
async def test_what_the_router_cuts_itself_counts_as_truncation() -> None:
    """Besides what the server has left out already."""
    async with library(configured={"router": {"result_bytes": 10_000}}) as books:
        books.documents.mood = trimmed(text="line\n" * 20_000)
        seen = await call(books.one, "look_unkept")
        counted = await saved(books.one)
    cut = 100_000 - len(seen.result["content"][0]["text"].encode())
    assert counted[("truncation",)] == -(-(cut + 401) // 4)
    assert counted[("fields",)] == 1000
