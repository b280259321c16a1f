"""The races that make other caches stale, each forced: answers wait until the test lets them go."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.interaction.caching import Library, call, library, reads, tool, versions
from tests.interaction.guarding import code
from tests.interaction.upstreams import cut

pytestmark = pytest.mark.anyio


@pytest.fixture
async def two() -> AsyncIterator[Library]:
    """Two routers that share what they know."""
    async with library(routers=2) as library_:
        yield library_


@pytest.mark.requirement("cache.reads-cost-nothing")
async def test_a_read_that_was_answered_costs_nothing(two: Library) -> None:
    """The server is asked once, however often agents ask."""
    assert await versions(two.one, "look", 3) == [("upstream", 0), ("cache", 0), ("cache", 0)]
    assert two.documents.asked["look"] == 1


@pytest.mark.requirement("cache.read-write-read")
@pytest.mark.parametrize("write", ["change", "change_all", "comment", "change_anything"])
async def test_a_read_after_a_write_is_fresh(two: Library, write: str) -> None:
    """Whatever the write touched: the object, all above it, or a part of it."""
    await versions(two.one, "look", 2)
    await call(two.one, write)
    assert await versions(two.one, "look", 1) == [("upstream", 1)]


@pytest.mark.requirement("cache.read-write-read")
async def test_what_a_write_has_nothing_to_do_with_is_still_kept(two: Library) -> None:
    """A change of one object costs the reads of others nothing."""
    await call(two.one, "look", "2")
    await call(two.one, "change", "1")
    assert (await call(two.one, "look", "2")).source == "cache"


@pytest.mark.requirement("cache.read-write-read")
async def test_a_read_of_all_is_fresh_after_a_write_to_one(two: Library) -> None:
    """A change beneath a tag spoils what was read under it, on either router."""
    await call(two.one, "look_at_all", "")
    await call(two.other, "look_at_all", "")
    await call(two.one, "comment", "7")
    for router in two.routers:
        seen = await call(router, "look_at_all", "")
        assert (seen.source, seen.version) == ("upstream", 1)


@pytest.mark.requirement("cache.write-through-the-other")
async def test_a_write_through_the_other_router_counts(two: Library) -> None:
    """What one router keeps in its memory is spoiled by a write that it has not seen."""
    await versions(two.one, "look", 2)
    await call(two.other, "change")
    assert await versions(two.one, "look", 1) == [("upstream", 1)]


@pytest.mark.requirement("cache.read-in-flight")
@pytest.mark.parametrize("writer", [0, 1])
async def test_a_read_in_flight_during_a_write_is_not_kept(two: Library, writer: int) -> None:
    """Its answer, of what was before, goes to the one who asked before, and to nobody else."""
    gate = two.documents.hold("look")
    async with asyncio.TaskGroup() as tasks:
        early = tasks.create_task(call(two.one, "look"))
        await gate.asked.wait()
        await call(two.routers[writer], "change")
        gate.free.set()
    assert early.result().version == 0
    two.settle()
    assert await versions(two.one, "look", 2) == [("upstream", 1), ("cache", 1)]


@pytest.mark.requirement("cache.read-in-flight")
async def test_a_reader_never_joins_a_read_from_before_a_write(two: Library) -> None:
    """The read from before is still underway: a reader that begins now asks for itself."""
    gate = two.documents.hold("look")
    async with asyncio.TaskGroup() as tasks:
        early = tasks.create_task(call(two.one, "look"))
        await gate.asked.wait()
        await call(two.other, "change")
        assert await versions(two.one, "look", 1) == [("upstream", 1)]
        gate.free.set()
    assert early.result().version == 0


@pytest.mark.requirement("cache.read-in-flight")
async def test_a_read_that_begins_during_a_write_is_not_kept_beyond_it(two: Library) -> None:
    """It may have seen what was before: the write takes effect only after it was answered."""
    gate = two.documents.hold("change", late=True)
    async with asyncio.TaskGroup() as tasks:
        writing = tasks.create_task(call(two.one, "change"))
        await gate.asked.wait()
        two.settle()
        during = await versions(two.other, "look", 2)
        gate.free.set()
    assert not writing.result().failed
    assert [version for _, version in during] == [0, 0]
    assert await versions(two.other, "look", 1) == [("upstream", 1)]


@pytest.mark.requirement("cache.read-in-flight")
async def test_a_read_from_right_after_a_write_is_not_joined_when_that_time_is_over(
    two: Library,
) -> None:
    """A copy of the vendor's that lagged behind may have answered it."""
    await call(two.one, "change")
    gate = two.documents.hold("look")
    async with asyncio.TaskGroup() as tasks:
        early = tasks.create_task(call(two.one, "look"))
        await gate.asked.wait()
        two.settle()
        assert await versions(two.one, "look", 2) == [("upstream", 1), ("cache", 1)]
        gate.free.set()
    assert early.result().source == "upstream"


