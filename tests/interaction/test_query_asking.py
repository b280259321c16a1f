"""Agents that ask: their caller, in the middle of a run, and other agents, as deep as they may."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from mcp.client.client import ConnectMode
from mcp.client.context import ClientRequestContext
from mcp_types import (
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    InputRequiredResult,
)

from tests.interaction import keys
from tests.interaction.bridging import SAMPLE, Bridged, Gate, Run, ScriptedRunner, bridged
from tests.interaction.delegating import SECRET, granted, tokens_of
from tests.interaction.guarding import until
from tests.interaction.wire import failure
from trunkline_bridge.query.runner import Answer
from trunkline_shared.errors import Overloaded, TrunklineError, Unsupported

pytestmark = pytest.mark.anyio

AGENT = "mcp__bridge__query_mcp"


async def sure(_: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
    """Answer every question with yes."""
    return ElicitResult(action="accept", content={"said": f"yes to {params.message}"})


async def asking(run: Run) -> Answer | InputRequiredResult:
    """Ask the caller first, and then say what it said."""
    if run.asker.answers is None:
        params = ElicitRequestFormParams(
            message="Sure?", requested_schema={"type": "object", "properties": {}}
        )
        wanted = {"sure": ElicitRequest(params=params)}
        return InputRequiredResult(input_requests=wanted, request_state="half way")
    answer = run.asker.answers["sure"]
    assert isinstance(answer, ElicitResult)
    return run.answer(f"{run.asker.state}: {(answer.content or {})['said']}")


@pytest.mark.requirement("bridge.query-questions")
@pytest.mark.parametrize("era", ["2026-07-28", "legacy"])
async def test_a_runners_question_reaches_the_caller_and_its_answer_that_runner(
    era: ConnectMode,
) -> None:
    """With the state that the runner gave along; each round has a slot and a token of its own."""
    other = ScriptedRunner(lacks="not this one")
    runner, never = ScriptedRunner(script=asking), ScriptedRunner()
    one = {"bridge_concurrent": 1, "bridge_queue": 0}
    async with (
        asyncio.timeout(10),
        bridged(
            runners=[other, runner, never],
            settings=one,
            client={"mode": era, "elicitation_callback": sure},
        ) as here,
    ):
        answer = await here.query()
    assert answer["text"] == "half way: yes to Sure?"
    assert [len(each.runs) for each in (other, runner, never)] == [0, 2, 0]
    first, second = runner.runs
    assert first.mesh.token != second.mesh.token
    assert first.asker.capabilities.elicitation is not None


def diving(seen: list[TrunklineError]) -> Any:
    """Return a script that has an agent do the same, as deep as it goes."""

    async def dive(run: Run) -> Answer:
        try:
            below = await run.call("bridge", "query_mcp", prompt=run.query.prompt, tools=[AGENT])
        except TrunklineError as error:
            seen.append(error)
            return run.answer("0")
        return run.answer(str(1 + int(below["text"])))

    return dive


@pytest.mark.requirement("bridge.query-recursion")
async def test_agents_ask_agents_three_deep_and_the_next_is_told_why_not() -> None:
    """services.md 8.c: a bridge that calls itself."""
    seen: list[TrunklineError] = []
    wide = {"bridge_concurrent_per_caller": 4}
    async with asyncio.timeout(20), bridged(diving(seen), settings=wide) as here:
        answer = await here.query(tools=[AGENT])
        assert len(here.runner.runs) == 3
        # An inner run has no more time than the call that it was asked by: 5 s each here.
        times = [run.query.timeout_s for run in here.runner.runs]
        assert times[0] > 50
        assert max(times[1:]) < 5
    assert answer["text"] == "2"
    (error,) = seen
    assert isinstance(error, Unsupported)
    assert "as deep as they may (3)" in error.message
    assert error.details["reason"] == "not_delegated"


@pytest.mark.requirement("bridge.query-recursion", "bridge.query-slots")
async def test_a_run_inside_a_run_never_waits_for_a_slot_that_its_own_caller_holds() -> None:
    """It would wait for itself: it is refused at once, however empty the queue."""
    seen: list[TrunklineError] = []
    narrow = {"bridge_concurrent_per_caller": 1}
    async with asyncio.timeout(20), bridged(diving(seen), settings=narrow) as here:
        answer = await here.query(tools=[AGENT])
    assert answer["text"] == "0"
    (error,) = seen
    assert isinstance(error, Overloaded)
    assert error.details["queued"] == 0


def token_of(here: Bridged, subject: str) -> str:
    """Return a token of somebody; `subject` is who."""
    return tokens_of(here.router).minted(replace(granted(depth=0), subject=subject))


async def ask_as(here: Bridged, token: str, prompt: str) -> str:
    """Ask an agent as whoever has the token; returns its text or the error's code."""
    arguments = {"prompt": prompt, "tools": [SAMPLE]}
    params = {"name": "query_mcp", "arguments": arguments}
    reply = await keys.ask(here.router, token, "tools/call", params)
    if reply.result.get("isError"):
        return str(failure(reply)["error_code"])
    return str(reply.result["structuredContent"]["text"])


@pytest.mark.requirement("bridge.query-slots")
async def test_one_callers_runs_leave_room_for_another_callers() -> None:
    """Callers are told apart by what they show; who they are, the bridge never learns."""
    gate = Gate()
    slots = {"bridge_concurrent": 2, "bridge_concurrent_per_caller": 1, "bridge_queue": 2}
    async with (
        asyncio.timeout(20),
        bridged(gate, settings=slots, secret=SECRET) as here,
        asyncio.TaskGroup() as tasks,
    ):
        ada, again, bob = (token_of(here, who) for who in ("ada", "ada", "bob"))
        assert ada != again
        first = tasks.create_task(ask_as(here, ada, "ada's first"))
        await gate.until(entered=1)
        second = tasks.create_task(ask_as(here, again, "ada's second"))
        await until(here.router, lambda status: status["servers"]["bridge"]["in_flight"] == 2)
        while (third := await ask_as_soon(here, ada)) != "OVERLOADED":
            assert third == "waiting"
        others = tasks.create_task(ask_as(here, bob, "bob's"))
        await gate.until(entered=2)
        assert gate.order == ["ada's first", "bob's"]
        gate.free(3)
        said = [await one for one in (first, second, others)]
    assert said == ["ada's first", "ada's second", "bob's"]
    assert all("ada" not in str(run.mesh) for run in here.runner.runs)


async def ask_as_soon(here: Bridged, token: str) -> str:
    """Ask for a moment only: one that is queued is taken back."""
    try:
        async with asyncio.timeout(0.3):
            return await ask_as(here, token, "ada's third")
    except TimeoutError:
        return "waiting"
