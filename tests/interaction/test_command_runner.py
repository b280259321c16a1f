"""A command that answers prompts: what it is given, and what is read of what it writes."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.interaction.commanding import (
    ASKER,
    MESH,
    Step,
    Turns,
    answered,
    calls,
    query,
    result,
    run,
    runner,
    says,
    turn,
)
from trunkline_bridge.command.runner import CommandRunner
from trunkline_bridge.query.models import ToolCall
from trunkline_shared.clock import SystemClock
from trunkline_shared.errors import (
    AuthError,
    CredentialsMissing,
    InvalidInput,
    NetworkError,
    NotFound,
    RateLimited,
    TooLarge,
    TrunklineError,
    Unsupported,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.wire import to_text

pytestmark = pytest.mark.anyio

TROUBLE = {"subtype": "success", "is_error": True, "terminal_reason": "api_error"}


async def look(tmp_path: Path, *more: Step, **environment: str) -> dict[str, Any]:
    """Return what the command was given."""
    seen = tmp_path / "seen"
    below = tmp_path / "below"
    below.mkdir()
    asked = query(("look", str(seen)), *more, result(), tools=("github", "sample"), max_turns=7)
    await run(runner(below, environment), asked)
    told: dict[str, Any] = json.loads(seen.read_text("utf-8"))
    return told


def called(error: TrunklineError) -> list[str]:
    """Return the tools that a failed run has called."""
    noted = error.details["tool_calls"]
    assert isinstance(noted, list)
    return [call["tool"] for call in noted]


def test_it_says_which_command_is_not_there() -> None:
    """`can` names the word of the setting that is not on the PATH; none is run without it."""
    missing = CommandRunner.of("no-such-agent --fast", SystemClock())
    assert missing.can(ASKER) == "the command 'no-such-agent' is not on the PATH of the bridge"
    assert CommandRunner.of("sh -c 'exit 0'", SystemClock()).can(ASKER) is None
    assert CommandRunner.of("/bin/sh", SystemClock()).can(ASKER) is None


async def test_a_command_that_went_away_is_unsupported() -> None:
    """What `can` would say is raised, when it changed since."""
    with pytest.raises(Unsupported, match="no-such-agent"):
        await run(CommandRunner.of("no-such-agent", SystemClock()), query())


@pytest.mark.requirement("bridge.command-apart")
async def test_prompt_and_token_are_in_no_argument_and_no_variable(tmp_path: Path) -> None:
    """The prompt comes by standard input, the token in a file that its owner alone can read."""
    seen = await look(tmp_path, ("note", str(tmp_path / "secret-of-the-prompt")))
    public = json.dumps([seen["argv"], seen["environment"]])
    assert MESH.token is not None
    assert MESH.token not in public
    assert "secret-of-the-prompt" not in public
    assert seen["modes"] == [stat.S_IRUSR | stat.S_IWUSR, stat.S_IRWXU]
    assert seen["config"] == {
        "mcpServers": {
            server: {
                "type": "http",
                "url": f"http://127.0.0.1:1/servers/{server}/mcp",
                "headers": {"Authorization": f"Bearer {MESH.token}"},
            }
            for server in ("github", "sample")
        }
    }


@pytest.mark.requirement("bridge.command-apart")
async def test_it_works_in_an_empty_folder_of_its_own(tmp_path: Path) -> None:
    """Homes and working directory lie in the private folder; nothing else is open or there."""
    seen = await look(tmp_path)
    assert Path(seen["folder"]).parent == tmp_path / "below"
    assert seen["cwd"] == f"{seen['folder']}/work"
    assert seen["inside"] == []
    for variable in ("HOME", "CLAUDE_CONFIG_DIR", "TMPDIR"):
        assert seen["environment"][variable].startswith(seen["folder"])
    session, group, parent = seen["session"]
    assert session == group == parent
    # Standard streams, its own two ends of a pipe, and the one that lists the folder.
    assert len(seen["open"]) == 6


@pytest.mark.requirement("bridge.command-apart")
async def test_only_what_reaches_its_model_is_in_its_environment(tmp_path: Path) -> None:
    """No variable of the mesh and no other service's secret; secrets in files are read for it."""
    (tmp_path / "key").write_text("sk-ant-from-a-file\n", encoding="utf-8")
    seen = await look(
        tmp_path,
        LANG="C.UTF-8",
        TRUNKLINE_SECRET="mesh",
        GITHUB_TOKEN="gh",
        JIRA_API_TOKEN="jira",
        AWS_SECRET_ACCESS_KEY="aws",
        CLAUDE_CODE_USE_VERTEX="1",
        GOOGLE_APPLICATION_CREDENTIALS="/adc.json",
        ANTHROPIC_BASE_URL="https://models.example",
        ANTHROPIC_API_KEY_FILE=str(tmp_path / "key"),
        HTTPS_PROXY="http://proxy.example",
        NO_PROXY="internal.example",
    )
    given = seen["environment"]
    assert given["ANTHROPIC_API_KEY"] == "sk-ant-from-a-file"
    assert given["NO_PROXY"] == given["no_proxy"] == "internal.example,127.0.0.1"
    assert set(given) == {
        *("PATH", "LANG", "HOME", "CLAUDE_CONFIG_DIR", "TMPDIR"),
        *("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "HTTPS_PROXY", "NO_PROXY", "no_proxy"),
        *("CLAUDE_CODE_USE_VERTEX", "GOOGLE_APPLICATION_CREDENTIALS"),
        *("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "ENABLE_TOOL_SEARCH"),
        *("CLAUDE_CODE_DISABLE_ATTACHMENTS", "CLAUDE_CODE_DISABLE_FILE_MENTIONS"),
        "CLAUDE_CODE_MAX_RETRIES",
    }


async def test_the_arguments_allow_the_tools_of_the_query_alone(tmp_path: Path) -> None:
    """The patterns, no tool of its own, no other server, no settings, no session, its turns."""
    argv = (await look(tmp_path))["argv"]
    assert argv[argv.index("--allowedTools") + 1] == "mcp__github__*,mcp__sample__*"
    assert argv[argv.index("--tools") + 1] == ""
    assert argv[argv.index("--setting-sources") + 1] == ""
    assert argv[argv.index("--max-turns") + 1] == "7"
    assert argv[argv.index("--model") + 1] == "sonnet"
    assert argv[argv.index("--output-format") + 1] == "stream-json"
    alone = {"-p", "--strict-mcp-config", "--no-session-persistence", "--restricted"}
    assert alone | {"--disable-slash-commands"} <= set(argv)
    assert "--json-schema" not in argv


async def test_turns_and_calls_are_read_as_they_come(tmp_path: Path) -> None:
    """Calls are paired with results, with the error code of ours; each turn is told once."""
    refusal = to_text(NotFound("It is not there."))
    asked = query(
        says(type="system", subtype="init"),
        calls(1, "mcp__github__list_issues"),
        turn(1),
        answered(1, '{"issues": []}'),
        calls(2, "mcp__github_ci__get__status"),
        answered(2, [{"type": "text", "text": refusal}], failed=True),
        calls(3, "mcp__github__touch"),
        answered(3, "You have not granted it.", failed=True),
        calls(4, "StructuredOutput"),
        turn(5),
        result("All\u200b done"),
        tools=("github", "github_ci"),
    )
    heard = Turns()
    answer = await run(runner(tmp_path), asked, heard)
    assert answer.text == "All done"
    assert answer.turns == 5
    assert [(n, what) for n, what in heard.heard] == [
        (1, "calls mcp__github__list_issues"),
        (2, "calls mcp__github_ci__get__status"),
        (3, "calls mcp__github__touch"),
        (4, "calls StructuredOutput"),
        (5, "answers"),
    ]
    assert [call.model_copy(update={"ms": 0}) for call in answer.tool_calls] == [
        ToolCall(server="github", tool="list_issues", ok=True, ms=0),
        ToolCall(server="github_ci", tool="get__status", ok=False, ms=0, error_code="NOT_FOUND"),
        ToolCall(server="github", tool="touch", ok=False, ms=0),
    ]


async def test_what_is_no_message_is_passed_over(tmp_path: Path) -> None:
    """Garbage, other JSON, kinds that are not known, and blocks that are not either."""
    asked = query(
        ("say", "Warning: not JSON"),
        ("say", "[1, 2]"),
        ("say", '{"type": "assistant"}'),
        says(type="stream_event", event={}),
        turn(1, {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "so"}),
        ("say", ""),
        result(),
    )
    answer = await run(runner(tmp_path), asked)
    assert (answer.text, answer.turns) == ("done", 1)


async def test_a_last_line_without_its_end_is_read(tmp_path: Path) -> None:
    """The result may be cut off its line break by the end of the program."""
    asked = query(("cut", result()[1]))
    assert (await run(runner(tmp_path), asked)).text == "done"


@pytest.mark.parametrize(
    ("schema", "said", "structured", "text"),
    [
        ({"type": "object"}, {"a": 1}, {"a": 1}, "as it was"),
        ({"type": "array"}, {"answer": [1]}, [1], "[1]"),
        ({"$ref": "#/$defs/n", "$defs": {"n": {}}}, {"answer": 3}, 3, "3"),
        ({"type": "array"}, [2], [2], "[2]"),
        ({"type": "array"}, None, None, "as it was"),
    ],
)
async def test_what_is_no_object_is_asked_for_in_one(
    tmp_path: Path, schema: dict[str, Any], said: object, structured: object, text: str
) -> None:
    """A schema is passed on as that of an object, and the answer is taken out of it."""
    seen = tmp_path / "seen"
    below = tmp_path / "below"
    below.mkdir()
    asked = query(("look", str(seen)), result("as it was", structured_output=said), schema=schema)
    answer = await run(runner(below), asked)
    assert (answer.structured, answer.text) == (structured, text)
    argv = json.loads(seen.read_text("utf-8"))["argv"]
    wanted = json.loads(argv[argv.index("--json-schema") + 1])
    assert wanted["type"] == "object"
    assert wanted.get("$defs") == schema.get("$defs")


@pytest.mark.requirement("bridge.command-failures")
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, AuthError),
        (403, AuthError),
        (429, RateLimited),
        (400, InvalidInput),
        (404, InvalidInput),
        (500, UpstreamUnavailable),
        (529, UpstreamUnavailable),
        (None, NetworkError),
    ],
)
async def test_a_model_that_fails_is_told_by_its_status(
    tmp_path: Path, status: int | None, kind: type[TrunklineError]
) -> None:
    """A typed error that shows no address."""
    told = "API Error: see https://gateway.internal:8443/x or 10.1.2.3:99 at /etc/agent/conf"
    asked = query(result(told, **TROUBLE, api_error_status=status))
    with pytest.raises(kind) as caught:
        await run(runner(tmp_path), asked)
    assert type(caught.value) is kind
    assert caught.value.details["reason"] == "model"
    assert not {"gateway", "10.1", "/etc"} & set(caught.value.message.split())
    assert "gateway.internal" not in caught.value.message


