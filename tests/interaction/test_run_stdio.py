"""`trunkline stdio` under clients that nobody here wrote, and under bare lines."""

import asyncio
import signal
from pathlib import Path

import orjson
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.interaction.trunkline_process import COMMAND, ended, environment, gone, started

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

END_S = 3.0


def parameters(home: Path) -> StdioServerParameters:
    """Return how the SDK's client starts the mesh."""
    command, *words = COMMAND
    return StdioServerParameters(
        command=command, args=[*words, "stdio"], env=environment(home), cwd=home
    )


@pytest.mark.requirement("stdio.whole")
@pytest.mark.parametrize("mode", ["auto", "legacy", "2026-07-28"])
async def test_the_sdk_s_client_lists_and_calls_over_stdio(tmp_path: Path, mode: str) -> None:
    """In each mode of the client, all servers' tools are there and answer."""
    async with asyncio.timeout(40), Client(stdio_client(parameters(tmp_path)), mode=mode) as client:
        listed = await client.list_tools()
        result = await client.call_tool("get_current_branch", {})
    names = {tool.name for tool in listed.tools}
    assert {"get_current_branch", "list_comments"} <= names
    assert result.is_error
    assert "NO_REPOSITORY" in str(result.content)


def line(method: str, request_id: int | None = None, **params: object) -> bytes:
    """Return one modern message as a line."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    message: dict[str, object] = {"jsonrpc": "2.0", "method": method}
    if request_id is not None:
        message["id"] = request_id
    return orjson.dumps(message | {"params": {**params, "_meta": meta}}) + b"\n"


async def test_piped_requests_are_answered_before_the_end(tmp_path: Path) -> None:
    """Requests whose input has already ended get their answers, and nothing else is printed."""
    lines = line("tools/list", 1) + b"this is no JSON\n" + line("tools/call", 2, name="no_such")
    result = await ended("stdio", env=environment(tmp_path), cwd=tmp_path, stdin=lines)
    answers = [orjson.loads(each) for each in result.out.splitlines()]
    by_id = {answer["id"]: answer for answer in answers}
    assert result.code == 0
    assert len(by_id[1]["result"]["tools"]) > 5
    assert by_id[None]["error"]["code"] == -32700
    assert by_id[2]["error"]["code"] == -32602


@pytest.mark.requirement("stdio.whole")
async def test_the_end_of_input_ends_everything(tmp_path: Path) -> None:
    """When the client closes our input, the process ends soon and leaves none behind."""
    async with started("stdio", env=environment(tmp_path), cwd=tmp_path) as running:
        stdin = running.process.stdin
        assert stdin is not None
        stdin.write(line("tools/list", 1))
        await running.until('"id":1')
        host = running.host()
        stdin.close()
        async with asyncio.timeout(END_S):
            code = await running.process.wait()
        await gone(host)
    assert code == 0


async def test_sigterm_ends_everything(tmp_path: Path) -> None:
    """A client that ends its server by signal finds it gone in time, with its host."""
    async with started("stdio", env=environment(tmp_path), cwd=tmp_path) as running:
        stdin = running.process.stdin
        assert stdin is not None
        stdin.write(line("tools/list", 1))
        await running.until('"id":1')
        host = running.host()
        running.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(END_S):
            code = await running.process.wait()
        await gone(host)
    assert code == 0
