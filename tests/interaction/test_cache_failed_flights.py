"""A read that fails underway: who asks later, once something has changed, does not share that."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.interaction.caching import Library, call, library
from tests.interaction.test_cache_never import not_found, refused
from tests.interaction.upstreams import Answer

pytestmark = pytest.mark.anyio

WHATEVER = ""
"""The document that the server finds itself, so that only its answer tells which it was."""


@pytest.fixture
async def one() -> AsyncIterator[Library]:
    """One router."""
    async with library() as library_:
        yield library_


@pytest.mark.requirement("cache.read-in-flight")
@pytest.mark.parametrize("failing", [not_found, refused])
async def test_a_failure_from_before_a_write_is_not_for_who_asks_after_it(
    one: Library, failing: Answer
) -> None:
    """A failure does not tell which document it was about, so it may have been the one written."""
    one.documents.told = {"tags": ["doc:1"]}
    assert not (await call(one.one, "look", WHATEVER)).failed
    await call(one.one, "change", "1")
    one.settle()
    gate = one.documents.hold("look", then=failing)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(call(one.one, "look", WHATEVER))
        await gate.asked.wait()
        one.documents.told = None
        await call(one.one, "change", "2")
        later = tasks.create_task(call(one.one, "look", WHATEVER))
        for _ in range(100):
            await asyncio.sleep(0)
        await call(one.one, "look_unkept")
        gate.free.set()
    seen = later.result()
    assert "error" not in seen.reply.json
    assert not seen.failed


@pytest.mark.requirement("cache.read-in-flight")
async def test_a_failure_is_shared_as_long_as_nothing_has_changed(one: Library) -> None:
    """Whoever asks at the same time need not ask the server for it again."""
    one.documents.told = {"tags": ["doc:1"]}
    await call(one.one, "look", WHATEVER)
    await call(one.one, "change", "1")
    one.settle()
    gate = one.documents.hold("look", then=not_found)
    async with asyncio.TaskGroup() as tasks:
        first = tasks.create_task(call(one.one, "look", WHATEVER))
        await gate.asked.wait()
        second = tasks.create_task(call(one.one, "look", WHATEVER))
        for _ in range(100):
            await asyncio.sleep(0)
        await call(one.one, "look_unkept")
        gate.free.set()
    assert first.result().failed
    assert second.result().failed
    assert one.documents.asked["look"] == 2


@pytest.mark.requirement("cache.reads-cost-nothing")
async def test_an_answer_that_tells_no_more_what_it_is_about_is_kept_all_the_same(
    one: Library,
) -> None:
    """It stands for all that it may have been about, and is found again."""
    one.documents.told = {"tags": ["doc:1"]}
    await call(one.one, "look", WHATEVER)
    await call(one.one, "change", "1")
    one.settle()
    one.documents.told = None
    seen = [await call(one.one, "look", WHATEVER) for _ in range(3)]
    assert [each.source for each in seen] == ["upstream", "cache", "cache"]
    await call(one.one, "change", "2")
    assert (await call(one.one, "look", WHATEVER)).source == "upstream"
