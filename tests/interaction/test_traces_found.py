"""The list of traces: each filter by itself, and what those are called who were refused."""

import pytest

from tests.interaction.cache_operating import EYE, KEYS
from tests.interaction.caching import call, library
from tests.interaction.seeing import TRACES, page, rows

pytestmark = pytest.mark.anyio

NARROWED = [
    ({"tool": "look"}, ["look", "look"]),
    ({"tool": "change"}, ["change"]),
    ({"source": "upstream"}, ["change", "look"]),
    ({"source": "cache"}, ["look"]),
    ({"server": "github"}, ["change", "look", "look"]),
    ({"agent": "local"}, ["change", "look", "look"]),
    ({"error": "none"}, ["change", "look", "look"]),
    ({"error": "any"}, []),
]


@pytest.mark.requirement("seeing.traces-found")
async def test_each_filter_narrows_by_itself() -> None:
    """What nobody is called finds nothing."""
    async with library() as books:
        for _ in range(2):
            await call(books.one, "look")
        await call(books.one, "change", "2")
        for narrowed, tools in NARROWED:
            assert [row["tool"] for row in await rows(books.one, **narrowed)] == tools, narrowed
        for name in ("server", "agent", "tool", "source", "error"):
            assert await rows(books.one, **{name: "nobody"}) == [], name


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/status", "GET /status"),
        ("/api/series", "GET /api/{page}"),
        ("/servers/github/mcp", "GET /servers/{id}/mcp"),
        ("/p-word", "GET"),
    ],
)
async def test_who_was_refused_at_the_door_is_called_by_what_was_asked_for(
    path: str, name: str
) -> None:
    """Without what stands in its path: names stay few, and none shows what was sent."""
    async with library(configured=KEYS) as books:
        assert (await page(books.one, path)).status == 401
        (row,) = (await page(books.one, TRACES, EYE, error="401")).json["traces"]
    assert row["name"] == name
