"""A real client in front of the ci-status server, in front of GitHub and the host of its logs."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from mcp import Client

from tests.interaction.asking import Asking, connected, text_of
from tests.samples import GITHUB_OPENAPI
from trunkline_ci_status.app import open_server
from trunkline_ci_status.settings import CiStatusSettings
from trunkline_shared import meta
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import (
    GeneratedLog,
    GitHubStandIn,
    Job,
    Repository,
    Step,
    WorkflowRun,
)
from trunkline_shared.testing.github.ci import ContinuousIntegration
from trunkline_shared.testing.openapi import OpenApiGuard

HEAD = "5" * 40
TOKEN = "helper-token"
HOUR = timedelta(hours=1)


def stamped(*lines: str, at: datetime | None = None) -> bytes:
    """Return lines as GitHub's logs have them: a byte order mark, timestamps, CRLF."""
    stamp = (at or datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)).strftime("%Y-%m-%dT%H:%M:%S")
    text = "".join(f"{stamp}.1234567Z {line}\r\n" for line in lines)
    return b"\xef\xbb\xbf" + text.encode()


def numbered(count: int) -> bytes:
    """Return a log of numbered lines."""
    return stamped(*(f"line {number}" for number in range(1, count + 1)))


@dataclass(frozen=True, kw_only=True)
class World(Asking):
    """A repository whose CI a test seeds, and a client of the server."""

    github: GitHubStandIn
    clock: FakeClock
    repository: Repository

    @property
    def ci(self) -> ContinuousIntegration:
        return self.repository.ci

    def run(self, **given: Any) -> WorkflowRun:
        """Add a run without jobs, begun an hour ago."""
        return self.ci.add_run(HEAD, jobs=False, at=self.ci.ledger.now() - HOUR, **given)

    def job(
        self,
        log: bytes | GeneratedLog | None,
        *,
        run: WorkflowRun | None = None,
        name: str = "build",
        conclusion: str = "failure",
        steps: Sequence[Step] = (),
    ) -> Job:
        """Add a job that ended an hour ago."""
        return self.ci.add_job(
            run or self.run(conclusion=conclusion),
            name,
            conclusion=conclusion,
            log=log,
            steps=steps,
        )

    async def reuse(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Call a tool and return what its answer says about its own reuse."""
        result = await self.raw(tool, **arguments)
        assert not result.is_error, text_of(result)
        said: dict[str, Any] = (result.meta or {})[meta.REUSE]
        return said


@asynccontextmanager
async def client_of(clock: FakeClock, **settings: object) -> AsyncIterator[Client]:
    """Serve the ci-status server with these settings, and connect to it."""
    async with connected(open_server, CiStatusSettings, clock, settings) as client:
        yield client


@asynccontextmanager
async def world(environment: pytest.MonkeyPatch, **settings: object) -> AsyncIterator[World]:
    """Serve GitHub, the host of its logs and the ci-status server, all at one time of their own."""
    clock = FakeClock()
    async with GitHubStandIn(clock=clock, guard=OpenApiGuard(GITHUB_OPENAPI)) as github:
        me = github.state.add_user("helper-bot")
        repository = github.state.add_repository("acme/widgets")
        repository.grant(me, "write")
        environment.setenv("GITHUB_TOKEN", github.state.add_token(me, "helper").secret)
        async with client_of(clock, github_api_url=github.url, **settings) as client:
            yield World(github=github, clock=clock, repository=repository, client=client)
