"""Each filter of the list of traces narrows it by itself, whatever the others say."""

import pytest

from tests.interaction.caching import call, library
from tests.interaction.seeing import rows

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
