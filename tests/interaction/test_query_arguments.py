"""What `query_mcp` says of arguments: all of them are read before a runner is chosen."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp_types import CallToolResult

from tests.interaction.bridging import SAMPLE, Bridged, ScriptedRunner, bridged
from tests.interaction.hostile import GARBAGE, TEXTS, code_of
from tests.interaction.upstreams import Scripted, running, tool
from trunkline_bridge.app import open_server
from trunkline_bridge.settings import BridgeSettings
from trunkline_shared.errors import BY_CODE
from trunkline_shared.server import ToolServer
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store

pytestmark = pytest.mark.anyio

ODD: list[tuple[dict[str, Any], str]] = [
    ({"tools": []}, "tools"),
    ({"tools": ["github"]}, "tools[0]"),
    ({"tools": [SAMPLE, "mcp__sample"]}, "tools[1]"),
    ({"tools": [SAMPLE, SAMPLE]}, "tools[1]"),
    ({"tools": [7]}, "tools.0"),
    ({"prompt": " \u200b"}, "prompt"),
    ({"prompt": "x" * 100_001}, "prompt"),
    ({"prompt": "a\x00b"}, "prompt"),
    ({"options": {"timeout": 1}}, "options.timeout"),
    ({"options": {"maxTurns": 51}}, "options.maxTurns"),
    ({"options": {"maxTurns": True}}, "options.maxTurns"),
    ({"options": {"model": "--dangerously"}}, "options.model"),
    ({"options": {"outputFormat": "xml"}}, "options.outputFormat"),
    ({"options": {"jsonSchema": "{"}}, "options.jsonSchema"),
    ({"options": {"jsonSchema": {"type": "texty"}}}, "options.jsonSchema"),
    ({"options": {"jsonSchema": 7}}, "options.jsonSchema"),
    ({"options": {"nothing": 1}}, "options.nothing"),
]


def fields(failure: dict[str, Any]) -> list[str]:
    """Return the arguments that a failure names."""
    return [one["field"] for one in failure["details"]["field_errors"]]


@pytest.mark.requirement("bridge.query-refused", "bridge.query-runners")
async def test_each_argument_is_refused_by_name_before_a_runner_is_chosen() -> None:
    """There is no runner here: INVALID_INPUT comes before UNSUPPORTED."""
    async with bridged(runners=[]) as here:
        for given_, field in ODD:
            failure = await here.query_refused(**given_)
            assert failure["error_code"] == "INVALID_INPUT", failure
            assert any(one.startswith(field) for one in fields(failure)), failure
            assert failure["hint"]
        sound = await here.query_refused()
    assert sound["error_code"] == "UNSUPPORTED"


@pytest.mark.requirement("bridge.query-turns")
@pytest.mark.parametrize("turns", [2, 1, 0, -1])
async def test_fewer_than_three_turns_are_refused_with_the_reason(turns: int) -> None:
    """The seed takes any number, and the agent then never answers."""
    async with bridged() as here:
        failure = await here.query_refused(options={"maxTurns": turns})
        enough = await here.query(options={"maxTurns": 3})
    assert failure["error_code"] == "INVALID_INPUT"
    assert "options.maxTurns" in failure["message"]
    assert "at least 3: a call of a tool, its result and an answer" in failure["message"]
    assert enough["text"] == "done"


@pytest.mark.requirement("bridge.query")
async def test_options_reach_the_runner_as_they_are_meant() -> None:
    """The seed's defaults; a schema makes the format JSON; texts of JSON are read as JSON."""
    schema = {"type": "object"}
    async with bridged() as here:
        await here.query()
        here.runner.script = _says_json
        await here.query(
            options='{"model": "opus", "maxTurns": 9, "timeout": 5000, "jsonSchema": "{}"}'
        )
        await here.query(tools=f'["{SAMPLE}"]', options={"jsonSchema": schema})
        await here.query(options={"outputFormat": "json"})
    usual, named, typed, json = (run.query for run in here.runner.runs)
    assert (usual.model, usual.max_turns, usual.schema) == ("sonnet", 3, None)
    assert 55 < usual.timeout_s <= 60
    assert not usual.wants_json
    assert (named.model, named.max_turns, named.schema) == ("opus", 9, {})
    assert 4 < named.timeout_s <= 5
    assert (typed.schema, typed.wants_json) == (schema, True)
    assert (json.schema, json.wants_json) == (None, True)


async def _says_json(run: Any) -> Any:
    return run.answer("{}")


@pytest.mark.requirement("bridge.query-unknown")
async def test_an_unknown_server_is_refused_with_the_nearest() -> None:
    """The seed runs the prompt, without a breaker and without the tools."""
    async with bridged() as here:
        near = await here.query_refused(tools=[SAMPLE, "mcp__sampel__*"])
        far = await here.query_refused(tools=["mcp__docker-mcp__*"])
    assert near["error_code"] == far["error_code"] == "INVALID_INPUT"
    assert fields(near) == ["tools[1]"]
    assert "'sampel'" in near["message"]
    assert near["hint"].startswith("Did you mean 'sample'?")
    assert "bridge, sample" in far["hint"]
    assert here.runner.runs == []