@pytest.mark.requirement("cache.read-in-flight")
async def test_a_late_store_after_an_invalidation_is_not_found(two: Library) -> None:
    """The answer from before is kept under generations that nobody asks for any more."""
    gate = two.documents.hold("look")
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(call(two.one, "look"))
        await gate.asked.wait()
        await call(two.one, "change")
        two.settle()
        gate.free.set()
    assert [version for _, version in await versions(two.one, "look", 3)] == [1, 1, 1]


@pytest.mark.requirement("cache.failed-writes")
async def test_a_write_that_failed_counts(two: Library) -> None:
    """Its connection was cut, and the server has done it all the same."""
    await versions(two.one, "look", 2)
    two.documents.hold("change", then=cut).free.set()
    assert code((await call(two.other, "change")).reply) == "NETWORK_ERROR"
    assert await versions(two.one, "look", 1) == [("upstream", 1)]


@pytest.mark.requirement("cache.failed-writes")
async def test_after_a_write_in_doubt_nothing_is_kept_for_a_minute(two: Library) -> None:
    """The server may carry it out at any time until then."""
    two.documents.hold("change", then=cut).free.set()
    await call(two.other, "change")
    two.clock.advance(55)
    await call(two.one, "look")
    two.documents.versions["1"] += 1
    assert await versions(two.one, "look", 1) == [("upstream", 2)]
    two.clock.advance(10)
    assert await versions(two.one, "look", 2) == [("upstream", 2), ("cache", 2)]


@pytest.mark.requirement("cache.failed-writes")
async def test_a_write_that_timed_out_and_is_done_later_is_seen(two: Library) -> None:
    """The router has given up on it; the server had not."""
    gate = two.documents.hold("change_quickly")
    await versions(two.one, "look", 2)
    assert code((await call(two.one, "change_quickly")).reply) == "TIMEOUT"
    assert await versions(two.other, "look", 1) == [("upstream", 1)]
    gate.free.set()


@pytest.mark.requirement("cache.writes-reach-the-server")
async def test_seven_identical_writes_reach_the_server_seven_times(two: Library) -> None:
    """One after the other, and all at once over both routers: none is kept, none is joined."""
    assert [(await call(two.one, "change")).source for _ in range(7)] == ["upstream"] * 7
    async with asyncio.TaskGroup() as tasks:
        for number in range(7):
            tasks.create_task(call(two.routers[number % 2], "change"))
    assert two.documents.asked["change"] == 14


@pytest.mark.requirement("cache.settles")
async def test_what_is_read_right_after_a_write_is_not_kept(two: Library) -> None:
    """The vendor's copies may lag behind its own answer; ten seconds later they do not."""
    await call(two.one, "change")
    assert await versions(two.one, "look", 2) == [("upstream", 1), ("upstream", 1)]
    two.settle()
    assert await versions(two.other, "look", 2) == [("upstream", 1), ("cache", 1)]


@pytest.mark.requirement("cache.writer-leaves")
async def test_a_writer_that_leaves_does_not_keep_others_from_the_truth(two: Library) -> None:
    """The write takes effect after its caller has gone: what was read meanwhile is spoiled."""
    gate = two.documents.hold("change", late=True)
    async with asyncio.TaskGroup() as tasks:
        leaving = tasks.create_task(call(two.one, "change"))
        await gate.asked.wait()
        two.settle()
        await versions(two.other, "look", 2)
        two.documents.versions["1"] += 1
        leaving.cancel()
        await gate.gone.wait()
    seen = await call(two.other, "look")
    assert (seen.source, seen.version) == ("upstream", 1)
    two.clock.advance(50)
    assert await versions(two.other, "look", 2) == [("upstream", 1)] * 2


ODD = [
    tool("look", reads=reads("wiki:page-{id}")),
    tool("look_first", reads=reads("{id}:page")),
    tool("change", writes={"tags": ["wiki:page-{id}"]}),
    tool("change_first", writes={"tags": ["{id}:page"]}),
]


@pytest.mark.requirement("cache.read-write-read")
@pytest.mark.parametrize(("read", "write"), [("look", "change"), ("look_first", "change_first")])
async def test_a_write_that_does_not_say_what_it_touches_touches_all_that_it_might(
    read: str, write: str
) -> None:
    """Also where the tag is not declared as a path: what is missing is in the middle of a name."""
    async with library(tools=ODD) as odd:
        assert [(await call(odd.one, read)).source for _ in range(2)] == ["upstream", "cache"]
        await call(odd.one, write, "")
        assert (await call(odd.one, read)).source == "upstream"
