"""Two routers that share a Redis: what one was answered, both have; what one changes, both know."""

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.interaction.caching import TOOLS, Documents, Seen, call
from tests.interaction.caching_redis import Shared, over_redis, until_on
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import head, modern, modern_headers, send
from tests.redis_process import RedisProcess
from tests.soak.replica import replicas
from trunkline_shared.store.entry_port import Entries, Entry
from trunkline_shared.store.store import Store

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]


async def ready(shared: Shared) -> None:
    """Wait until both routers use what is kept."""
    for router in shared.routers:
        await until_on(router.port)


async def at_once(shared: Shared, number: int, id_: str = "1") -> list[Seen]:
    """Ask the same so often at once, at each router in turn."""
    async with asyncio.TaskGroup() as tasks:
        asking = [
            tasks.create_task(call(shared.routers[each % 2], "look", id_)) for each in range(number)
        ]
    return [one.result() for one in asking]


@pytest.mark.requirement("cache.shared")
async def test_what_one_router_was_answered_the_other_has(redis_process: RedisProcess) -> None:
    """The server is asked once for both, and each keeps a copy of its own."""
    async with over_redis(redis_process) as shared:
        await ready(shared)
        assert (await call(shared.one, "look")).source == "upstream"
        assert [(await call(shared.other, "look")).source for _ in range(2)] == ["cache"] * 2
        assert shared.documents.asked["look"] == 1


@pytest.mark.requirement("cache.shared")
@pytest.mark.parametrize("write", ["change", "change_all", "comment"])
async def test_a_write_through_one_router_spoils_what_both_have(
    redis_process: RedisProcess, write: str
) -> None:
    """In their own memory and in Redis, with the answer of the write."""
    async with over_redis(redis_process) as shared:
        await ready(shared)
        await at_once(shared, 4)
        await call(shared.one, write)
        for router in (shared.other, shared.one):
            seen = await call(router, "look")
            assert (seen.source, seen.version) == ("upstream", 1)


@pytest.mark.requirement("cache.shared")
async def test_a_read_in_flight_at_one_router_is_spoiled_by_a_write_at_the_other(
    redis_process: RedisProcess,
) -> None:
    """Neither router gives its answer to anyone who began to ask after the write."""
    async with over_redis(redis_process) as shared:
        await ready(shared)
        gate = shared.documents.hold("look")
        async with asyncio.TaskGroup() as tasks:
            early = tasks.create_task(call(shared.one, "look"))
            await gate.asked.wait()
            await call(shared.other, "change")
            later = [await call(router, "look") for router in shared.routers]
            gate.free.set()
        assert early.result().version == 0
        assert [seen.version for seen in later] == [1, 1]
        assert [(await call(router, "look")).version for router in shared.routers] == [1, 1]


@pytest.mark.requirement("cache.coalesced-everywhere")
async def test_a_thousand_reads_at_once_on_two_routers_reach_the_server_once(
    redis_process: RedisProcess, tmp_path: Path
) -> None:
    """One of the routers asks; at the other all wait for what that one is answered."""
    documents = Documents()
    async with (
        running(Scripted(answer=documents, tools=[*TOOLS])) as url,
        replicas(2, url, redis_process, tmp_path, directly=True) as programs,
    ):
        for program in programs:
            await until_on(program.port)
        gate = documents.hold("look")
        async with asyncio.TaskGroup() as tasks:
            asking = [
                tasks.create_task(_asked(programs[number % 2].port)) for number in range(1_000)
            ]
            await gate.asked.wait()
            gate.free.set()
    assert documents.asked["look"] == 1
    sources = [one.result().source for one in asking]
    assert sources.count("upstream") == 1
    assert set(sources) == {"upstream", "coalesced", "cache"}


async def _asked(port: int) -> Seen:
    body = modern("tools/call", {"name": "look", "arguments": {"id": "1"}})
    raw = head(body, modern_headers("tools/call", "look"), port=port) + body
    return Seen(reply=await send(port, raw, timeout=30))


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """Entries of a router that comes late to lead: after another one has led, and has let go."""

    real: Entries
    before: asyncio.Event = field(default_factory=asyncio.Event)
    go: asyncio.Event = field(default_factory=asyncio.Event)

    async def get(self, key: str) -> Entry | None:
        return await self.real.get(key)

    async def put(self, key: str, data: bytes, *, life_s: float) -> None:
        await self.real.put(key, data, life_s=life_s)

    async def lead(self, key: str, *, for_s: float) -> bool:
        self.before.set()
        await self.go.wait()
        return await self.real.lead(key, for_s=for_s)

    async def let_go(self, key: str) -> None:
        await self.real.let_go(key)

    async def settled(self, key: str, *, within_s: float) -> None:
        await self.real.settled(key, within_s=within_s)


@pytest.mark.requirement("cache.coalesced-everywhere")
async def test_who_comes_late_to_lead_looks_once_more(redis_process: RedisProcess) -> None:
    """Between its look and its lead the other router has asked, kept, and let go."""
    late: list[Late] = []

    def change(number: int, store: Store) -> Store:
        if number == 0:
            return store
        late.append(Late(real=store.entries))
        return replace(store, entries=late[0])

    async with over_redis(redis_process, change=change) as shared:
        await ready(shared)
        async with asyncio.TaskGroup() as tasks:
            second = tasks.create_task(call(shared.other, "look"))
            await late[0].before.wait()
            first = await call(shared.one, "look")
            late[0].go.set()
        assert [first.source, second.result().source] == ["upstream", "cache"]
        assert shared.documents.asked["look"] == 1


@pytest.mark.requirement("cache.coalesced-everywhere")
async def test_a_router_that_is_cut_off_while_it_leads_holds_nobody_up_for_long(
    redis_process: RedisProcess,
) -> None:
    """Its lead ends by itself; meanwhile or then the other router asks."""
    async with over_redis(redis_process) as shared:
        await ready(shared)
        gate = shared.documents.hold("look")
        async with asyncio.TaskGroup() as tasks:
            leading = tasks.create_task(call(shared.one, "look"))
            await gate.asked.wait()
            shared.cables[0].cut()
            other = await call(shared.other, "look")
            gate.free.set()
        assert leading.result().version == other.version == 0
        shared.cables[0].mend()
