"""The caller's own model works on a query: a round for each turn, in every era of clients."""

import asyncio
from typing import Any

import pytest
from mcp_types import (
    CallToolResult,
    CreateMessageRequestParams,
    ErrorData,
    ImageContent,
    ModelHint,
    SamplingCapability,
    TextContent,
    ToolChoice,
)

from tests.interaction.legacy_wire import legacy_client
from tests.interaction.sampling import SAMPLE, MeetingTools, Said, said, sampling, says, use, wants
from trunkline_shared.server import ToolServer
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.serving import serving
from trunkline_shared.tool import tools_of

pytestmark = pytest.mark.anyio

ERAS = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])


@ERAS
@pytest.mark.requirement("bridge.sampling-turns")
async def test_a_model_uses_tools_and_answers(mode: Any) -> None:
    """Three turns: each result comes back under its own id, and every call is told of."""
    turns = (
        wants(("echo", {"text": "one"}), ("echo", {"text": "two"}), text="I look."),
        wants(("fail", {})),
        says("Both were said."),
    )
    async with asyncio.timeout(10), sampling() as mesh, mesh.client(*turns, mode=mode) as asker:
        answer = await asker.query(tools=["mcp__sample__echo", "mcp__sample__fail"])
    assert (answer["text"], answer["turns"]) == ("Both were said.", 3)
    assert [(c["tool"], c["ok"], c.get("error_code")) for c in answer["tool_calls"]] == [
        ("echo", True, None),
        ("echo", True, None),
        ("fail", False, "NOT_FOUND"),
    ]
    model = asker.model
    assert [result.tool_use_id for result in model.results(2)] == ["use-0", "use-1"]
    assert model.told(2) == ['{"said":"one"}', '{"said":"two"}']
    assert model.results(3)[0].is_error
    assert '"NOT_FOUND"' in model.told(3)[0]


@pytest.mark.requirement("bridge.sampling-tools")
async def test_a_model_is_shown_the_querys_tools_and_no_others() -> None:
    """By name, description and input schema; the prompt is the first message."""
    async with asyncio.timeout(10), sampling() as mesh, mesh.client(says("Done.")) as asker:
        await asker.query(prompt="Say it.", tools=["mcp__sample__echo"], options={"model": "opus"})
    (asked,) = asker.model.asked
    assert asked.tools is not None
    (echo,) = asked.tools
    assert (echo.name, echo.description) == ("mcp__sample__echo", "Say it again.")
    assert echo.input_schema["required"] == ["text"]
    assert asked.messages[0].content_as_list == [TextContent(text="Say it.")]
    assert asked.model_preferences is not None
    assert asked.model_preferences.hints == [ModelHint(name="opus")]


@pytest.mark.requirement("bridge.sampling-parallel")
async def test_reads_of_one_turn_run_at_once_and_writes_one_after_another() -> None:
    """Two reads can only meet when both are there; two writes never do."""
    tools = MeetingTools()
    turns = (
        wants(("meet", {}), ("meet", {}), server="meeting"),
        wants(("write", {"text": "a"}), ("write", {"text": "b"}), server="meeting"),
        says("Done."),
    )
    async with (
        asyncio.timeout(10),
        serving(ToolServer("m", version="1", instructions="", tools=tools_of(tools))) as url,
        sampling(others={"meeting": url}) as mesh,
        mesh.client(*turns) as asker,
    ):
        answer = await asker.query(tools=["mcp__meeting__*"])
    assert [call["ok"] for call in answer["tool_calls"]] == [True] * 4
    assert tools.written == ["a", "b"]


