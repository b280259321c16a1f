"""Reads that are asked at once: one goes to the server, and nobody suffers for another."""

import asyncio
from collections.abc import AsyncIterator
from typing import Self

import pytest

from tests.interaction.caching import Gate, Library, Seen, call, library, versions
from tests.interaction.guarding import code
from tests.interaction.upstreams import cut
from tests.interaction.wire import head as head_of
from tests.interaction.wire import modern, modern_headers

pytestmark = pytest.mark.anyio


@pytest.fixture
async def one() -> AsyncIterator[Library]:
    """One router."""
    async with library() as library_:
        yield library_


async def until_waiting(shared: Library, number: int) -> None:
    """Wait until so many reads wait for the one that is underway."""
    for _ in range(number * 20):
        await asyncio.sleep(0)
    await call(shared.one, "look_unkept")


class Leaving:
    """A client that asks and can leave."""

    def __init__(self, shared: Library, name: str = "look") -> None:
        self._port, self._name = shared.one.port, name

    async def __aenter__(self) -> Self:
        body = modern("tools/call", {"name": self._name, "arguments": {"id": "1"}})
        _, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        headers = modern_headers("tools/call", self._name)
        self._writer.write(head_of(body, headers, port=self._port) + body)
        await self._writer.drain()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.leave()

    def leave(self) -> None:
        self._writer.transport.abort()


async def asked_at_once(shared: Library, gate: Gate, number: int) -> list[Seen]:
    """Ask so often while the first read is underway, then let it go on."""
    async with asyncio.TaskGroup() as tasks:
        asking = [tasks.create_task(call(shared.one, "look"))]
        await gate.asked.wait()
        asking += [tasks.create_task(call(shared.one, "look")) for _ in range(number - 1)]
        await until_waiting(shared, number)
        gate.free.set()
    return [one.result() for one in asking]


@pytest.mark.requirement("cache.coalesced")
async def test_reads_at_once_reach_the_server_once(one: Library) -> None:
    """All get the answer, each with a note of its own that tells how it came."""
    seen = await asked_at_once(one, one.documents.hold("look"), 50)
    assert one.documents.asked["look"] == 1
    assert {each.version for each in seen} == {0}
    assert seen[0].source == "upstream"
    assert {each.source for each in seen[1:]} <= {"coalesced", "cache"}
    assert sum(each.source == "coalesced" for each in seen) > 40
    assert len({each.note["trace_id"] for each in seen}) == 50


@pytest.mark.requirement("cache.coalesced")
async def test_reads_of_different_things_are_not_joined(one: Library) -> None:
    """Another argument is another question."""
    async with asyncio.TaskGroup() as tasks:
        asking = [tasks.create_task(call(one.one, "look", str(n))) for n in range(10)]
    assert {each.result().result["structuredContent"]["id"] for each in asking} == {
        str(n) for n in range(10)
    }
    assert one.documents.asked["look"] == 10


@pytest.mark.requirement("cache.coalesced-leaving")
async def test_a_leader_that_leaves_does_not_take_its_followers_along(one: Library) -> None:
    """The read goes on for those who wait for it, and is not asked again."""
    gate = one.documents.hold("look")
    async with Leaving(one) as leader, asyncio.TaskGroup() as tasks:
        await gate.asked.wait()
        following = [tasks.create_task(call(one.one, "look")) for _ in range(3)]
        await until_waiting(one, 3)
        leader.leave()
        await until_waiting(one, 3)
        gate.free.set()
    assert {each.result().version for each in following} == {0}
    assert {each.result().source for each in following} == {"coalesced"}
    assert one.documents.asked["look"] == 1
    assert await versions(one.one, "look", 1) == [("cache", 0)]


@pytest.mark.requirement("cache.coalesced-leaving")
async def test_the_last_to_leave_calls_the_read_off(one: Library) -> None:
    """Nobody waits for it any more: the server may stop."""
    gate = one.documents.hold("look")
    async with Leaving(one) as leader, Leaving(one) as follower:
        await gate.asked.wait()
        await until_waiting(one, 2)
        leader.leave()
        await until_waiting(one, 2)
        assert not gate.gone.is_set()
        follower.leave()
        await gate.gone.wait()
    assert await versions(one.one, "look", 2) == [("upstream", 0), ("cache", 0)]


@pytest.mark.requirement("cache.coalesced-failing")
async def test_a_leader_that_fails_tells_its_followers(one: Library) -> None:
    """They get the failure as their own; the server is not asked by each, and it is not kept."""
    seen = await asked_at_once(one, one.documents.hold("look", then=cut), 10)
    assert {code(each.reply) for each in seen} == {"NETWORK_ERROR"}
    assert one.documents.asked["look"] <= 3
    assert await versions(one.one, "look", 2) == [("upstream", 0), ("cache", 0)]


@pytest.mark.requirement("cache.coalesced-deadlines")
async def test_a_follower_with_more_time_is_not_failed_by_its_leaders_end(one: Library) -> None:
    """The leader's time is up and it has failed; the follower, who came later, asks for itself."""
    gate = one.documents.hold("look_quickly")
    one.documents.hold("look_shortly")
    async with asyncio.TaskGroup() as tasks:
        leading = tasks.create_task(call(one.one, "look_quickly"))
        await gate.asked.wait()
        # Another one's end tells that some of the leader's time is over.
        assert code((await call(one.one, "look_shortly")).reply) == "TIMEOUT"
        following = tasks.create_task(call(one.one, "look_quickly"))
    assert code(leading.result().reply) == "TIMEOUT"
    assert (following.result().source, following.result().version) == ("upstream", 0)


@pytest.mark.requirement("cache.coalesced-deadlines")
async def test_a_follower_waits_no_longer_than_its_own_time(one: Library) -> None:
    """A server that answers nobody is given up by each in its time."""
    gates = [one.documents.hold("look_quickly") for _ in range(20)]
    async with asyncio.TaskGroup() as tasks:
        asking = [tasks.create_task(call(one.one, "look_quickly")) for _ in range(8)]
    assert {code(each.result().reply) for each in asking} == {"TIMEOUT"}
    assert gates[0].gone.is_set()
