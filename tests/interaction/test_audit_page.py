"""`/api/audit`: the newest writes for admins, whether or not a file keeps them."""

from pathlib import Path

import orjson
import pytest

from tests.interaction.cache_operating import BOSS, KEYS, WORKER
from tests.interaction.caching import Library, call, library
from tests.interaction.seeing import page
from tests.interaction.upstreams import cut

pytestmark = pytest.mark.anyio
PAGE = "/api/audit"


async def records(books: Library, **query: str) -> list[dict[str, object]]:
    """Return what an admin is shown."""
    reply = await page(books.one, PAGE, BOSS, **query)
    assert reply.status == 200, reply.body
    return list(reply.json["records"])


@pytest.mark.requirement("seeing.audit")
async def test_writes_are_shown_newest_first_without_a_log() -> None:
    """Who, what, how it ended and its trace; reads leave nothing."""
    async with library(configured=KEYS) as books:
        assert await records(books) == []
        await call(books.one, "look", bearer=WORKER)
        seen = [await call(books.one, "change", str(n), bearer=WORKER) for n in (1, 2)]
        newest, oldest = await records(books)
        assert [newest["trace_id"], oldest["trace_id"]] == [
            one.note["trace_id"] for one in reversed(seen)
        ]
        assert (newest["subject"], newest["tool"], newest["result"]) == ("worker", "change", "ok")
        assert await records(books, limit="1") == [newest]


@pytest.mark.requirement("seeing.audit")
async def test_what_is_shown_is_what_the_log_says(tmp_path: Path) -> None:
    """The same records, and as little of what was said."""
    log = tmp_path / "audit.jsonl"
    async with library(configured=KEYS, audit_log=str(log)) as books:
        for number in range(3):
            await call(books.one, "change", f"secret-{number}", bearer=WORKER)
        shown = await records(books)
        assert b"secret-" not in orjson.dumps([one["arguments"] for one in shown])
    written = [orjson.loads(line) for line in log.read_bytes().splitlines()]
    assert shown == written[::-1]


@pytest.mark.requirement("seeing.audit")
async def test_a_refused_write_is_shown_too() -> None:
    """With the code that its caller was told."""
    async with library(configured=KEYS) as books:
        books.documents.mood = cut
        await call(books.one, "change", bearer=WORKER)
        (record,) = await records(books)
        assert record["result"] != "ok"


@pytest.mark.parametrize("limit", ["0", "1001", "x"])
async def test_a_limit_that_is_none_is_refused(limit: str) -> None:
    """The newest thousand are kept."""
    async with library(configured=KEYS) as books:
        reply = await page(books.one, PAGE, BOSS, limit=limit)
        assert (reply.status, "from 1 to 1000" in reply.json["error"]) == (400, True)
