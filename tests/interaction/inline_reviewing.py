"""A real client in front of the inline-review server, in front of the GitHub stand-in."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult

from tests.interaction.commenting import failure_of, text_of
from trunkline_inline_review.app import open_server
from trunkline_inline_review.settings import InlineReviewSettings
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import ChangedFile, GitHubStandIn, Issue, Repository, User
from trunkline_shared.testing.serving import serving

HERE: dict[str, Any] = {"owner": "acme", "repo": "widgets", "pr_number": 2}
PULL = "/repos/acme/widgets/pulls/2"
FILES = PULL + "/files"
COMMENTS = PULL + "/comments"
ONE = "/repos/acme/widgets/pulls/comments/*"

OLD = "".join(f"line {n}\n" for n in range(1, 41))
NEW = OLD.replace("line 5\n", "line five\n").replace("line 30\n", "")
APP = ChangedFile(path="src/app.py", before=OLD, after=NEW)
"""RIGHT shows 2-8 and 27-32, LEFT 2-8 and 27-33."""
CHANGED = (
    APP,
    ChangedFile(path="new/name.py", previous_path="old/name.py", before=OLD, after=NEW),
    ChangedFile(path="gone.py", before="one\ntwo\n"),
    ChangedFile(path="notes.md", after="# Notes\n\nNone yet.\n"),
    ChangedFile(path="logo.png", before="", after="x", binary=True),
)


@dataclass(frozen=True, kw_only=True)
class World:
    """A pull request with changed files, its author, a reviewer, and the reviewer's client."""

    github: GitHubStandIn
    repository: Repository
    issue: Issue
    pull: Issue
    me: User
    stranger: User
    client: Client
    clock: FakeClock

    async def raw(self, tool: str, *, meta: Any = None, **arguments: object) -> CallToolResult:
        """Call a tool about the pull request."""
        result = await self.client.call_tool(tool, {**HERE, **arguments}, meta=meta)
        assert isinstance(result, CallToolResult)
        return result

    async def call(self, tool: str, *, meta: Any = None, **arguments: object) -> dict[str, Any]:
        """Call a tool about the pull request and return what it answers."""
        result = await self.raw(tool, meta=meta, **arguments)
        assert not result.is_error, text_of(result)
        assert result.structured_content is not None
        answer: dict[str, Any] = result.structured_content
        return answer

    async def refused(self, tool: str, *, meta: Any = None, **arguments: object) -> dict[str, Any]:
        """Call a tool about the pull request and return the failure it answers with."""
        return failure_of(await self.raw(tool, meta=meta, **arguments))

    def head(self) -> str:
        """Return the commit that the pull request's head is now."""
        assert self.pull.pull is not None
        return self.pull.pull.head_sha


@asynccontextmanager
async def client_of(clock: FakeClock, **settings: object) -> AsyncIterator[Client]:
    """Serve the inline-review server with these settings, and connect to it."""
    given = {"github_write_interval_s": 0, "netrc": "/nonexistent", **settings}
    store = in_process_store(clock)
    async with (
        open_server(load(InlineReviewSettings, given), store, clock) as server,
        serving(server) as url,
        Client(f"{url}/mcp") as client,
    ):
        yield client


@asynccontextmanager
async def world(
    github: GitHubStandIn, environment: pytest.MonkeyPatch, **settings: object
) -> AsyncIterator[World]:
    """Seed the stand-in and serve the inline-review server before it, as one who may write."""
    me = github.state.add_user("helper-bot")
    stranger = github.state.add_user("mallory")
    repository = github.state.add_repository("acme/widgets")
    repository.grant(me, "write")
    environment.setenv("GITHUB_TOKEN", github.state.add_token(me, "helper").secret)
    options = {"github_api_url": github.url, "toolsets": "all", "enable_writes": "all", **settings}
    clock = FakeClock()
    async with client_of(clock, **options) as client:
        yield World(
            github=github,
            repository=repository,
            issue=repository.add_issue("Broken", stranger),
            pull=repository.add_pull("Mend", stranger, files=CHANGED),
            me=me,
            stranger=stranger,
            client=client,
            clock=clock,
        )
