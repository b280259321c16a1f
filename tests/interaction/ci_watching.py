"""A real client in front of the ci-status server, in front of the GitHub stand-in."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from tests.interaction.asking import Asking, connected
from trunkline_ci_status.app import open_server
from trunkline_ci_status.settings import CiStatusSettings
from trunkline_shared import meta as keys
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import (
    ContinuousIntegration,
    GitHubStandIn,
    Issue,
    Repository,
    User,
)

HOME = "/repos/acme/widgets"


@dataclass(frozen=True, kw_only=True)
class World(Asking):
    """A repository with a pull request, its CI, and a client of the server."""

    github: GitHubStandIn
    repository: Repository
    pull: Issue
    me: User
    clock: FakeClock

    @property
    def ci(self) -> ContinuousIntegration:
        return self.repository.ci

    @property
    def head(self) -> str:
        """The pull request's head as it is now."""
        assert self.pull.pull is not None
        return self.pull.pull.head_sha

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
    clock = FakeClock(github.state.ledger.clock.now())
    async with connected(open_server, CiStatusSettings, clock, options) as client:
        yield World(
            github=github,
            repository=repository,
            pull=repository.add_pull("Mend", me),
            me=me,
            clock=clock,
            client=client,
        )
