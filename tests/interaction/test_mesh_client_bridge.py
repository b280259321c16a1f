"""The bridge for a program: prompts, turns, how servers stand, in the bridge's own shapes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from tests.interaction.bridging import SAMPLE, Gate, Run, bridged
from tests.interaction.guarding import Mood, calls, sick
from tests.interaction.mesh import routing
from tests.interaction.upstreams import Scripted, running
from trunkline_bridge.query.runner import Answer
from trunkline_shared import errors
from trunkline_shared.client import Availability, MeshClient, QueryResult, ToolCall

pytestmark = pytest.mark.anyio

SCHEMA = {"type": "object", "properties": {"open": {"type": "integer"}}, "required": ["open"]}


async def _turning(run: Run) -> Answer:
    """Say what each turn is, and call a tool in one of them."""
    await run.on_turn(1, "asks echo")
    said = await run.call("sample", "echo", text="x")
    await run.on_turn(2, "answers")
    return run.answer("two are open", structured={"open": 2}, turns=2 if said else 0)


@pytest.mark.requirement("bridge.client-queries")
async def test_a_query_has_its_answer_typed_and_tells_its_turns() -> None:
    """What came of it in the bridge's shape, each turn as it began."""
    turns: list[tuple[int, str]] = []

    async def heard(number: int, what: str) -> None:
        turns.append((number, what))

    async with bridged(_turning) as here, MeshClient.connect(here.router.url) as mesh:
        result = await mesh.query_mcp(
            "How many?", [SAMPLE], on_turn=heard, maxTurns=4, jsonSchema=SCHEMA, timeout=5000
        )
    assert result == QueryResult(
        text="two are open",
        structured={"open": 2},
        turns=2,
        tool_calls=(ToolCall(server="sample", tool="echo", ok=True, ms=0),),
        servers=("sample",),
        elapsed_ms=result.elapsed_ms,
    )
    assert turns == [(1, "asks echo"), (2, "answers")]
    query = here.runner.runs[0].query
    assert (query.max_turns, query.model, query.prompt) == (4, "sonnet", "How many?")
    assert query.timeout_s <= 5


@pytest.mark.requirement("bridge.client-queries")
async def test_every_field_of_the_bridges_answer_has_its_like_in_the_client() -> None:
    """By the output schemas that the tools show; they are two packages that never meet."""
    async with bridged() as here, MeshClient.connect(here.router.url) as mesh:
        shown = {one.name: one.output_schema or {} for one in await mesh.list_tools("bridge")}
    query, own = shown["query_mcp"], QueryResult.model_json_schema()
    assert set(query["properties"]) == set(own["properties"])
    assert set(query["required"]) == set(own["required"])
    pairs = [
        (query["$defs"]["ToolCall"], own["$defs"]["ToolCall"]),
        (shown["is_server_available"], Availability.model_json_schema()),
    ]
    for bridges, ours in pairs:
        assert bridges["required"] == ours["required"]
        assert bridges["properties"] == {
            name: {key: value for key, value in field.items() if key != "title"}
            for name, field in ours["properties"].items()
        }


@pytest.mark.requirement("bridge.client-errors")
async def test_a_query_that_cannot_run_says_why() -> None:
    """Arguments first, then the runner, then the servers; each with its code."""
    async with bridged() as here, MeshClient.connect(here.router.url) as mesh:
        with pytest.raises(errors.InvalidInput) as few:
            await mesh.query_mcp("Do it.", [SAMPLE], maxTurns=2)
        with pytest.raises(errors.InvalidInput, match="sampel"):
            await mesh.query_mcp("Do it.", ["mcp__sampel__*"])
        here.runner.lacks = "it has no model"
        with pytest.raises(errors.Unsupported):
            await mesh.query_mcp("Do it.", [SAMPLE])
    fields = few.value.details["field_errors"]
    assert isinstance(fields, list)
    assert fields[0]["field"] == "options.maxTurns"


@pytest.mark.requirement("bridge.client-errors")
async def test_without_the_bridge_a_query_says_that_it_is_not_there() -> None:
    """Which server is lacking, not that something is malformed."""
    async with (
        running(Scripted()) as url,
        routing({"other": url}) as router,
        MeshClient.connect(router.url) as mesh,
    ):
        with pytest.raises(errors.Unsupported, match="bridge"):
            await mesh.query_mcp("Do it.", ["mcp__other__*"])