@pytest.mark.requirement("bridge.sampling-tools")
@pytest.mark.parametrize("name", ["echo", "mcp__sample__ecko", "mcp__sample__echo", "x" * 5000])
async def test_a_tool_that_is_not_the_querys_is_not_called(name: str) -> None:
    """The model hears of it, and of the nearest; one of the same server is no exception."""
    turns = (wants((name, {"text": "x"}), server=None), says("So be it."))
    async with asyncio.timeout(10), sampling() as mesh, mesh.client(*turns) as asker:
        answer = await asker.query(tools=["mcp__sample__fail"])
    assert answer["tool_calls"] == []
    assert asker.model.results(2)[0].is_error
    assert '"INVALID_INPUT"' in asker.model.told(2)[0]


@pytest.mark.requirement("bridge.sampling-capability")
@ERAS
@pytest.mark.parametrize("declared", [None, SamplingCapability()])
async def test_without_the_capability_nothing_is_asked(mode: Any, declared: Any) -> None:
    """UNSUPPORTED names it; arguments are looked at before."""
    async with (
        asyncio.timeout(10),
        sampling() as mesh,
        mesh.client(mode=mode, sampling_capabilities=declared) as asker,
    ):
        refused = await asker.refused()
        wrong = await asker.refused(options={"maxTurns": 2})
    assert refused["error_code"] == "UNSUPPORTED"
    assert "sampling.tools" in refused["message"]
    assert wrong["error_code"] == "INVALID_INPUT"
    assert not asker.model.asked


@pytest.mark.requirement("bridge.sampling-refused")
async def test_a_person_says_no_to_a_legacy_client() -> None:
    """The client's error is the tool's, which says that it was taken back."""
    no = ErrorData(code=-1, message="User rejected sampling request")
    async with asyncio.timeout(10), sampling() as mesh, mesh.client(no, mode="legacy") as asker:
        refused = await asker.refused()
    assert refused["error_code"] == "CANCELLED"
    assert "User rejected" in refused["message"]


IMAGE = ImageContent(data="aGk=", mime_type="image/png")
DEEP: dict[str, Any] = {}
for _ in range(100):
    DEEP = {"d": DEEP}


NO_ANSWERS = [
    (said([]), "CANCELLED"),
    (said([TextContent(text=" \n")]), "CANCELLED"),
    (said([IMAGE]), "CANCELLED"),
    (said([], stop_reason="toolUse"), "CANCELLED"),
    (said([TextContent(text="x")], role="user"), "INVALID_INPUT"),
    (said([use("a"), use("a")], stop_reason="toolUse"), "INVALID_INPUT"),
    (said([use("")], stop_reason="toolUse"), "INVALID_INPUT"),
    (said([use("i" * 300)], stop_reason="toolUse"), "INVALID_INPUT"),
    (said([use(str(n)) for n in range(65)], stop_reason="toolUse"), "INVALID_INPUT"),
    (said([use("a", DEEP)], stop_reason="toolUse"), "INVALID_INPUT"),
    (said([TextContent(text="x" * 500_000)]), "TOO_LARGE"),
    (said([use("a", {"text": "x" * 399_700})], stop_reason="toolUse"), "TOO_LARGE"),
]


@pytest.mark.requirement("bridge.sampling-refused", "bridge.sampling-hostile")
@ERAS
async def test_what_is_no_answer_is_an_error_that_says_so(mode: Any) -> None:
    """Nothing said, a role that is not the model's, ids twice, depth, size: never our own bug."""
    turns, codes = zip(*NO_ANSWERS, strict=True)
    async with asyncio.timeout(30), sampling() as mesh, mesh.client(*turns, mode=mode) as asker:
        refused = [(await asker.refused())["error_code"] for _ in turns]
        states = await asker.client.call_tool("get_circuit_breaker_states", {})
    assert refused == list(codes)
    assert isinstance(states, CallToolResult)
    assert states.structured_content is not None
    assert states.structured_content["bridge"]["consecutiveFailures"] == 0