@pytest.mark.requirement("bridge.command-failures")
async def test_an_agent_without_a_key_names_the_variable(tmp_path: Path) -> None:
    """Nobody can log in where the bridge runs."""
    trouble = says(type="assistant", message={"id": "m"}, error="authentication_failed")
    asked = query(trouble, result("Please run /login", **TROUBLE))
    with pytest.raises(CredentialsMissing) as caught:
        await run(runner(tmp_path), asked)
    assert "ANTHROPIC_API_KEY" in (caught.value.hint or "")
    assert caught.value.details["turns"] == 0


@pytest.mark.requirement("bridge.command-failures")
async def test_too_few_turns_are_an_argument_to_mend(tmp_path: Path) -> None:
    """It names `options.maxTurns`, and what has been called already."""
    asked = query(
        calls(1, "mcp__sample__touch"),
        result(None, subtype="error_max_turns", is_error=True, terminal_reason="max_turns"),
    )
    with pytest.raises(InvalidInput, match="3 turns") as caught:
        await run(runner(tmp_path), asked)
    assert caught.value.details["field_errors"] == [
        {"field": "options.maxTurns", "problem": "was too few", "kind": "max_turns"}
    ]
    assert called(caught.value) == ["touch"]


@pytest.mark.requirement("bridge.command-failures")
async def test_another_failure_is_passed_on_in_its_words(tmp_path: Path) -> None:
    """A kind of end that is not known here is named."""
    asked = query(result(None, subtype="error_during_execution", is_error=True))
    with pytest.raises(UpstreamUnavailable, match="error_during_execution") as caught:
        await run(runner(tmp_path), asked)
    assert not caught.value.retryable


