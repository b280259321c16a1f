"""`/api/cache`: what the cache does, and what an operator does to it."""

import pytest

from tests.interaction.cache_operating import (
    BOSS,
    EYE,
    KEYS,
    PAGE,
    WORKER,
    ask,
    invalidate,
    stats,
)
from tests.interaction.caching import call, library, versions
from tests.interaction.keys import bearing
from tests.interaction.wire import get

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("cache.page")
async def test_what_reads_cost_is_counted_by_where_they_were_answered_from() -> None:
    """Each read once; what is kept is shown with its bytes and their bound."""
    async with library() as books:
        assert (await stats(books.one))["hit_ratio"] is None
        await versions(books.one, "look", 4)
        seen = await stats(books.one)
    assert (seen["on"], seen["mode"], len(seen["routers"])) == (True, "process", 1)
    assert (seen["hits"], seen["misses"], seen["kept"]) == ({"process": 3, "shared": 0}, 1, 1)
    assert (seen["calls_saved"], seen["hit_ratio"], seen["in_flight"]) == (3, 0.75, 0)
    assert seen["memory"]["entries"] == 1
    assert 0 < seen["memory"]["bytes"] < seen["memory"]["limit"] == 256 * 1024 * 1024


@pytest.mark.requirement("cache.status")
async def test_status_shows_the_same() -> None:
    """In one place with the servers."""
    async with library() as books:
        await versions(books.one, "look", 2)
        status = await get(books.one.port, "/status")
        assert status.json["cache"] == await stats(books.one)


@pytest.mark.requirement("cache.invalidate")
@pytest.mark.parametrize("tag", ["doc:1", "doc", " doc:1:comments ", "srv:github"])
async def test_an_invalidated_tag_has_its_reads_asked_again_at_every_router(tag: str) -> None:
    """The tag itself, one above it, one beneath it, or all of a server."""
    async with library(routers=2) as books:
        for router in (books.one, books.other):
            assert (await call(router, "look")).version == 0
        asked = books.documents.asked["look"]
        reply = await invalidate(books.one, tag)
        assert (reply.status, reply.json) == (200, {"bumped": [tag.strip()]})
        for router in (books.one, books.other):
            assert (await call(router, "look")).source == "upstream"
        assert books.documents.asked["look"] == asked + 2


@pytest.mark.requirement("cache.invalidate")
async def test_a_tag_of_no_kind_that_is_read_is_bumped_with_a_note() -> None:
    """It may be misspelt; owners and repositories are spelled as tags spell them."""
    async with library() as books:
        reply = await invalidate(books.one, "dok:1")
        assert reply.json["bumped"] == ["dok:1"]
        assert "'doc'" in reply.json["note"]
        assert (await invalidate(books.one, "gh:Acme/Widgets#12")).json["bumped"] == [
            "gh:acme/widgets#12"
        ]


@pytest.mark.requirement("cache.invalidate")
@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b'["doc:1"]', "no object with one tag"),
        (b'{"invalidate": ["doc:1"]}', "no object with one tag"),
        (b'{"invalidate": "doc:1", "and": 2}', "no object with one tag"),
        (b'{"invalidate": "  "}', "empty"),
        (b'{"invalidate": "doc:"}', "'doc:' is no tag"),
        (b'{"invalidate": ":doc"}', "':doc' is no tag"),
        (b'{"invalidate": "doc:1\\u202e2"}', "invisible characters"),
        (b'{"invalidate": "' + b"d" * 301 + b'"}', "301 characters"),
    ],
)
async def test_what_is_no_tag_is_refused_with_the_fix(body: bytes, said: str) -> None:
    """400, and nothing is bumped."""
    async with library() as books:
        reply = await ask(books.one, body)
        assert (reply.status, said in reply.json["error"]) == (400, True), reply.body
        assert reply.json["fix"]
        assert (await stats(books.one))["bumps"] == 0


@pytest.mark.requirement("cache.invalidate")
async def test_a_body_that_is_too_large_is_refused() -> None:
    """413, before it is read."""
    async with library() as books:
        assert (await invalidate(books.one, "d" * 100_000)).status == 413


@pytest.mark.requirement("cache.page", "cache.invalidate", "gateway.scopes")
async def test_looking_needs_the_scope_observe_and_invalidating_needs_admin() -> None:
    """Each refusal names the scope that is lacking; without a key there is neither."""
    async with library(configured=KEYS) as books:
        port = books.one.port
        assert (await get(port, PAGE)).status == 401
        for bearer, looks, acts in ((BOSS, 200, 200), (EYE, 200, 403), (WORKER, 403, 403)):
            looked = await get(port, PAGE, bearing(bearer))
            acted = await invalidate(books.one, "doc:1", bearer)
            assert (looked.status, acted.status) == (looks, acts)
            if acts == 403:
                lacking = "admin" if looks == 200 else "observe"
                assert lacking in acted.json["error"]


async def test_other_methods_and_paths_say_what_there_is() -> None:
    """405 with the methods, 404 with the paths."""
    async with library() as books:
        deleted = await ask(books.one, b"", verb="DELETE")
        assert (deleted.status, deleted.headers["allow"]) == (405, "GET, HEAD, POST")
        posted = await ask(books.one, b"", path=f"{PAGE}/events")
        assert (posted.status, posted.headers["allow"]) == (405, "GET")
        for path in (f"{PAGE}/event", "/api/cash"):
            missing = await get(books.one.port, path)
            assert (missing.status, PAGE in missing.json["error"]) == (404, True)