@pytest.mark.requirement("bridge.client-cancels")
async def test_a_cancelled_query_ends_its_run() -> None:
    """The agent is gone before anybody asks again."""
    gate = Gate()
    async with bridged(gate) as here, MeshClient.connect(here.router.url) as mesh:
        async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
            asked = tasks.create_task(mesh.query_mcp("Do it.", [SAMPLE]))
            await gate.until(entered=1)
            asked.cancel()
        await gate.until(left=1)


@pytest.mark.requirement("bridge.client-standing")
async def test_the_router_alone_says_how_servers_stand() -> None:
    """Without the bridge, and as the bridge says it: closed, then open after three failures."""
    mood = Mood()
    async with (
        running(Scripted(answer=mood)) as url,
        bridged(others={"wiki": url}) as here,
        MeshClient.connect(here.router.url) as mesh,
    ):
        before = await mesh.is_server_available("wiki")
        assert before
        mood.error = sick()
        await calls(here.router, "act", 3)
        after = await mesh.is_server_available("wiki")
        states = await mesh.get_circuit_breaker_states()
        told = await here.call("get_circuit_breaker_states")
        asked = await here.call("is_server_available", serverName="wiki")
    assert (before.state, before.retry_after, before.known) == ("closed", None, True)
    assert not after
    assert (after.state, asked["state"]) == ("open", "open")
    assert after.retry_after
    assert 0 < after.retry_after <= 330
    assert list(states) == sorted(states) == list(told)
    wiki = states["wiki"]
    assert (wiki.state, wiki.consecutiveFailures) == ("open", 3)
    assert wiki.lastFailureTime == told["wiki"]["lastFailureTime"] > 0
    assert states["sample"].lastFailureTime == 0


@pytest.mark.requirement("bridge.client-standing")
async def test_an_unknown_server_counts_as_available() -> None:
    """As the seed has it; the program is told that nobody knows it."""
    async with (
        running(Scripted()) as url,
        routing({"other": url}) as router,
        MeshClient.connect(router.url) as mesh,
    ):
        unknown = await mesh.is_server_available("google-calendar")
    assert unknown
    assert not unknown.known


@pytest.mark.requirement("bridge.client-standing")
async def test_the_block_for_a_prompt_is_the_bridges() -> None:
    """But for the way that a program reaches the tools; it keeps to its length."""
    mood = Mood(error=sick())
    async with (
        running(Scripted(answer=mood)) as url,
        bridged(others={"wiki": url}) as here,
        MeshClient.connect(here.router.url) as mesh,
    ):
        await calls(here.router, "act", 3)
        text = await mesh.format_for_context()
        short = await mesh.format_for_context(100)
        bridges = (await here.call("format_for_context"))["text"]
    lines = text.splitlines()
    assert lines[0] == "MCP Capabilities (via query_mcp):"
    assert lines[1:] == bridges.splitlines()[1:]
    assert any(line.startswith("- wiki: ") and "[DISABLED (3 failures)]" in line for line in lines)
    assert len(short) <= 100


@pytest.mark.requirement("bridge.client-tokens")
async def test_a_redirection_takes_no_token_anywhere() -> None:
    """Whoever answers with another address gets no second request with what opens the mesh."""
    secret = "s3cret-of-this-test"
    seen: list[web.Request] = []

    async def thief(http: web.Request) -> web.Response:
        seen.append(http)
        return web.json_response({})

    async def moved(_: web.Request) -> web.Response:
        return web.Response(status=307, headers={"Location": f"{elsewhere}/mcp"})

    async with (
        answering_http(thief) as elsewhere,
        answering_http(moved) as url,
        MeshClient.connect(url, token=secret) as mesh,
    ):
        for asked in (mesh.call_tool, mesh.is_server_available):
            with pytest.raises(errors.TrunklineError) as refused:
                await asked("echo")
            assert secret not in f"{refused.value} {refused.value.details}"
    assert not [http for http in seen if secret in str(http.headers)]
    assert not [http for http in seen if http.method == "POST"]


@asynccontextmanager
async def answering_http(
    handler: Callable[[web.Request], Awaitable[web.StreamResponse]],
) -> AsyncIterator[str]:
    """Answer every request so; yields the base URL."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
