"""All GitHub servers and twig behind a real router, in front of the stand-in and a checkout."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult

from tests.interaction.asking import failure_of
from tests.interaction.mesh import Mesh, routing
from trunkline_branch_context.service import SERVICE as TWIG
from trunkline_ci_status.app import open_server as open_ci
from trunkline_ci_status.settings import CiStatusSettings
from trunkline_comment.app import open_server as open_comments
from trunkline_comment.settings import CommentSettings
from trunkline_inline_review.app import open_server as open_reviews
from trunkline_inline_review.settings import InlineReviewSettings
from trunkline_issues.app import open_server as open_issues
from trunkline_issues.settings import IssuesSettings
from trunkline_shared.server import ToolServer
from trunkline_shared.settings import Settings, load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import Demo, GitHubStandIn, seed_demo
from trunkline_shared.testing.serving import serving

Open = Callable[..., AbstractAsyncContextManager[ToolServer]]
SERVERS: Mapping[str, tuple[Open, type[Settings]]] = {
    "github_comment": (open_comments, CommentSettings),
    "github_inline_comment": (open_reviews, InlineReviewSettings),
    "github_ci": (open_ci, CiStatusSettings),
    "github": (open_issues, IssuesSettings),
}


@dataclass(frozen=True, kw_only=True)
class GitHubMesh:
    """The demo's GitHub and the router before its servers, which are at `servers`."""

    github: GitHubStandIn
    demo: Demo
    router: Mesh
    servers: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Agent:
    """An MCP client, as an agent uses it."""

    client: Client

    async def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Call a tool and return what it answers."""
        result = await self._result(tool, arguments)
        assert not result.is_error, result.content
        answer: dict[str, Any] | None = result.structured_content
        assert answer is not None
        return answer

    async def refused(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Call a tool and return the failure it answers with."""
        return failure_of(await self._result(tool, arguments))

    async def tools(self) -> dict[str, Mapping[str, Any]]:
        """Return the input schemas of what is offered, by name."""
        return {one.name: one.input_schema for one in (await self.client.list_tools()).tools}

    async def _result(self, tool: str, arguments: Mapping[str, object]) -> CallToolResult:
        result = await self.client.call_tool(tool, dict(arguments))
        assert isinstance(result, CallToolResult)
        return result


@asynccontextmanager
async def agent(url: str) -> AsyncIterator[Agent]:
    """Connect an agent to an endpoint of the router."""
    async with Client(url) as client:
        yield Agent(client=client)


@asynccontextmanager
async def github_mesh(
    github: GitHubStandIn,
    environment: pytest.MonkeyPatch,
    *,
    checkout: Path | None = None,
    others: Mapping[str, ToolServer] | None = None,
    **router: Any,
) -> AsyncIterator[GitHubMesh]:
    """Seed the demo and run the mesh; `checkout` is what twig serves, when it is there.

    `others` are further servers by their ids.
    """
    demo = seed_demo(github.state)
    environment.setenv("GITHUB_TOKEN", demo.token.secret)
    given: Mapping[str, object] = {
        "github_api_url": github.url,
        "github_write_interval_s": 0,
        "netrc": "/nonexistent",
        **router,
    }
    clock = FakeClock()
    store = in_process_store(clock)
    async with AsyncExitStack() as running:
        urls: dict[str, str] = {}
        for id_, (open_server, kind) in SERVERS.items():
            server = await running.enter_async_context(open_server(load(kind, given), store, clock))
            urls[id_] = await running.enter_async_context(serving(server))
        if checkout is not None:
            twig = TWIG.open(load(TWIG.settings, {**given, "repo_path": checkout}), store)
            server = await running.enter_async_context(twig)
            urls["twig"] = await running.enter_async_context(serving(server))
        for id_, server in (others or {}).items():
            urls[id_] = await running.enter_async_context(serving(server))
        mesh = await running.enter_async_context(routing(urls, **router))
        yield GitHubMesh(github=github, demo=demo, router=mesh, servers=urls)
