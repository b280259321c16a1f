"""What breakers do under many calls at once, for servers nobody knew, and while clocks jump."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import web

from tests.interaction.guarding import Mood, breaker, calls, code, sick, standing
from tests.interaction.mesh import routing
from tests.interaction.reloading import following, server
from tests.interaction.upstreams import Json, Scripted, running, tool
from tests.interaction.wire import call_modern
from tests.standing_clock import StandingClock

pytestmark = pytest.mark.anyio

CROWD = 60


@pytest.mark.requirement("bridge.breaker-probe", "bridge.breaker-states")
async def test_of_a_crowd_after_the_pause_one_call_goes_through() -> None:
    """Closed, open after three, half-open for one of many, closed for all."""
    mood, clock = Mood(error=sick()), StandingClock()
    async with (
        asyncio.timeout(20),
        running(Scripted(answer=mood)) as url,
        routing({"a": url}, clock=clock) as mesh,
        asyncio.TaskGroup() as tasks,
    ):
        assert (await breaker(mesh, "a"))["state"] == "closed"
        await calls(mesh, "act", 3)
        assert (await breaker(mesh, "a"))["state"] == "open"
        clock.advance(331)
        mood.error, mood.held = None, asyncio.Event()
        crowd = [tasks.create_task(call_modern(mesh.port, "act")) for _ in range(CROWD)]
        refused = 0
        for done in asyncio.as_completed(crowd):
            told = code(await done)
            refused += told == "CIRCUIT_OPEN"
            if refused == CROWD - 1 and not mood.held.is_set():
                shown = await breaker(mesh, "a")
                assert (shown["state"], shown["probes"], mood.begun) == ("half-open", 1, 4)
                mood.held.set()
        assert (refused, mood.begun) == (CROWD - 1, 4)
        assert (await breaker(mesh, "a"))["state"] == "closed"
        assert await calls(mesh, "act", 3) == ["ok"] * 3


@pytest.mark.requirement("bridge.breaker-unknown")
async def test_a_server_that_is_configured_later_has_a_breaker_too(tmp_path: Path) -> None:
    """A foreign one that no start knew of, from its first call on."""
    mood = Mood(error=sick())
    async with (
        running(Scripted(tools=[tool("known")])) as old,
        running(Scripted(answer=mood)) as new,
        following(tmp_path / "t.yaml", {"servers": {"old": server(old)}}) as router,
    ):
        router.write({"servers": {"old": server(old), "new": server(new)}})
        await router.seen(lambda directory: "act" in directory.tools)
        assert await calls(router.mesh, "act", 4) == ["UPSTREAM_UNAVAILABLE"] * 3 + ["CIRCUIT_OPEN"]
        assert (await breaker(router.mesh, "new"))["state"] == "open"
        assert await calls(router.mesh, "known", 1) == ["ok"]


class Jumping(StandingClock):
    """A clock whose time of day is set anew, while its monotonic time runs on."""

    def __init__(self) -> None:
        super().__init__()
        self.set_by = 0.0

    def now(self) -> float:
        return super().now() + self.set_by


@pytest.mark.requirement("bridge.breaker-monotonic")
@pytest.mark.parametrize("jump_s", [-86_400.0, 86_400.0])
async def test_the_time_of_day_neither_opens_nor_closes_a_breaker(jump_s: float) -> None:
    """Seed: wall-clock time. Only the time that has passed counts for the pause."""
    mood, clock = Mood(error=sick()), Jumping()
    async with running(Scripted(answer=mood)) as url, routing({"a": url}, clock=clock) as mesh:
        await calls(mesh, "act", 3)
        clock.set_by = jump_s
        mood.error = None
        assert await calls(mesh, "act", 1) == ["CIRCUIT_OPEN"]
        clock.advance(200)
        assert await calls(mesh, "act", 1) == ["CIRCUIT_OPEN"]
        clock.advance(131)
        assert await calls(mesh, "act", 1) == ["ok"]


@pytest.mark.requirement("bridge.breaker-slot")
async def test_an_open_breaker_refuses_before_a_slot_is_looked_for() -> None:
    """The only slot is taken and nobody may wait: CIRCUIT_OPEN all the same, and at once."""
    hold, began = asyncio.Event(), asyncio.Event()

    async def answer(http: web.Request, request: Json) -> web.StreamResponse:
        params = request["params"]
        assert isinstance(params, dict)
        if params["name"] == "write":
            began.set()
            await hold.wait()
        return await Mood(error=sick())(http, request)

    tools = [tool("write"), tool("act"), tool("wait")]
    async with asyncio.timeout(10), running(Scripted(answer=answer, tools=tools)) as url:
        entry = {
            "url": f"{url}/mcp", "concurrency": 1, "queue": 0, "policy": {"wait": {"waits": True}}
        }  # fmt: skip
        async with (
            routing({"a": url}, configured={"servers": {"a": entry}}) as mesh,
            asyncio.TaskGroup() as tasks,
        ):
            held = tasks.create_task(call_modern(mesh.port, "write"))
            await began.wait()
            assert await calls(mesh, "act", 1) == ["OVERLOADED"]
            await calls(mesh, "wait", 3)
            assert await calls(mesh, "act", 2) == ["CIRCUIT_OPEN"] * 2
            shown = await standing(mesh, "a")
            assert (shown["in_flight"], shown["queued"]) == (1, 0)
            hold.set()
            await held
