"""The real `claude`, run by the bridge, with a scripted model: it works through the router."""

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from mcp_types import InputRequiredResult

from tests.from_registries import ROOT, node_packages
from tests.interaction.bridging import Bridged, bridged
from tests.interaction.commanding import nothing_left
from tests.interaction.delegating import SECRET, tokens_of
from tests.interaction.model_stand_in import Calls, Fails, ModelStandIn, Reply, Says, model
from trunkline_bridge.command.environment import CommandEnvironment
from trunkline_bridge.command.runner import CommandRunner
from trunkline_bridge.query.runner import Answer, Asker, Query, Turn
from trunkline_router.wire.refusal import Refused
from trunkline_shared.clock import SystemClock
from trunkline_shared.errors import TrunklineError
from trunkline_shared.http.client import open_http
from trunkline_shared.mesh.answers import structured
from trunkline_shared.mesh.asking import CALL, Asking
from trunkline_shared.mesh.entrance import Entrance
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = [pytest.mark.anyio, pytest.mark.node, pytest.mark.timeout(300)]

CLAUDE = ROOT / "tests" / "clients" / "claude"
ECHO = "mcp__sample__echo"
LONG = {"timeout": 60_000}


@dataclass(kw_only=True)
class Watched:
    """The command's runner; in its second turn it tries what the command's own token opens."""

    runner: CommandRunner
    below: Path
    token: str = ""
    tried: dict[str, str] = field(default_factory=dict)
    listed: list[str] = field(default_factory=list)

    def can(self, asker: Asker) -> str | None:
        return self.runner.can(asker)

    async def run(
        self, query: Query, mesh: Entrance, asker: Asker, on_turn: Turn
    ) -> Answer | InputRequiredResult:
        async def heard(number: int, what: str) -> None:
            await on_turn(number, what)
            if number == 2:
                self.token = self._of_command()
                await self._try(Entrance(url=mesh.url, token=self.token))

        return await self.runner.run(query, mesh, asker, heard)

    def _of_command(self) -> str:
        (config,) = self.below.glob("*/mcp.json")
        (server,) = json.loads(config.read_bytes())["mcpServers"].values()
        token: str = server["headers"]["Authorization"].removeprefix("Bearer ")
        return token

    async def _try(self, mesh: Entrance) -> None:
        for name, arguments in (("echo", {"text": "more"}), ("touch", {}), ("meta", {})):
            self.tried[name] = await outcome(mesh, name, arguments)
        self.tried["is_server_available"] = await outcome(
            mesh, "is_server_available", {"serverName": "sample"}
        )
        async with open_http(SystemClock()) as http:
            listing = await Asking(http=http, name="a-thief", version="1").ask(
                mesh, "tools/list", {}, 5
            )
        tools: Any = listing["tools"]
        self.listed = [tool["name"] for tool in tools]


async def outcome(mesh: Entrance, name: str, arguments: dict[str, str]) -> str:
    """Return what comes of a call with a token: `ok`, or the code of an error."""
    async with open_http(SystemClock()) as http:
        asking = Asking(http=http, name="a-thief", version="1")
        try:
            structured(
                name, await asking.ask(mesh, CALL, {"name": name, "arguments": arguments}, 5)
            )
        except TrunklineError as error:
            return error.code
        return "ok"


@dataclass(frozen=True, kw_only=True)
class Claude:
    """The mesh, whose bridge runs `claude`, whose model is scripted."""

    mesh: Bridged
    model: ModelStandIn
    watched: Watched


@asynccontextmanager
async def claude(below: Path, *replies: Reply) -> AsyncIterator[Claude]:
    """Run the mesh with the real command; what it writes is kept below a folder."""
    packages = node_packages(CLAUDE)
    programs = packages.folder / "node_modules" / ".bin"
    async with model(*replies) as stand_in:
        environment = CommandEnvironment({
            "PATH": f"{programs}:{os.defpath}",
            "ANTHROPIC_BASE_URL": stand_in.url,
            "ANTHROPIC_API_KEY": "sk-ant-a-key-of-these-tests-alone",
        })
        command = CommandRunner(
            words=("claude",), environment=environment, clock=SystemClock(), below=below
        )
        watched = Watched(runner=command, below=below)
        async with bridged(runners=[watched], secret=SECRET) as mesh:
            yield Claude(mesh=mesh, model=stand_in, watched=watched)
    assert stand_in.elsewhere == []
    nothing_left(below)


@pytest.mark.requirement("bridge.command-claude")
async def test_a_prompt_leads_to_a_tool_call_and_its_result_comes_back(tmp_path: Path) -> None:
    """Through the router both ways, and the final text is the answer of `query_mcp`."""
    replies = Calls(tool=ECHO, arguments={"text": "hello"}), Says(text="It said hello.")
    async with claude(tmp_path, *replies) as run:
        answer = await run.mesh.query("Say hello.", tools=[ECHO], options=LONG)
        assert answer["text"] == "It said hello."
        assert answer["turns"] == 2
        (call,) = answer["tool_calls"]
        assert (call["server"], call["tool"], call["ok"]) == ("sample", "echo", True)
        assert run.model.prompt.strip() == "Say hello."
        assert [json.loads(result) for result in run.model.results] == [{"said": "hello"}]
        assert [tool["name"] for tool in run.model.asked[0]["tools"]] == [ECHO]


