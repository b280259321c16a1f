"""A real client in front of the ci-status server, in front of the GitHub stand-in."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult

from tests.interaction.commenting import failure_of, text_of
from trunkline_ci_status.app import open_server
from trunkline_ci_status.settings import CiStatusSettings
from trunkline_shared import meta as keys
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import (
    ContinuousIntegration,
    GitHubStandIn,
    Issue,
    Repository,
    User,
)
from trunkline_shared.testing.serving import serving

HERE: Mapping[str, object] = {"owner": "acme", "repo": "widgets"}
HOME = "/repos/acme/widgets"


@dataclass(frozen=True, kw_only=True)
class World:
    """A repository with a pull request, its CI, and a client of the server."""

    github: GitHubStandIn
    repository: Repository
    pull: Issue
    me: User
    clock: FakeClock
    client: Client

    @property
    def ci(self) -> ContinuousIntegration:
        return self.repository.ci

    @property
    def head(self) -> str:
        """The pull request's head as it is now."""
        assert self.pull.pull is not None
        return self.pull.pull.head_sha

    async def raw(self, tool: str, *, meta: Any = None, **arguments: object) -> CallToolResult:
        """Call a tool in the repository."""
        result = await self.client.call_tool(tool, {**HERE, **arguments}, meta=meta)
        assert isinstance(result, CallToolResult)
        return result

    async def call(self, tool: str, *, meta: Any = None, **arguments: object) -> dict[str, Any]:
        """Call a tool in the repository and return what it answers."""
        result = await self.raw(tool, meta=meta, **arguments)
        assert not result.is_error, text_of(result)
        answer: dict[str, Any] = result.structured_content
        assert json.loads(text_of(result)) == answer
        return answer

    async def refused(self, tool: str, *, meta: Any = None, **arguments: object) -> dict[str, Any]:
        """Call a tool in the repository and return the failure it answers with."""
        return failure_of(await self.raw(tool, meta=meta, **arguments))

    async def status(self, **arguments: object) -> dict[str, Any]:
        """Ask how CI stands on the pull request, or on what `ref` names."""
        asked = {} if "ref" in arguments else {"pr_number": self.pull.number}
        return await self.call("get_ci_status", **{**asked, **arguments})

    async def verdict(self, **arguments: object) -> str:
        """Ask for the verdict on the pull request."""
        return str((await self.status(**arguments))["summary"]["verdict"])


def bound(**names: object) -> dict[str, object]:
    """Return the request's `_meta` of a context that is bound so."""
    return {keys.BIND: names}


@asynccontextmanager
async def world(
    github: GitHubStandIn, environment: pytest.MonkeyPatch, **settings: object
) -> AsyncIterator[World]:
    """Seed the stand-in and serve the ci-status server before it, as one who may write."""
    me = github.state.add_user("helper-bot")
    repository = github.state.add_repository("acme/widgets")
    repository.grant(me, "write")
    environment.setenv("GITHUB_TOKEN", github.state.add_token(me, "helper").secret)
    options = {"github_api_url": github.url, "toolsets": "all", "enable_writes": "all", **settings}
    given = {"github_write_interval_s": 0, "netrc": "/nonexistent", **options}
    clock = FakeClock(github.state.ledger.clock.now())
    async with (
        open_server(load(CiStatusSettings, given), in_process_store(clock), clock) as server,
        serving(server) as url,
        Client(f"{url}/mcp") as client,
    ):
        yield World(
            github=github,
            repository=repository,
            pull=repository.add_pull("Mend", me),
            me=me,
            clock=clock,
            client=client,
        )
