"""The meshes that the page is looked at with: who may do what there, and what happens there."""

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import yaml
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from tests.interaction.keys import bearing, entry, key_of
from tests.interaction.trunkline_process import COMMAND, PATIENCE_S, Running, environment

BOSS, EYE = "boss", "eye"
"""One who may do everything, and one who may only look."""
AGENTS = ("claude-code", "codex", "ci-bot")
KEYS = [
    entry(BOSS, scopes=["tools", "contexts", "observe", "admin"]),
    entry(EYE, scopes=["tools", "observe"]),
    *(entry(agent, scopes=["tools"]) for agent in AGENTS),
]


@dataclass(frozen=True, kw_only=True)
class Agent:
    """An MCP client, as an agent uses it."""

    client: Client

    async def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Call a tool and return what it answers."""
        result = await self._result(tool, arguments)
        assert not result.is_error, result.content
        return dict(result.structured_content or {})

    async def refused(self, tool: str, **arguments: object) -> str:
        """Call a tool and return the failure that it answers with."""
        result = await self._result(tool, arguments)
        assert result.is_error
        (block,) = result.content
        assert isinstance(block, TextContent)
        return block.text

    async def _result(self, tool: str, arguments: Mapping[str, object]) -> CallToolResult:
        async with asyncio.timeout(20):
            return await self.client.call_tool(tool, dict(arguments))


@asynccontextmanager
async def agent(url: str, name: str = "") -> AsyncIterator[Agent]:
    """Connect an agent to a router, with its key if it has a name."""
    headers = bearing(key_of(name)) if name else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
    ):
        yield Agent(client=client)


@dataclass(frozen=True, kw_only=True)
class Demo:
    """`trunkline run --demo` as a process of its own: every trace to its last request."""

    url: str
    process: Process


@asynccontextmanager
async def demo(folder: Path, *servers: str, **foreign: str) -> AsyncIterator[Demo]:
    """Run the demo with some of its servers, with everybody's key, and with `foreign` servers.

    Those are ids with their base URLs. It runs until the end of the block, however long.
    """
    config = folder / "trunkline.yaml"
    others = {server: {"url": f"{url}/mcp"} for server, url in foreign.items()}
    config.write_text(yaml.safe_dump({"keys": KEYS, "servers": others}), encoding="utf-8")
    env = environment(folder) | {
        "TRUNKLINE_CONFIG": str(config),
        "TRUNKLINE_AUDIT_LOG": str(folder / "audit.jsonl"),
        "TRUNKLINE_SERVERS": ",".join((*servers, *foreign)),
    }
    process = await asyncio.create_subprocess_exec(
        *(*COMMAND, "run", "--demo"), env=env, cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=PIPE
    )
    try:
        async with asyncio.timeout(PATIENCE_S):
            url = await Running(process=process).url()
        yield Demo(url=url, process=process)
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.communicate()