@pytest.mark.requirement("bridge.command-claude")
async def test_its_token_opens_nothing_else_and_ends_with_the_query(tmp_path: Path) -> None:
    """Read out of the configuration that the command was given, and tried while it ran."""
    replies = Calls(tool=ECHO, arguments={"text": "hello"}), Says(text="done")
    began = SystemClock().now()
    async with claude(tmp_path, *replies) as run:
        await run.mesh.query(tools=[ECHO], options=LONG)
    assert run.watched.listed == ["echo"]
    assert run.watched.tried == {
        "echo": "ok",
        "touch": "UNSUPPORTED",
        "meta": "UNSUPPORTED",
        "is_server_available": "UNSUPPORTED",
    }
    assert run.mesh.sample.seen == []
    grant = tokens_of(run.mesh.router).read(run.watched.token)
    assert grant is not None
    ran_s = SystemClock().now() - began
    assert grant.expires <= began + LONG["timeout"] / 1000 + 2 + ran_s
    afterwards = FakeClock()
    afterwards.advance(grant.expires - afterwards.now())
    with pytest.raises(Refused, match="expired"):
        tokens_of(run.mesh.router, clock=afterwards).read(run.watched.token)


@pytest.mark.requirement("bridge.command-claude")
async def test_a_tool_that_fails_is_told_with_its_code(tmp_path: Path) -> None:
    """The model reads the payload as it is, and the caller the code."""
    replies = Calls(tool="mcp__sample__fail"), Says(text="It is not there.")
    async with claude(tmp_path, *replies) as run:
        answer = await run.mesh.query(options=LONG)
        (call,) = answer["tool_calls"]
        assert (call["ok"], call["error_code"]) == (False, "NOT_FOUND")
        assert json.loads(run.model.results[0])["hint"] == "Try another."


@pytest.mark.requirement("bridge.command-confined")
@pytest.mark.parametrize("prompt", ["/heapdump", "See @{file}", "/init @{file} !id", "#remember"])
async def test_a_prompt_is_a_prompt_and_nothing_else(tmp_path: Path, prompt: str) -> None:
    """No file that it names is read, and no command of the agent itself is run."""
    file, below = tmp_path / "secret.txt", tmp_path / "below"
    below.mkdir()
    file.write_text("the-content-of-a-file", encoding="utf-8")
    wanted = prompt.format(file=file)
    async with claude(below, Says(text="I see.")) as run:
        assert (await run.mesh.query(wanted, options=LONG))["text"] == "I see."
        assert run.model.prompt.strip() == wanted
        assert "the-content-of-a-file" not in json.dumps(run.model.asked)


@pytest.mark.requirement("bridge.command-claude")
async def test_an_answer_comes_in_the_form_of_the_schema(tmp_path: Path) -> None:
    """An object, or anything else."""
    schema = {"type": "array", "items": {"type": "integer"}}
    replies = Calls(tool="StructuredOutput", arguments={"answer": [1, 2]}), Says(text="[1, 2]")
    async with claude(tmp_path, *replies) as run:
        answer = await run.mesh.query(options={**LONG, "jsonSchema": schema})
        assert answer["structured"] == [1, 2]
        assert answer["tool_calls"] == []


@pytest.mark.requirement("bridge.command-failures")
@pytest.mark.parametrize(
    ("status", "kind", "code"),
    [
        (401, "authentication_error", "AUTH_ERROR"),
        (400, "invalid_request_error", "INVALID_INPUT"),
        (529, "overloaded_error", "UPSTREAM_UNAVAILABLE"),
    ],
)
async def test_a_model_that_refuses_is_told_of(
    tmp_path: Path, status: int, kind: str, code: str
) -> None:
    """A wrong key, a wrong model, a model that is down; the bridge stays open for others."""
    async with claude(tmp_path, Fails(status=status, kind=kind)) as run:
        for _ in range(3 if status == 529 else 1):
            failure = await run.mesh.query_refused(options=LONG)
            assert failure["error_code"] == code
            assert "sk-ant" not in json.dumps(failure)
        states = await run.mesh.call("get_circuit_breaker_states")
        assert {state["state"] for state in states.values()} == {"closed"}


@pytest.mark.requirement("bridge.command-failures")
async def test_too_few_turns_are_told_of(tmp_path: Path) -> None:
    """A model that goes on calling tools."""
    async with claude(tmp_path, Calls(tool=ECHO, arguments={"text": "x"})) as run:
        failure = await run.mesh.query_refused(options={**LONG, "maxTurns": 3})
        assert failure["error_code"] == "INVALID_INPUT"
        assert failure["details"]["reason"] == "max_turns"
        assert len(failure["details"]["tool_calls"]) == 3


@pytest.mark.requirement("bridge.command-leaves-nothing")
async def test_a_call_that_hangs_ends_with_the_run(tmp_path: Path) -> None:
    """Out of time: the command is gone, and the tool that it has called is told to end."""
    async with claude(tmp_path, Calls(tool="mcp__sample__hang")) as run:
        failure = await run.mesh.query_refused(options={"timeout": 8000})
        assert failure["error_code"] == "TIMEOUT"
        assert run.mesh.sample.started.is_set()
        await run.mesh.sample.cancelled.wait()
