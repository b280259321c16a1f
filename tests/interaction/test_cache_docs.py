"""`docs/cache.md` names each thing that operators are shown of the cache, and no other."""

import re
from pathlib import Path

import pytest

from tests.interaction.cache_operating import samples, stats
from tests.interaction.caching import call, library
from tests.interaction.quota_notes import noting
from tests.interaction.wire import get

pytestmark = pytest.mark.anyio

PAGE = (Path(__file__).parents[2] / "docs" / "cache.md").read_text(encoding="utf-8")
LOOKING = PAGE.partition("## Looking at it\n")[2].partition("\n## ")[0]
OF_SOME = {"reason", "since"}
"""What a store tells besides."""


@pytest.mark.requirement("cache.metrics")
async def test_each_metric_is_explained() -> None:
    """By the name that Prometheus knows it by; all others are in a page of their own."""
    async with library() as books:
        books.documents.mood = noting(4000)
        await call(books.one, "look")
        scraped = samples((await get(books.one.port, "/metrics")).body.decode())
    shown = {name.split()[0].removesuffix("_count").removesuffix("_sum") for name in scraped}
    named = set(re.findall(r"`(trunkline_\w+)`", LOOKING.partition("### Prometheus")[2]))
    assert named == {name for name in shown if name.startswith("trunkline_cache_")}


@pytest.mark.requirement("cache.status")
async def test_each_member_of_the_status_is_explained() -> None:
    """In one table."""
    async with library() as books:
        shown = set(await stats(books.one))
    table = LOOKING.partition("| member |")[2].partition("\n\n")[0]
    cells = re.findall(r"(?m)^\| ((?:`\w+`(?:, )?)+) \|", table)
    named = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    assert named - OF_SOME == shown