@pytest.mark.requirement("bridge.sampling-hostile")
async def test_a_legacy_client_that_answers_anything_is_refused() -> None:
    """Whatever has not the form of an answer is its own mistake, and no failure of a server."""
    declared: dict[str, Any] = {"sampling": {"tools": {}}}
    call = {"name": "query_mcp", "arguments": {"prompt": "Do it.", "tools": [SAMPLE]}}
    async with (
        asyncio.timeout(10),
        sampling() as mesh,
        legacy_client(mesh.router.mcp) as client,
    ):
        await client.initialize(declared)
        for bogus in ({"bogus": 1}, {"role": "assistant", "model": "m", "content": "x"}):
            async with client.asking("tools/call", call) as stream:
                assert await client.respond(await stream.message(), bogus) == 202
                answer = await stream.message()
            assert answer["error"]["code"] == -32602


@pytest.mark.requirement("bridge.sampling-refused")
async def test_a_run_that_breaks_off_tells_what_it_has_called() -> None:
    """Whoever reads the error can see what may have been done."""
    turns = (wants(("echo", {"text": "x"})), said([]))
    async with asyncio.timeout(10), sampling() as mesh, mesh.client(*turns) as asker:
        refused = await asker.refused()
    assert refused["error_code"] == "CANCELLED"
    assert [call["tool"] for call in refused["details"]["tool_calls"]] == ["echo"]


@pytest.mark.requirement("bridge.sampling-limit")
async def test_the_last_turn_is_asked_without_tools_and_ends_the_run() -> None:
    """A model that wants one still has used up its turns: the same error as a command's."""
    wish = wants(("echo", {"text": "x"}))
    async with asyncio.timeout(10), sampling() as mesh, mesh.client(wish, wish, wish) as asker:
        refused = await asker.refused()
    assert refused["error_code"] == "INVALID_INPUT"
    assert (refused["details"]["reason"], refused["details"]["turns"]) == ("max_turns", 3)
    assert len(refused["details"]["tool_calls"]) == 2
    choices = [asked.tool_choice for asked in asker.model.asked]
    assert choices == [ToolChoice(mode=mode) for mode in ("auto", "auto", "none")]
    assert "last turn" in str(asker.model.asked[2].system_prompt)


@pytest.mark.requirement("bridge.sampling-turns")
async def test_a_legacy_client_has_as_many_rounds_as_a_query_has_turns() -> None:
    """Fifty, of which the router gives up none."""
    wish = wants(("echo", {"text": "x"}))
    turns = [wish] * 49 + [says("At last.")]
    async with (
        asyncio.timeout(60),
        sampling() as mesh,
        mesh.client(*turns, mode="legacy") as asker,
    ):
        answer = await asker.query(options={"maxTurns": 50})
    assert (answer["turns"], len(answer["tool_calls"])) == (50, 49)


@pytest.mark.requirement("bridge.sampling-cancelled")
@ERAS
async def test_a_call_that_is_taken_back_in_a_round_ends_its_tools(mode: Any) -> None:
    """The tool that runs in that moment is cancelled, too."""
    async with (
        asyncio.timeout(10),
        sampling() as mesh,
        mesh.client(wants(("hang", {})), mode=mode) as asker,
        asyncio.TaskGroup() as tasks,
    ):
        asking = tasks.create_task(asker.raw())
        await mesh.sample.started.wait()
        asking.cancel()
        await mesh.sample.cancelled.wait()


@pytest.mark.requirement("bridge.sampling-slot")
async def test_no_slot_is_held_while_a_model_thinks() -> None:
    """With one slot, another's whole run fits between two rounds of the first."""
    async with asyncio.timeout(10), sampling(settings={"bridge_concurrent": 1}) as mesh:
        heard: list[str] = []

        async def meanwhile(_: CreateMessageRequestParams) -> Said:
            async with mesh.client(wants(("echo", {"text": "x"})), says("Second.")) as other:
                heard.append((await other.query())["text"])
            return says("First.")

        async with mesh.client(meanwhile) as asker:
            heard.append((await asker.query())["text"])
    assert heard == ["Second.", "First."]