@pytest.mark.requirement("bridge.command-failures")
async def test_an_end_without_a_result_shows_the_complaint_without_secrets(tmp_path: Path) -> None:
    """The exit code and the end of standard error, bounded, redacted, in one line."""
    complaint = "x" * 90_000 + "\nBearer sk-ant-abcdefghijklmnopqrstuvwxyz0123\u202e failed\n"
    asked = query(turn(1), ("complain", complaint), ("exit", "3"))
    with pytest.raises(UpstreamUnavailable, match=r"exit code 3") as caught:
        await run(runner(tmp_path), asked)
    assert caught.value.message.endswith(" failed")
    assert "sk-ant" not in caught.value.message
    assert "\u202e" not in caught.value.message
    assert len(caught.value.message) < 400


@pytest.mark.requirement("bridge.command-failures")
async def test_a_command_that_is_killed_is_told_by_its_signal(tmp_path: Path) -> None:
    """Dead in the middle of a line: 128 and the signal, as a shell has it."""
    asked = query(turn(1), ("cut", '{"type": "resu'), ("die",))
    with pytest.raises(UpstreamUnavailable, match="exit code 137"):
        await run(runner(tmp_path), asked)


@pytest.mark.requirement("bridge.command-failures")
async def test_a_version_that_lacks_an_option_is_unsupported(tmp_path: Path) -> None:
    """It never runs with less confinement than was asked for."""
    asked = query(("complain", "error: unknown option '--restricted'\n"), ("exit", "1"))
    with pytest.raises(Unsupported, match="does not know --restricted") as caught:
        await run(runner(tmp_path), asked)
    assert "newer" in (caught.value.hint or "")