@pytest.mark.requirement("bridge.query-unknown")
async def test_a_tool_that_its_server_does_not_have_is_refused_with_the_nearest() -> None:
    """By the server's own names, those that hold `__` among them."""
    names = ["list__all", "list", "act"]
    scripted = Scripted(tools=[tool(name) for name in names])
    async with running(scripted) as url, bridged(others={"github_ci": url}) as here:
        failure = await here.query_refused(tools=["mcp__github_ci__list__al"])
        await here.query(tools=[f"mcp__github_ci__{name}" for name in names])
    assert failure["error_code"] == "INVALID_INPUT"
    assert failure["hint"] == "Did you mean mcp__github_ci__list__all?"


@pytest.mark.requirement("bridge.query-patterns")
async def test_a_server_whose_name_begins_alike_is_another_one() -> None:
    """Neither is known for the other, nor opened by the other's pattern."""
    async with (
        running(Scripted(tools=[tool("act")])) as url,
        bridged(others={"github_ci": url}) as here,
    ):
        failure = await here.query_refused(tools=["mcp__github__*"])
        answer = await here.query(tools=["mcp__github_ci__*"])
    assert failure["error_code"] == "INVALID_INPUT"
    assert "github_ci" in failure["hint"]
    assert answer["servers"] == ["github_ci"]


@pytest.mark.requirement("bridge.query-runners")
async def test_without_a_runner_that_can_the_answer_says_what_each_lacks() -> None:
    """And which variable names them."""
    poor = [ScriptedRunner(lacks="claude is not on PATH"), ScriptedRunner(lacks="no sampling")]
    async with bridged(runners=[*poor]) as here:
        failure = await here.query_refused()
    async with bridged(runners=[]) as here:
        unset = await here.query_refused()
    assert failure["error_code"] == unset["error_code"] == "UNSUPPORTED"
    assert "claude is not on PATH; no sampling" in failure["message"]
    assert "TRUNKLINE_BRIDGE_RUNNER" in failure["message"]
    assert "TRUNKLINE_BRIDGE_RUNNER is not set" in unset["message"]
    assert "claude" in unset["hint"]


@pytest.mark.requirement("bridge.query-runners")
async def test_the_first_runner_that_can_is_the_one_that_runs() -> None:
    """In the operator's order."""
    cannot, first, second = ScriptedRunner(lacks="no"), ScriptedRunner(), ScriptedRunner()
    async with bridged(runners=[cannot, first, second]) as here:
        await here.query()
    assert [len(one.runs) for one in (cannot, first, second)] == [0, 1, 0]


PATTERNS = st.one_of(TEXTS, TEXTS.map(lambda text: f"mcp__{text}"), st.just(SAMPLE))
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "model": GARBAGE,
        "maxTurns": GARBAGE,
        "timeout": GARBAGE,
        "outputFormat": GARBAGE,
        "jsonSchema": st.one_of(GARBAGE, st.dictionaries(TEXTS, GARBAGE, max_size=3)),
    },
)
ARGUMENTS = st.fixed_dictionaries(
    {"prompt": st.one_of(TEXTS, GARBAGE), "tools": st.one_of(st.lists(PATTERNS), GARBAGE)},
    optional={"options": st.one_of(OPTIONS, GARBAGE), "other": GARBAGE},
)


@pytest.fixture
async def alone() -> AsyncIterator[ToolServer]:
    """The bridge without a router: arguments that are sound end at the missing delegation."""
    kept = load(BridgeSettings, {})
    async with open_server(kept, in_process_store(), None, [ScriptedRunner()]) as server:
        yield server


@pytest.mark.requirement("bridge.query-hostile")
@given(arguments=ARGUMENTS)
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_arguments_get_a_typed_answer(
    alone: ToolServer, arguments: dict[str, Any]
) -> None:
    """A code of the closed set, and never INTERNAL_ERROR, which is an exception of ours."""
    result = await alone.call_tool("query_mcp", arguments)
    assert isinstance(result, CallToolResult)
    assert code_of(result) in {*BY_CODE} - {"INTERNAL_ERROR"}


@pytest.mark.requirement("bridge.query-hostile")
async def test_arguments_that_break_other_parts_are_typed_through_the_router_too() -> None:
    """A few that JSON can hold, in a mesh where they could be run."""
    async with bridged() as here:
        for odd in _ODD_VALUES:
            for name in ("prompt", "tools", "options"):
                assert await _code(here, {name: odd}) in {"OK", *BY_CODE} - {"INTERNAL_ERROR"}


_ODD_VALUES: list[object] = [
    None, "", "null", "{}", "[]", 7, 1e308, True, [], {}, [[]], [None], [{}], "x" * 70_000,
    ["mcp__sample__" + "x" * 300], {"model": {}}, {"jsonSchema": {"$ref": "#"}},
    {"jsonSchema": {"pattern": "(?<!a)b"}}, {"timeout": 10**30}, ["mcp__sample__*"] * 500,
]  # fmt: skip


async def _code(here: Bridged, changed: dict[str, object]) -> str:
    given_ = {"prompt": "p", "tools": [SAMPLE], **changed}
    return code_of(await here.raw("query_mcp", **given_))
