"""A real client in front of the issues server, in front of the GitHub stand-in."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult

from tests.interaction.commenting import failure_of, text_of
from trunkline_issues.app import open_server
from trunkline_issues.settings import IssuesSettings
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import GitHubStandIn, Issue, Repository, User
from trunkline_shared.testing.serving import serving

HERE: Mapping[str, object] = {"owner": "acme", "repo": "widgets"}
ISSUES = "/repos/acme/widgets/issues"
ONE = "/repos/acme/widgets/issues/1"
COMMENTS = "/repos/acme/widgets/issues/*/comments"
LABELS = "/repos/acme/widgets/issues/*/labels"
SEARCH = "/search/issues"


@dataclass(frozen=True, kw_only=True)
class Tracking:
    """A repository with an issue and a pull request, two people, and a client of the server."""

    github: GitHubStandIn
    repository: Repository
    issue: Issue
    pull: Issue
    me: User
    stranger: User
    client: Client

    async def raw(self, tool: str, *, meta: Any = None, **arguments: object) -> CallToolResult:
        """Call a tool in the repository."""
        result = await self.client.call_tool(tool, {**HERE, **arguments}, meta=meta)
        assert isinstance(result, CallToolResult)
        return result

    async def call(self, tool: str, *, meta: Any = None, **arguments: object) -> dict[str, Any]:
        """Call a tool in the repository and return what it answers."""
        result = await self.raw(tool, meta=meta, **arguments)
        assert not result.is_error, text_of(result)
        assert result.structured_content is not None
        answer: dict[str, Any] = result.structured_content
        return answer

    async def refused(self, tool: str, *, meta: Any = None, **arguments: object) -> dict[str, Any]:
        """Call a tool in the repository and return the failure it answers with."""
        return failure_of(await self.raw(tool, meta=meta, **arguments))

    def label(self, issue: Issue, *names: str) -> None:
        """Give an issue labels, which the repository has from then on."""
        tracker = self.repository.tracker
        issue.labels += [tracker.label(name) or tracker.add_label(name) for name in names]

    def bodies(self) -> list[str]:
        """Return what the issue's comments say."""
        return [comment.body for comment in self.issue.comments]

    def sent(self, method: str, path: str = "*") -> int:
        """Return how many requests of this kind arrived."""
        return len(self.github.requests.matching(method, path))


def names_of(issues: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the titles of a list's entries."""
    return [one["title"] for one in issues]


@asynccontextmanager
async def client_of(**settings: object) -> AsyncIterator[Client]:
    """Serve the issues server with these settings, and connect to it."""
    given = {"github_write_interval_s": 0, "netrc": "/nonexistent", **settings}
    clock = FakeClock()
    async with (
        open_server(load(IssuesSettings, given), in_process_store(clock), clock) as server,
        serving(server) as url,
        Client(f"{url}/mcp") as client,
    ):
        yield client


@asynccontextmanager
async def tracking(
    github: GitHubStandIn, environment: pytest.MonkeyPatch, **settings: object
) -> AsyncIterator[Tracking]:
    """Seed the stand-in and serve the issues server before it, as one who may write."""
    me = github.state.add_user("helper-bot")
    stranger = github.state.add_user("mallory")
    repository = github.state.add_repository("acme/widgets")
    repository.grant(me, "write")
    environment.setenv("GITHUB_TOKEN", github.state.add_token(me, "helper").secret)
    options = {"github_api_url": github.url, "toolsets": "all", "enable_writes": "all", **settings}
    async with client_of(**options) as client:
        yield Tracking(
            github=github,
            repository=repository,
            issue=repository.add_issue("Broken", stranger),
            pull=repository.add_pull("Mend", stranger),
            me=me,
            stranger=stranger,
            client=client,
        )
