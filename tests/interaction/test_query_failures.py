"""Runs that come to no good end: what is told, and who is held to blame."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.interaction.bridging import SAMPLE, Bridged, Gate, Run, Script, bridged, done
from tests.interaction.guarding import Mood, breaker, calls, sick, standing, until_state
from tests.interaction.upstreams import Scripted, running, tool
from tests.standing_clock import StandingClock
from trunkline_bridge.query.runner import Answer
from trunkline_shared.errors import (
    AuthError,
    NetworkError,
    RateLimited,
    TrunklineError,
    UpstreamTimeout,
    UpstreamUnavailable,
)

pytestmark = pytest.mark.anyio

READS = ["mcp__sample__echo", "mcp__sample__fail"]


async def hanging(run: Run) -> Answer:
    """Begin a turn, and never come back."""
    await run.on_turn(1, "thinks")
    await asyncio.Event().wait()
    return run.answer()


def failing(error: TrunklineError) -> Script:
    """Return a script that ends so."""

    async def fail(run: Run) -> Answer:
        await run.on_turn(1, "thinks")
        raise error

    return fail


@pytest.mark.requirement("bridge.query-deadline")
async def test_a_run_ends_in_time_and_says_whether_anything_may_have_happened() -> None:
    """It may have where a tool that writes was within its reach."""
    quick = {"timeout": 1000}
    async with asyncio.timeout(20), bridged(hanging) as here:
        wrote = await here.query_refused(options=quick)
        read = await here.query_refused(tools=READS, options=quick)
        here.runner.script = failing(UpstreamTimeout("claude was killed"))
        own = await here.query_refused(options=quick)
    for failure in (wrote, read, own):
        assert failure["error_code"] == "TIMEOUT"
        assert failure["details"]["turns"] == 1
        assert "in turn 1 of 3" in failure["message"]
        assert "options.timeout" in failure["hint"]
    for failure in (wrote, own):
        assert failure["details"]["may_have_happened"] is True
        assert failure["retryable"] is False
        assert failure["hint"].startswith("Look whether")
    assert "may_have_happened" not in read["details"]
    assert read["retryable"] is True


@pytest.mark.requirement("bridge.query-blame", "bridge.query")
@pytest.mark.parametrize(
    "error",
    [
        UpstreamUnavailable("The model's service answered HTTP 401."),
        NetworkError("The model's service cannot be reached."),
        UpstreamTimeout("The model did not answer."),
        AuthError("The model's key is not valid."),
        RateLimited("The model's plan is used up.", retry_after=9),
    ],
    ids=lambda error: error.code,
)
async def test_what_fails_in_a_run_is_held_against_no_server(error: TrunklineError) -> None:
    """services.md 8.c: the seed charges every server that a prompt names, for a bad key too."""
    async with bridged(failing(error)) as here:
        both: dict[str, Any] = {"tools": ["mcp__sample__*", "mcp__bridge__*"]}
        failures = [await here.query_refused(**both) for _ in range(4)]
        assert [failure["error_code"] for failure in failures] == [error.code] * 4
        for server in ("bridge", "sample"):
            shown = await breaker(here.router, server)
            assert (shown["state"], shown["consecutiveFailures"]) == ("closed", 0)
        here.runner.script = done
        assert (await here.query())["text"] == "done"
    assert {failure["retry_after"] for failure in failures} == {error.retry_after}


@pytest.mark.requirement("bridge.query-blame")
async def test_a_failure_that_may_have_written_says_so_and_a_sound_one_is_repeatable() -> None:
    """Only reading cannot have."""
    async with bridged(failing(UpstreamUnavailable("The model failed."))) as here:
        wrote = await here.query_refused()
        read = await here.query_refused(tools=READS)
    assert wrote["details"] == {"failed": "agent", "may_have_happened": True}
    assert (wrote["retryable"], read["retryable"]) == (False, True)
    assert read["details"] == {"failed": "agent"}


@pytest.mark.requirement("bridge.query-blame")
async def test_a_server_is_charged_for_the_calls_that_it_failed_and_no_other_is() -> None:
    """Once each, by the router, whether the run ends well or not."""

    async def trying(run: Run) -> Answer:
        with pytest.raises(UpstreamUnavailable):
            await run.call("ill", "act")
        return run.answer("did what it could")

    async with (
        running(Scripted(answer=Mood(error=sick()))) as ill,
        running(Scripted(tools=[tool("healthy")])) as well,
        bridged(trying, others={"ill": ill, "well": well}) as here,
    ):
        answer = await here.query(tools=["mcp__ill__*", "mcp__well__*"])
        charged = {
            server: (await breaker(here.router, server))["consecutiveFailures"]
            for server in ("ill", "well", "bridge")
        }
    assert answer["servers"] == ["ill", "well"]
    assert charged == {"ill": 1, "well": 0, "bridge": 0}


@dataclass(kw_only=True)
class Ward:
    """A mesh with a server `ill` that fails, its mood, and a clock that stands."""

    here: Bridged
    mood: Mood
    clock: StandingClock
    ill: dict[str, Any] = field(default_factory=lambda: {"tools": ["mcp__ill__*"]})

    async def opens(self) -> None:
        """Have the breaker open."""
        await calls(self.here.router, "act", 3)
        await until_state(self.here.router, "ill", "open")


def _ward(here: Bridged, mood: Mood, clock: StandingClock) -> Ward:
    return Ward(here=here, mood=mood, clock=clock)


@pytest.mark.requirement("bridge.query-breakers")
async def test_an_open_breaker_refuses_at_once_without_a_slot() -> None:
    """Seed: throws without consuming a slot; here none is free, and that is not what is told."""
    mood, clock, gate = Mood(error=sick()), StandingClock(), Gate()
    full = {"bridge_concurrent": 1, "bridge_queue": 0}
    async with (
        asyncio.timeout(20),
        running(Scripted(answer=mood)) as url,
        bridged(gate, others={"ill": url}, settings=full, clock=clock) as here,
        asyncio.TaskGroup() as tasks,
    ):
        ward = _ward(here, mood, clock)
        await ward.opens()
        held = tasks.create_task(here.query("well"))
        await gate.until(entered=1)
        clock.advance(100)
        refused = await here.query_refused(tools=[SAMPLE, "mcp__ill__act"])
        busy = await here.query_refused()
        gate.free()
        assert (await held)["text"] == "well"
    assert refused["error_code"] == "CIRCUIT_OPEN"
    assert "'ill' failed 3 times in a row" in refused["message"]
    assert 165 <= refused["retry_after"] <= 235
    assert refused["details"]["server"] == "ill"
    assert refused["details"]["consecutive_failures"] == 3
    assert busy["error_code"] == "OVERLOADED"
    assert gate.order == ["well"]


@pytest.mark.requirement("bridge.query-breakers")
async def test_a_breaker_that_opens_while_a_query_waits_refuses_it_in_its_turn() -> None:
    """Nothing is run; the slot goes on to whoever is next."""
    mood, clock, gate = Mood(error=sick()), StandingClock(), Gate()
    async with (
        asyncio.timeout(20),
        running(Scripted(answer=mood)) as url,
        bridged(gate, others={"ill": url}, settings={"bridge_concurrent": 1}, clock=clock) as here,
        asyncio.TaskGroup() as tasks,
    ):
        ward = _ward(here, mood, clock)
        first = tasks.create_task(here.query("first"))
        await gate.until(entered=1)
        waits = tasks.create_task(here.query_refused("ill", **ward.ill))
        next_ = tasks.create_task(here.query("next"))
        await _until_in_flight(here, 3)
        await ward.opens()
        gate.free(2)
        assert (await waits)["error_code"] == "CIRCUIT_OPEN"
        assert [(await first)["text"], (await next_)["text"]] == ["first", "next"]
    assert gate.order == ["first", "next"]


async def _until_in_flight(here: Bridged, number: int) -> None:
    """Wait until the bridge has so many calls; those that came late are in its queue."""
    while (await standing(here.router, "bridge"))["in_flight"] < number:
        pass


@pytest.mark.requirement("bridge.query-breakers")
async def test_after_the_pause_one_probe_is_let_through_and_its_end_decides() -> None:
    """Seed: closed, open after three, half-open after the pause, closed after a success.

    services.md 8.c: the seed lets every waiting call through; meanwhile a query is refused here.
    """
    mood, clock = Mood(error=sick()), StandingClock()

    async def acting(run: Run) -> Answer:
        with suppress(UpstreamUnavailable):
            # It answers without structured content, which no agent minds.
            await run.call("ill", "act")
        return run.answer()

    async with (
        asyncio.timeout(20),
        running(Scripted(answer=mood)) as url,
        bridged(done, others={"ill": url}, clock=clock) as here,
        asyncio.TaskGroup() as tasks,
    ):
        ward = _ward(here, mood, clock)
        await ward.opens()
        clock.advance(400)
        assert (await here.query(**ward.ill))["text"] == "done"
        assert (await breaker(here.router, "ill"))["state"] != "closed"
        mood.error, mood.held = None, asyncio.Event()
        here.runner.script = acting
        probing = tasks.create_task(here.query(**ward.ill))
        await mood.seen(4)
        meanwhile = await here.query_refused(**ward.ill)
        mood.held.set()
        await probing
        after = await breaker(here.router, "ill")
        assert (await here.query(**ward.ill))["text"] == "done"
    assert meanwhile["error_code"] == "CIRCUIT_OPEN"
    assert (after["state"], after["consecutiveFailures"]) == ("closed", 0)


@pytest.mark.requirement("bridge.query-schema")
async def test_a_structured_answer_fits_its_schema_or_names_where_it_does_not() -> None:
    """The text is told as well, and nobody's breaker hears of it."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    given: dict[str, Any] = {"tools": READS, "options": {"jsonSchema": schema}}
    said = ['{"n": 7}', '{"n": "seven"}', "Seven.\u202e"]

    async def answering(run: Run) -> Answer:
        return run.answer(said.pop(0))

    async with bridged(answering) as here:
        fits = await here.query(**given)
        misfit = await here.query_refused(**given)
        text = await here.query_refused(**given)
        shown = await breaker(here.router, "bridge")
    assert fits["structured"] == {"n": 7}
    assert misfit["error_code"] == text["error_code"] == "UPSTREAM_UNAVAILABLE"
    assert "at $.n: 'seven' is not of type 'integer'" in misfit["message"]
    assert misfit["details"]["path"] == "$.n"
    assert misfit["details"]["text"] == '{"n": "seven"}'
    assert text["details"]["text"] == "Seven."
    assert (shown["state"], shown["consecutiveFailures"]) == ("closed", 0)
