"""The MCP Inspector's command line through the router: one process for each question."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.from_registries import node_packages
from tests.interaction.mesh import sample_server
from tests.interaction.restarting import restartable
from trunkline_shared.testing.serving import serving

pytestmark = [pytest.mark.anyio, pytest.mark.node, pytest.mark.timeout(300)]

PROGRAM = ("@modelcontextprotocol/inspector", "clients/launcher/build/index.js")
TOOL_ERROR = 5
ERAS: Mapping[str, Sequence[str]] = {
    "modern": ("--transport", "http", "--protocol-era", "modern"),
    "legacy": ("--transport", "http", "--protocol-era", "legacy"),
    "sse": ("--transport", "sse"),
}
LIST = ("--method", "tools/list")
ECHO = ("--method", "tools/call", "--tool-name", "echo", "--tool-arg", "text=hello")
FAIL = ("--method", "tools/call", "--tool-name", "fail")
READ = ("--method", "resources/read", "--uri", "sample://fixed")


async def ask(url: str, options: Sequence[str], home: Path) -> tuple[int, Any]:
    """Return the exit code and the result of one question."""
    process = await asyncio.create_subprocess_exec(
        *node_packages().program(*PROGRAM),
        *("--cli", url, *options, "--format", "json"),
        env={"MCP_CATALOG_PATH": str(home / "catalog.json"), "HOME": str(home)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        out, told = await process.communicate()
    assert out, told.decode()
    assert process.returncode is not None
    return process.returncode, orjson.loads(out)["result"]


@pytest.mark.requirement("gateway.clients")
@pytest.mark.parametrize("era", ERAS)
async def test_it_lists_calls_and_reads_before_and_after_a_restart(
    era: str, tmp_path: Path
) -> None:
    """The list, a result, a tool's error as its exit code, a resource; on every wire."""
    async with serving(sample_server()) as server, restartable({"sample": server}) as router:
        url, how = f"{router.url}/{'sse' if era == 'sse' else 'mcp'}", ERAS[era]
        questions = [ask(url, (*how, *what), tmp_path) for what in (LIST, ECHO, FAIL, READ)]
        listed, echoed, failed, read = await asyncio.gather(*questions)
        await router.restart()
        questions = [ask(url, (*how, *what), tmp_path) for what in (LIST, ECHO)]
        listed_again, echoed_again = await asyncio.gather(*questions)
    for _, result in (listed, listed_again):
        assert {"echo", "count", "fail"} <= {tool["name"] for tool in result["tools"]}
    for code, result in (echoed, echoed_again):
        assert (code, result["structuredContent"]) == (0, {"said": "hello"})
    assert failed[0] == TOOL_ERROR
    assert '"error_code":"NOT_FOUND"' in failed[1]["content"][0]["text"]
    assert read[1]["contents"][0]["text"] == "fixed text"
