"""What a trace shows of a call's way through the router: the store, the queue, leader, breaker."""

import asyncio

import pytest
from opentelemetry.trace import SpanKind

from tests.interaction.caching import call, library
from tests.interaction.caching_redis import over_redis, until_on
from tests.interaction.guarding import Mood, calls, code, sick
from tests.interaction.mesh import Mesh, routing
from tests.interaction.quota_notes import noting
from tests.interaction.test_bulkhead import narrow, until_queued
from tests.interaction.test_cache_coalescing import until_waiting
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import call_modern
from tests.redis_process import RedisProcess
from trunkline_router.span import Span

pytestmark = pytest.mark.anyio


def requests(mesh: Mesh) -> list[Span]:
    """Return the spans of what clients asked, in the order in which they ended."""
    return [span for span in mesh.spans if span.kind is SpanKind.SERVER]


def beneath(mesh: Mesh, request: Span) -> list[str]:
    """Return the names of a request's direct children, in the order in which they ended."""
    return [span.name for span in mesh.spans if span.parent_id == request.span_id]


@pytest.mark.requirement("seeing.followers")
async def test_a_follower_is_linked_to_its_leader() -> None:
    """Each has a trace of its own; only the leader's has the way to the server."""
    async with library() as shared, asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        gate = shared.documents.hold("look")
        first = tasks.create_task(call(shared.one, "look"))
        await gate.asked.wait()
        second = tasks.create_task(call(shared.one, "look"))
        await until_waiting(shared, 2)
        gate.free.set()
        told = {(await first).note["trace_id"]: "leads", (await second).note["trace_id"]: "follows"}
    by_role = {told[span.trace]: span for span in requests(shared.one) if span.trace in told}
    leads, follows = by_role["leads"], by_role["follows"]
    assert leads.links == ()
    assert follows.links == (leads.ids,)
    assert beneath(shared.one, leads) == ["tools/call look"]
    assert beneath(shared.one, follows) == []


@pytest.mark.requirement("seeing.store")
async def test_each_time_that_a_call_waits_for_redis_has_a_span(
    redis_process: RedisProcess,
) -> None:
    """With the operation's name, and neither a key nor a value."""
    async with over_redis(redis_process) as shared, asyncio.timeout(40):
        for router in shared.routers:
            await until_on(router.port)
        assert (await call(shared.one, "look")).source == "upstream"
        assert (await call(shared.one, "look")).source == "cache"
        assert (await call(shared.other, "look")).source == "cache"
        await call(shared.one, "change")
        fetched, hit, write = requests(shared.one)
        (elsewhere,) = requests(shared.other)
    assert beneath(shared.one, fetched)[:2] == ["EVALSHA read_generations", "GET entry"]
    assert {"SET entry", "tools/call look"} <= set(beneath(shared.one, fetched))
    assert beneath(shared.one, hit) == ["EVALSHA read_generations"]
    assert beneath(shared.other, elsewhere) == ["EVALSHA read_generations", "GET entry"]
    assert beneath(shared.one, write) == [
        "EVALSHA bump_generations",
        "tools/call change",
        "EVALSHA bump_generations",
    ]
    stored = [span for span in shared.one.spans if "db.system.name" in span.attributes]
    assert {span.kind for span in stored} == {SpanKind.CLIENT}
    assert all(span.attributes.keys() == {"db.system.name", "db.operation.name"} for span in stored)


@pytest.mark.requirement("seeing.queue")
async def test_the_wait_for_a_slot_is_part_of_the_trace() -> None:
    """As a step of its own, before the request to the server."""
    mood = Mood(held=asyncio.Event())
    assert mood.held is not None
    async with (
        asyncio.timeout(20),
        running(Scripted(answer=mood)) as url,
        routing({}, configured=narrow(url)) as mesh,
        asyncio.TaskGroup() as tasks,
    ):
        runs = tasks.create_task(call_modern(mesh.port, "act"))
        await mood.seen(1)
        waits = tasks.create_task(call_modern(mesh.port, "act"))
        await until_queued(mesh, 1)
        mood.held.set()
        assert [code(await runs), code(await waits)] == ["ok", "ok"]
    steps = {tuple(beneath(mesh, span)): span for span in requests(mesh)}
    assert steps.keys() == {("tools/call act",), ("queue", "tools/call act")}
    queued = steps["queue", "tools/call act"]
    assert float(queued.attributes["trunkline.queued_ms"]) > 0


@pytest.mark.requirement("seeing.breaker")
async def test_a_call_that_an_open_breaker_refuses_is_traced() -> None:
    """It says so, and shows that nobody was asked."""
    mood = Mood(error=sick())
    async with running(Scripted(answer=mood)) as url, routing({"a": url}) as mesh:
        codes = await calls(mesh, "act", 4)
    assert codes[-1] == "CIRCUIT_OPEN"
    *asked, refused = requests(mesh)
    assert [beneath(mesh, span) for span in asked] == [["tools/call act"]] * 3
    assert beneath(mesh, refused) == []
    assert refused.attributes["trunkline.breaker"] == "open"
    assert refused.attributes["error.type"] == "circuit_open"
    assert refused.attributes["trunkline.server"] == "a"


@pytest.mark.requirement("seeing.quota")
async def test_what_is_left_of_a_quota_stands_on_the_call_that_told_it() -> None:
    """The least of what the vendor counts apart; a hit, which asked nobody, tells nothing."""
    async with library() as shared:
        shared.documents.mood = noting(4321)
        await call(shared.one, "look")
        await call(shared.one, "look")
    told, hit = requests(shared.one)
    assert told.attributes["trunkline.quota.remaining"] == 4321
    assert (
        hit.attributes["trunkline.source"],
        hit.attributes.get("trunkline.quota.remaining"),
    ) == (
        "cache",
        None,
    )
