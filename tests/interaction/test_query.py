"""`query_mcp` through the router: an agent with just the named tools, and what comes of it."""

import asyncio
from typing import Any

import pytest
from mcp import Client
from mcp.client.client import ConnectMode
from mcp_types import CallToolResult

from tests.interaction.bridging import SAMPLE, Gate, Run, bridged, done
from tests.interaction.delegating import SECRET, tokens_of
from trunkline_bridge.query.runner import Answer
from trunkline_shared.errors import BlockedByPolicy, NotFound, TrunklineError, Unsupported
from trunkline_shared.mesh.asking import Asking

pytestmark = pytest.mark.anyio

ERAS: list[ConnectMode] = ["2026-07-28", "legacy"]


async def echoing(run: Run) -> Answer:
    """Call one tool and say what it said."""
    said = await run.call("sample", "echo", text=run.query.prompt)
    return run.answer(str(said["said"]), turns=2)


@pytest.mark.requirement("bridge.query")
@pytest.mark.parametrize("era", ERAS)
async def test_an_agent_uses_the_tools_it_is_given_and_its_answer_comes_back(
    era: ConnectMode,
) -> None:
    """With turns, calls, servers and the time it took."""
    async with bridged(echoing, client={"mode": era}) as here:
        answer = await here.query("Say this.")
    assert answer.pop("elapsed_ms") >= 0
    (call,) = answer.pop("tool_calls")
    assert (call["server"], call["tool"], call["ok"]) == ("sample", "echo", True)
    assert answer == {"text": "Say this.", "structured": None, "turns": 2, "servers": ["sample"]}


@pytest.mark.requirement("bridge.query")
async def test_a_tool_that_fails_is_told_with_its_code_and_ends_no_run() -> None:
    """The agent goes on with what it has."""

    async def failing(run: Run) -> Answer:
        with pytest.raises(NotFound):
            await run.call("sample", "fail")
        return await echoing(run)

    async with bridged(failing) as here:
        answer = await here.query()
    failed, echoed = answer["tool_calls"]
    assert (failed["ok"], failed["error_code"]) == (False, "NOT_FOUND")
    assert (echoed["ok"], echoed["error_code"]) == (True, None)


@pytest.mark.requirement("bridge.query-narrow")
async def test_an_agent_reaches_the_named_tools_and_nothing_else() -> None:
    """Neither another tool of the server nor another server, whatever its caller may."""
    refusals: list[TrunklineError] = []

    async def prying(run: Run) -> Answer:
        for server, tool in (("sample", "touch"), ("bridge", "is_server_available")):
            with pytest.raises((BlockedByPolicy, Unsupported)) as caught:
                await run.call(server, tool)
            refusals.append(caught.value)
        asking = Asking(http=run.http, name="prying", version="1")
        listed: Any = (await asking.ask(run.mesh, "tools/list", {}, 5))["tools"]
        return run.answer(" ".join(tool["name"] for tool in listed))

    async with bridged(prying) as here:
        answer = await here.query(tools=["mcp__sample__echo", "mcp__sample__count"])
    assert answer["text"].split() == ["echo", "count"]
    assert len(refusals) == 2


@pytest.mark.requirement("bridge.query-narrow")
async def test_a_runs_token_has_its_callers_bindings_and_ends_with_the_run() -> None:
    """It is as deep as the bridge's own, opens the patterns only, and mints nothing."""
    async with bridged(secret=SECRET) as here:
        url = f"{here.router.mcp}?owner=acme&repo=widgets&pr_number=12"
        async with Client(url) as client:
            given = {"prompt": "p", "tools": [SAMPLE], "options": {"timeout": 5000}}
            result = await client.call_tool("query_mcp", given)
        assert isinstance(result, CallToolResult)
        assert not result.is_error, result.content
        tokens = tokens_of(here.router)
        (run,) = here.runner.runs
        assert run.mesh.token is not None
        assert run.mesh.token not in repr(run.mesh)
        grant = tokens.read(run.mesh.token)
    assert grant is not None
    assert str(grant.context) == "owner acme, repo widgets, pr_number 12"
    assert (grant.depth, grant.scopes) == (1, frozenset({"tools"}))
    assert grant.rights.allow == ((SAMPLE,),)
    assert grant.expires <= tokens.clock.now() + 7


@pytest.mark.requirement("bridge.query-progress")
@pytest.mark.parametrize("era", ERAS)
async def test_each_turn_is_told_as_it_begins_and_progress_grows(era: ConnectMode) -> None:
    """A runner that counts oddly makes no progress that shrinks; texts are cleaned and short."""
    told: list[tuple[float, float | None, str | None]] = []
    heard = asyncio.Event()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))
        if progress == 7:
            heard.set()

    async def turning(run: Run) -> Answer:
        for number, message in ((1, "a\u202eb"), (1, "again"), (3, "x" * 900), (2, "back")):
            await run.on_turn(number, message)
        await run.on_turn(7, "more than were allowed")
        await heard.wait()
        return run.answer()

    async with asyncio.timeout(10), bridged(turning, client={"mode": era}) as here:
        await here.client.call_tool(
            "query_mcp",
            {"prompt": "p", "tools": [SAMPLE], "options": {"maxTurns": 5}},
            progress_callback=hear,
        )
    assert [(progress, total) for progress, total, _ in told] == [(1, 5), (3, 5), (7, 7)]
    assert told[0][2] == "ab"
    assert len(str(told[1][2])) == 200


@pytest.mark.requirement("bridge.query-cancel")
@pytest.mark.parametrize("era", ERAS)
async def test_a_cancelled_call_ends_its_run_and_frees_its_slot(era: ConnectMode) -> None:
    """The run clears up first; the next has the slot."""
    gate = Gate()
    one = {"bridge_concurrent": 1, "bridge_queue": 0}
    async with (
        asyncio.timeout(10),
        bridged(gate, settings=one, client={"mode": era}) as here,
        asyncio.TaskGroup() as tasks,
    ):
        asked = tasks.create_task(here.query())
        await gate.until(entered=1)
        full = await here.query_refused()
        asked.cancel()
        await gate.until(left=1)
        here.runner.script = done
        while "error_code" in (again := (await here.raw("query_mcp", **_GIVEN)).model_dump_json()):
            assert "OVERLOADED" in again
    assert full["error_code"] == "OVERLOADED"


_GIVEN: dict[str, Any] = {"prompt": "p", "tools": [SAMPLE]}


@pytest.mark.requirement("bridge.query-text")
async def test_a_text_is_cleaned_and_capped_on_its_way() -> None:
    """What a model says is made of what strangers wrote."""

    async def long(run: Run) -> Answer:
        return run.answer("a\u202e" + "b" * 60_000 + "\ud800")

    async with bridged(long) as here:
        answer = await here.query()
    assert answer["text"].startswith("abbb")
    assert answer["text"].endswith("[cut: 10002 of 60002 characters left out]")
