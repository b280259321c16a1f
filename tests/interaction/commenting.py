"""A real client in front of the comment server, in front of the GitHub stand-in."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from mcp import Client

from tests.interaction.asking import Asking, connected
from trunkline_comment.app import open_server
from trunkline_comment.settings import CommentSettings
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import GitHubStandIn, Issue, Repository, User

LIST = "/repos/acme/widgets/issues/*/comments"
ONE = "/repos/acme/widgets/issues/comments/*"


@dataclass(frozen=True, kw_only=True)
class World(Asking):
    """A repository with an issue and a pull request, two people, and a client of the server."""

    github: GitHubStandIn
    repository: Repository
    issue: Issue
    pull: Issue
    me: User
    stranger: User

    def bodies(self) -> list[str]:
        """Return what the issue's comments say."""
        return [comment.body for comment in self.issue.comments]


@asynccontextmanager
async def client_of(**settings: object) -> AsyncIterator[Client]:
    """Serve the comment server with these settings, and connect to it."""
    clock = FakeClock()
    async with connected(open_server, CommentSettings, clock, settings) as client:
        yield client


@asynccontextmanager
async def world(
    github: GitHubStandIn, environment: pytest.MonkeyPatch, **settings: object
) -> AsyncIterator[World]:
    """Seed the stand-in and serve the comment server before it, as one who may write."""
    me = github.state.add_user("helper-bot")
    stranger = github.state.add_user("mallory")
    repository = github.state.add_repository("acme/widgets")
    repository.grant(me, "write")
    environment.setenv("GITHUB_TOKEN", github.state.add_token(me, "helper").secret)
    options = {"github_api_url": github.url, "toolsets": "all", "enable_writes": "all", **settings}
    async with client_of(**options) as client:
        yield World(
            github=github,
            repository=repository,
            issue=repository.add_issue("Broken", stranger),
            pull=repository.add_pull("Mend", stranger),
            me=me,
            stranger=stranger,
            client=client,
        )
