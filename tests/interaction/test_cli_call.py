"""`trunkline call`, `status` and `tools` as real processes against a real router."""

import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import orjson
import pytest

from tests.interaction.mesh import SampleTools, routing, sample_server
from tests.interaction.trunkline_process import Ended, ended, environment, run_to_end
from trunkline_cli import listening
from trunkline_shared.testing.serving import serving

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]


class Trunkline:
    """The command, pointed at the test's router."""

    def __init__(self, home: Path, port: int) -> None:
        self._home = home
        self.env = environment(home, {"TRUNKLINE_PORT": str(port)})

    async def __call__(self, *words: str, stdin: bytes = b"") -> Ended:
        return await ended(*words, env=self.env, cwd=self._home, stdin=stdin)


@pytest.fixture
async def trunkline(tmp_path: Path) -> AsyncIterator[Trunkline]:
    """Return the command in front of a router with the server `sample`."""
    async with (
        serving(sample_server(SampleTools())) as url,
        routing({"sample": url}) as mesh,
    ):
        yield Trunkline(tmp_path, mesh.port)


@pytest.mark.parametrize("tool", ["sample.echo", "echo"])
async def test_a_result_is_printed_as_json(trunkline: Trunkline, tool: str) -> None:
    """SERVER.TOOL and TOOL alone both work; piped output is one line of JSON."""
    result = await trunkline("call", tool, "text=grün")
    assert result == Ended(code=0, out='{"said":"grün"}\n', err="")


async def test_arguments_are_read_by_the_tool_s_schema(trunkline: Trunkline) -> None:
    """A number arrives as a number, text that looks like one as text."""
    counted = await trunkline("call", "sample.count", "steps=2")
    echoed = await trunkline("call", "sample.echo", "text=-", stdin=b"7")
    assert orjson.loads(counted.out) == {"said": "2 steps"}
    assert orjson.loads(echoed.out) == {"said": "7"}


async def test_the_whole_result_can_be_printed(trunkline: Trunkline) -> None:
    """`--json` prints the CallToolResult, with the router's note on it."""
    result = await trunkline("call", "sample.echo", "text=hi", "--json")
    whole = orjson.loads(result.out)
    assert whole["structuredContent"] == {"said": "hi"}
    assert whole["_meta"]["dev.trunkline/call"]["server"] == "sample"


async def test_a_tool_s_error_is_readable_and_exit_code_1(trunkline: Trunkline) -> None:
    """Code, message and hint go to standard error, nothing to standard output."""
    result = await trunkline("call", "sample.fail")
    assert result.code == 1
    assert not result.out
    assert "sample.fail: NOT_FOUND: There is no such thing." in result.err
    assert "hint: Try another." in result.err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["call", "sampel.echo"], "unknown server 'sampel'. Did you mean 'sample'?"),
        (["call", "sample.ehco"], "unknown tool 'sample.ehco'. Did you mean 'sample.echo'?"),
        (["call", "ehco"], "unknown tool 'ehco'. Did you mean 'echo'?"),
        (["call", "echo", "txt=1"], "unknown argument 'txt'. Did you mean 'text'?"),
        (["call", "echo"], "missing: text=..."),
        (["call", "count", "steps=x"], "argument steps=x: the tool wants integer"),
        (["tools", "sampel"], "unknown server 'sampel'. Did you mean 'sample'?"),
        (["cal"], "unknown command 'cal'. Did you mean 'call'?"),
        (["connect", "cloude"], "unknown client 'cloude'. Did you mean 'claude'?"),
    ],
)
async def test_a_wrong_word_is_named_with_the_nearest_right_one(
    trunkline: Trunkline, words: list[str], complaint: str
) -> None:
    """One line on standard error and the usage exit code."""
    result = await trunkline(*words)
    assert result == Ended(code=2, out="", err=f"trunkline: {complaint}\n")


async def test_an_argument_that_the_server_refuses_says_why(trunkline: Trunkline) -> None:
    """What only the server can judge comes back as its error, exit code 1."""
    result = await trunkline("call", "sample.count", "steps=0")
    assert result.code == 1
    assert "INVALID_INPUT" in result.err
    assert "must be at least 1" in result.err


@pytest.mark.parametrize("words", [["status"], ["tools"], ["call", "echo", "text=hi"]])
async def test_without_a_router_the_exit_code_is_4(tmp_path: Path, words: list[str]) -> None:
    """The message names the address and how to start one."""
    with listening.on_any_port() as closed:
        port = listening.port_of(closed)
    result = await Trunkline(tmp_path, port)(*words)
    assert result.code == 4
    assert f"no router on http://127.0.0.1:{port}: start one with make run" in result.err


async def test_status_shows_each_server(trunkline: Trunkline) -> None:
    """A table for people, the router's own JSON for programs."""
    table = await trunkline("status")
    as_json = await trunkline("status", "--json")
    assert re.search(r"^sample +available +\d+", table.out, re.MULTILINE)
    assert re.search(r"^trunkline \S+ on (\S+) \(dashboard: \1/\)$", table.out, re.MULTILINE)
    assert orjson.loads(as_json.out)["servers"]["sample"]["available"] is True
    assert "\x1b[" not in table.out


async def test_tools_lists_what_agents_see(trunkline: Trunkline) -> None:
    """Server, name and title of each tool; as JSON the router's entries."""
    table = await trunkline("tools")
    as_json = await trunkline("tools", "sample", "--json")
    assert re.search(r"^sample +echo +default +Echo$", table.out, re.MULTILINE)
    listed = orjson.loads(as_json.out)
    assert "echo" in {tool["name"] for tool in listed}
    assert all(tool["inputSchema"] for tool in listed)


async def test_tools_says_what_they_cost(trunkline: Trunkline) -> None:
    """Tokens per server at four bytes each, and the sum."""
    result = await trunkline("tools", "--tokens")
    head, *rows = [line.split() for line in result.out.splitlines()]
    assert head == ["SERVER", "TOOLS", "TOKENS"]
    assert [row[0] for row in rows] == ["sample", "all"]
    assert rows[0][1:] == rows[1][1:]
    assert int(rows[0][2]) > 50


async def test_a_call_imports_nothing_large(trunkline: Trunkline, tmp_path: Path) -> None:
    """The SDK, pydantic and aiohttp stay out, so that a call takes less than a second."""
    program = (
        "import sys; from trunkline_cli.__main__ import main; main(['call', 'echo', 'text=hi']);"
        "print(*{'mcp', 'mcp_types', 'pydantic', 'aiohttp', 'asyncio'} & set(sys.modules))"
    )
    result = await run_to_end([sys.executable, "-c", program], env=trunkline.env, cwd=tmp_path)
    assert result.out == '{"said":"hi"}\n\n'


async def test_a_reader_that_goes_away_is_no_failure(trunkline: Trunkline, tmp_path: Path) -> None:
    """`trunkline tools | head -1` prints one line and no traceback."""
    command = f"{sys.executable} -m trunkline_cli tools --json | head -c 1"
    result = await run_to_end(["sh", "-c", command], env=trunkline.env, cwd=tmp_path)
    assert result.out == "["
    assert not result.err


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["call", "--help"]])
async def test_help_and_version_need_no_router(tmp_path: Path, words: list[str]) -> None:
    """They answer at once; the help documents the exit codes."""
    result = await Trunkline(tmp_path, 1)(*words)
    assert result.code == 0
    assert "trunkline" in result.out
    assert ("exit codes" in result.out) == (words == ["--help"])
