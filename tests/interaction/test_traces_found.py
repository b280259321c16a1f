"""The list of traces: each filter by itself, and what those are called who were refused."""

import pytest

from tests.interaction.cache_operating import EYE, KEYS
from tests.interaction.caching import call, library
from tests.interaction.seeing import TRACES, page, rows
from tests.interaction.wire import send

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


async def test_who_asks_for_another_host_is_there() -> None:
    """A public URL that is missing from the configuration can be seen by that."""
    async with library() as books:
        raw = b"GET /status HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n"
        refused = await send(books.one.port, raw)
        (row,) = await rows(books.one, error="any")
    assert refused.status == 421
    assert (row["name"], row["error"]) == ("GET /status", "421")


async def test_a_call_of_a_tool_that_is_not_there_is_among_what_went_wrong() -> None:
    """With who asked, though the conventions call it no error of the server's."""
    async with library() as books:
        await call(books.one, "luck")
        (row,) = await rows(books.one, error="any")
        assert await rows(books.one, error="none") == []
    assert (row["tool"], row["agent"], row["error"]) == ("luck", "local", "-32602")
