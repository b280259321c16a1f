"""`/api/series`: the last hour, counted exactly, by whoever made the calls."""

from typing import Any

import pytest

from tests.interaction.cache_operating import BOSS, EYE, KEYS, WORKER
from tests.interaction.caching import Library, call, library
from tests.interaction.seeing import page
from tests.interaction.wire import head, send

pytestmark = pytest.mark.anyio
PAGE = "/api/series"


async def series(books: Library, **query: str) -> Any:
    """Return what is shown to one who may look."""
    reply = await page(books.one, PAGE, EYE, **query)
    assert reply.status == 200, reply.body
    return reply.json


@pytest.mark.requirement("seeing.series")
async def test_calls_are_counted_by_who_made_them_and_when() -> None:
    """At once after they were answered, in steps of ten seconds, hits apart from what was asked."""
    async with library(configured=KEYS) as books:
        for bearer in (WORKER, WORKER, BOSS):
            await call(books.one, "look", bearer=bearer)
        books.clock.advance(10)
        await call(books.one, "change", bearer=BOSS)
        shown = await series(books)
        mine = await series(books, agent="boss", tool="look")
    assert shown["step_s"] == 10
    assert (shown["agents"], shown["servers"]) == (["boss", "worker"], ["github"])
    assert shown["tools"] == ["change", "look"]
    assert [(one["calls"], one["hits"], one["upstream"]) for one in shown["points"]] == [
        (3, 2, 1),
        (1, 0, 1),
    ]
    assert [one["calls"] for one in mine["points"]] == [1, 0]
    assert mine["points"][1]["p50_ms"] is None


@pytest.mark.requirement("seeing.series")
async def test_as_many_minutes_are_shown_as_are_asked_for() -> None:
    """An hour at the most."""
    async with library(configured=KEYS) as books:
        books.clock.advance(7200)
        lengths = [len((await series(books, minutes=n))["points"]) for n in ("1", "60")]
        assert lengths == [6, 360]
        refused = await page(books.one, PAGE, EYE, minutes="61")
        assert (refused.status, "from 1 to 60" in refused.json["error"]) == (400, True)


async def test_bytes_that_are_no_text_are_refused_as_such() -> None:
    """In a number, and harmless in a name."""
    async with library() as books:
        port = books.one.port
        for path, status in ((f"{PAGE}?minutes=%C3%28", 400), (f"{PAGE}?agent=%FF", 200)):
            assert (await page(books.one, path)).status == status
        raw = head(b"", {}, port=port, path="PATH", verb="GET")
        for odd, status in ((b"?minutes=\xff\xfe", 400), (b"?agent=\xff", 200)):
            asked = raw.replace(b"PATH", PAGE.encode() + odd)
            assert (await send(port, asked)).status in {status, 400}
