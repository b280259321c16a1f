"""A real client in front of the inline-review server, in front of the GitHub stand-in."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from mcp import Client

from tests.interaction.asking import Asking, connected
from trunkline_inline_review.app import open_server
from trunkline_inline_review.settings import InlineReviewSettings
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import ChangedFile, GitHubStandIn, Issue, Repository, User

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
class World(Asking):
    """A pull request with changed files, its author, a reviewer, and the reviewer's client."""

    here: ClassVar[Mapping[str, object]] = HERE

    github: GitHubStandIn
    repository: Repository
    issue: Issue
    pull: Issue
    me: User
    stranger: User
    clock: FakeClock

    def head(self) -> str:
        """Return the commit that the pull request's head is now."""
        assert self.pull.pull is not None
        return self.pull.pull.head_sha


@asynccontextmanager
async def client_of(clock: FakeClock, **settings: object) -> AsyncIterator[Client]:
    """Serve the inline-review server with these settings, and connect to it."""
    async with connected(open_server, InlineReviewSettings, clock, settings) as client:
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
