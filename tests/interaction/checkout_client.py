"""The branch-context server on a socket, over a repository that a test made, and a client of it."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from mcp.client import Client
from mcp_types import TextContent, TextResourceContents

from trunkline_branch_context.service import open_server
from trunkline_branch_context.settings import BranchContextSettings
from trunkline_shared.clock import Clock
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.git_repository import GitRepository
from trunkline_shared.testing.serving import serving

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutClient:
    """A real MCP client; answers are parsed JSON."""

    client: Client

    async def ask(self, tool: str, **arguments: object) -> Answer:
        """Call a tool that must succeed; text and structured content must agree."""
        result = await self.client.call_tool(tool, dict(arguments))
        text = _text(result.content)
        assert not result.is_error, text
        answer: Answer = json.loads(text)
        assert answer == result.structured_content
        return answer

    async def refused(self, tool: str, **arguments: object) -> Answer:
        """Call a tool that must fail with one of our errors."""
        result = await self.client.call_tool(tool, dict(arguments))
        text = _text(result.content)
        assert result.is_error, text
        assert result.structured_content is None
        answer: Answer = json.loads(text)
        return answer

    async def read(self, uri: str) -> Answer:
        """Read a JSON resource."""
        (content,) = (await self.client.read_resource(uri)).contents
        assert isinstance(content, TextResourceContents)
        answer: Answer = json.loads(content.text)
        return answer


def _text(content: list[Any]) -> str:
    (block,) = content
    assert isinstance(block, TextContent)
    return block.text


def settings_for(repository: GitRepository, **given: object) -> BranchContextSettings:
    """Return settings that see the repository's own world and nothing of the test's machine."""
    world: Mapping[str, object] = {
        "repo_path": repository.path,
        "toolsets": "branches",
        **repository.environment,
    }
    return load(BranchContextSettings, {**world, **given})


@asynccontextmanager
async def checkout_client(
    repository: GitRepository, clock: Clock | None = None, /, **given: object
) -> AsyncIterator[CheckoutClient]:
    """Serve the repository over HTTP and connect to it; `given` are settings."""
    settings = settings_for(repository, **given)
    async with (
        open_server(settings, in_process_store(clock), clock) as server,
        serving(server) as base,
        Client(f"{base}/mcp") as client,
    ):
        yield CheckoutClient(client=client)
