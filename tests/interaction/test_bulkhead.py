"""A slow server fills its own slots and its own queue, and nobody else's."""

import asyncio

import pytest
from aiohttp import web

from tests.interaction.guarding import Mood, calls, code, sick, standing, until
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Json, Scripted, ok, result, running, tool
from tests.interaction.wire import call_modern, failure
from trunkline_shared import wire

pytestmark = pytest.mark.anyio


def narrow(
    url: str, *, concurrency: int = 1, queue: int = 1, **policy: dict[str, object]
) -> dict[str, object]:
    """Return a configuration with a server `a` of so many slots, and what its tools declare."""
    entry = {"url": f"{url}/mcp", "concurrency": concurrency, "queue": queue, "policy": policy}
    return {"servers": {"a": entry}}


async def until_queued(mesh: Mesh, number: int) -> None:
    """Wait until so many calls wait for a slot."""
    await until(mesh, lambda status: status["servers"]["a"]["queued"] == number)


@pytest.mark.requirement("gateway.bulkhead")
async def test_what_neither_runs_nor_fits_the_queue_is_refused_at_once() -> None:
    """With a hint when to come back; other servers run as ever."""
    mood = Mood(held=asyncio.Event())
    assert mood.held is not None
    async with (
        asyncio.timeout(20),
        running(Scripted(answer=mood)) as url,
        running(Scripted(tools=[tool("healthy")])) as well,
        routing({"well": well}, configured=narrow(url)) as mesh,
        asyncio.TaskGroup() as tasks,
    ):
        runs = tasks.create_task(call_modern(mesh.port, "act"))
        await mood.seen(1)
        waits = tasks.create_task(call_modern(mesh.port, "act"))
        await until_queued(mesh, 1)
        refused = failure(await call_modern(mesh.port, "act"))
        assert (refused["error_code"], refused["retryable"]) == ("OVERLOADED", True)
        assert refused["retry_after"] >= 1
        assert refused["details"] == {"server": "a", "running": 1, "queued": 1}
        assert (await standing(mesh, "a"))["in_flight"] == 1
        assert await calls(mesh, "healthy", 3) == ["ok"] * 3
        mood.held.set()
        assert [code(await runs), code(await waits)] == ["ok", "ok"]


@pytest.mark.requirement("gateway.bulkhead")
async def test_who_waits_longest_is_served_first() -> None:
    """And a caller that leaves gives its place to the next."""
    order: list[object] = []
    gates = [asyncio.Event() for _ in range(3)]

    async def answer(http: web.Request, request: Json) -> web.StreamResponse:
        params = request["params"]
        assert isinstance(params, dict)
        order.append(params["arguments"]["n"])
        await gates[len(order) - 1].wait()
        return await ok(http, request)

    async with (
        asyncio.timeout(20),
        running(Scripted(answer=answer)) as url,
        routing({"a": url}, configured=narrow(url, queue=5)) as mesh,
        asyncio.TaskGroup() as tasks,
    ):
        waiting = []
        for number in range(4):
            call = call_modern(mesh.port, "act", arguments={"n": number})
            waiting.append(tasks.create_task(call))
            await until_queued(mesh, number)
            await until(mesh, lambda status: status["servers"]["a"]["in_flight"] == 1)
        waiting[1].cancel()
        await until_queued(mesh, 2)
        for gate in gates:
            gate.set()
        await asyncio.wait(waiting)
    assert order == [0, 2, 3]


async def test_a_call_waits_no_longer_than_it_may_take() -> None:
    """OVERLOADED, not TIMEOUT: nothing was sent, so that even a write may be repeated."""
    mood = Mood(held=asyncio.Event())
    assert mood.held is not None
    async with (
        asyncio.timeout(20),
        running(Scripted(answer=mood)) as url,
        routing({"a": url}, configured=narrow(url, write={"timeout_s": 0.2})) as mesh,
        asyncio.TaskGroup() as tasks,
    ):
        runs = tasks.create_task(call_modern(mesh.port, "act"))
        await mood.seen(1)
        assert code(await call_modern(mesh.port, "write")) == "OVERLOADED"
        assert mood.begun == 1
        mood.held.set()
        await runs
        assert await calls(mesh, "act", 1) == ["ok"]


@pytest.mark.requirement("gateway.bulkhead-waits", "bridge.waits-apart")
async def test_what_only_waits_holds_no_slot() -> None:
    """Waiting for CI keeps nobody out."""
    mood = Mood(held=asyncio.Event())
    assert mood.held is not None

    async def answer(http: web.Request, request: Json) -> web.StreamResponse:
        params = request["params"]
        assert isinstance(params, dict)
        return await (mood if params["name"] == "wait" else ok)(http, request)

    async with (
        asyncio.timeout(20),
        running(Scripted(answer=answer, tools=[tool("wait"), tool("act")])) as url,
        routing({"a": url}, configured=narrow(url, queue=0, wait={"waits": True})) as mesh,
        asyncio.TaskGroup() as tasks,
    ):
        waits = [tasks.create_task(call_modern(mesh.port, "wait")) for _ in range(3)]
        await mood.seen(3)
        assert await calls(mesh, "act", 2) == ["ok", "ok"]
        mood.held.set()
        assert [code(await one) for one in waits] == ["ok"] * 3


@pytest.mark.requirement("gateway.bulkhead-breaker", "bridge.breaker-slot")
async def test_who_waits_when_the_breaker_opens_is_refused_at_once() -> None:
    """It need not wait for its turn to hear it."""
    hold, began = asyncio.Event(), asyncio.Condition()
    count = 0

    async def answer(http: web.Request, request: Json) -> web.StreamResponse:
        nonlocal count
        count += 1
        async with began:
            began.notify_all()
        params = request["params"]
        assert isinstance(params, dict)
        if params["name"] == "write":
            await hold.wait()
        return result(request, wire.to_result(sick()))

    async with (
        asyncio.timeout(20),
        running(Scripted(answer=answer)) as url,
        routing({"a": url}, configured=narrow(url, concurrency=2, queue=9)) as mesh,
        asyncio.TaskGroup() as tasks,
    ):
        held = tasks.create_task(call_modern(mesh.port, "write"))
        async with began:
            await began.wait_for(lambda: count == 1)
        assert await calls(mesh, "act", 2) == ["UPSTREAM_UNAVAILABLE"] * 2
        other = tasks.create_task(call_modern(mesh.port, "write"))
        async with began:
            await began.wait_for(lambda: count == 4)
        waits = [tasks.create_task(call_modern(mesh.port, "act")) for _ in range(3)]
        await until_queued(mesh, 3)
        hold.set()
        assert {code(await held), code(await other)} == {"UPSTREAM_UNAVAILABLE"}
        assert [code(await one) for one in waits] == ["CIRCUIT_OPEN"] * 3
        assert count == 4