@pytest.mark.requirement("bridge.command-failures")
async def test_a_flood_is_ended(tmp_path: Path) -> None:
    """Output is bounded; what came before is told of."""
    asked = query(turn(1), ("flood",))
    with pytest.raises(TooLarge, match="more than a run may") as caught:
        await run(runner(tmp_path, out_cap=1_000_000), asked)
    assert caught.value.details["turns"] == 1


@pytest.mark.requirement("bridge.command-failures")
async def test_a_run_out_of_time_tells_what_it_called(tmp_path: Path) -> None:
    """A call whose end was not seen is a failed one."""
    asked = query(calls(1, "mcp__sample__hang"), ("hang",), timeout_s=0.5)
    with pytest.raises(UpstreamTimeout, match=r"0\.5 s") as caught:
        await run(runner(tmp_path), asked)
    assert called(caught.value) == ["hang"]


async def test_json_is_asked_for_where_no_schema_does(tmp_path: Path) -> None:
    """A model that is to answer JSON is told so."""
    place = tmp_path / "below"
    place.mkdir()
    asked = query(wants_json=True)
    with pytest.raises(UpstreamUnavailable, match="JSONDecodeError"):
        # The prompt is no JSON any more, with a sentence behind it: the script cannot read it.
        await run(runner(place), asked)


async def test_a_full_disk_is_told_as_such(tmp_path: Path) -> None:
    """A folder that cannot be made is a runner that cannot start."""
    with pytest.raises(Unsupported, match="could not be started"):
        await run(runner(tmp_path / "nowhere"), query(result()))