@pytest.mark.requirement("bridge.sampling-fresh")
async def test_the_same_question_is_asked_again() -> None:
    """Nothing of a run is kept: two equal calls are two runs."""
    async with (
        asyncio.timeout(10),
        sampling() as mesh,
        mesh.client(says("One."), says("Two.")) as asker,
    ):
        answers = [(await asker.query())["text"] for _ in range(2)]
    assert answers == ["One.", "Two."]


@pytest.mark.requirement("bridge.sampling-time")
async def test_the_time_of_a_run_goes_on_between_its_rounds() -> None:
    """A model that takes too long has used up the run's time, however short each round is."""
    clock = FakeClock()

    async def slow(_: CreateMessageRequestParams) -> Said:
        clock.advance(6)
        return wants(("echo", {"text": "x"}))

    async with asyncio.timeout(10), sampling(clock=clock) as mesh:
        async with mesh.client(slow, slow) as asker:
            refused = await asker.refused(options={"timeout": 10_000})
        async with mesh.client(slow, says("Done.")) as asker:
            answer = await asker.query(options={"timeout": 10_000})
    assert refused["error_code"] == "TIMEOUT"
    assert refused["details"]["may_have_happened"]
    assert answer["elapsed_ms"] == 6000


@pytest.mark.requirement("bridge.sampling-schema")
async def test_an_answer_in_json_is_read_and_checked() -> None:
    """In a fence as well; the model is told the schema, and what does not fit is an error."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    given = {"options": {"jsonSchema": schema}}
    turns = (says('Here:\n```json\n{"n": 3}\n```'), says('{"n": "x"}'), says("No JSON."))
    async with asyncio.timeout(10), sampling() as mesh, mesh.client(*turns) as asker:
        answer = await asker.query(**given)
        unfit = [await asker.refused(**given) for _ in range(2)]
    assert answer["structured"] == {"n": 3}
    assert '"required":["n"]' in str(asker.model.asked[0].system_prompt)
    assert {error["error_code"] for error in unfit} == {"UPSTREAM_UNAVAILABLE"}


@pytest.mark.requirement("bridge.sampling-bounded")
async def test_a_long_result_is_cut_with_a_note_and_a_conversation_has_an_end() -> None:
    """Results grow shorter as the room does; where nothing fits any more, the run says so."""
    turns = [wants(("long", {"size": 100_000}), ("long", {"size": 100_000}), server="meeting")] * 50
    tools = MeetingTools()
    async with (
        asyncio.timeout(30),
        serving(ToolServer("m", version="1", instructions="", tools=tools_of(tools))) as url,
        sampling(others={"meeting": url}) as mesh,
        mesh.client(*turns) as asker,
    ):
        refused = await asker.refused(tools=["mcp__meeting__long"], options={"maxTurns": 50})
    assert refused["error_code"] == "TOO_LARGE"
    told = [len(asker.model.told(turn)[1]) for turn in range(2, len(asker.model.asked) + 1)]
    assert "left out here" in asker.model.told(2)[1]
    assert told == sorted(told, reverse=True)
    assert (told[0] <= 24_000, told[-1] < 1_000, len(told) > 10) == (True, True, True)


@pytest.mark.requirement("bridge.sampling-turns")
@ERAS
async def test_each_turn_is_told_as_progress(mode: Any) -> None:
    """Rising over all rounds of a run."""
    heard: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)

    turns = (wants(("echo", {"text": "x"})), wants(("echo", {"text": "y"})), says("Done."))
    async with asyncio.timeout(10), sampling() as mesh, mesh.client(*turns, mode=mode) as asker:
        await asker.client.call_tool(
            "query_mcp", {"prompt": "Do it.", "tools": [SAMPLE]}, progress_callback=hear
        )
    assert heard == sorted(set(heard))
    assert heard[-1] == 3
