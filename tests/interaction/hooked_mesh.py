"""GitHub with a webhook, its servers of CI and of pull requests, and two routers before them."""

from collections.abc import AsyncIterator, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    nullcontext,
)
from dataclasses import dataclass
from typing import Any

import pytest

from tests.interaction.delivering import GITHUB_SECRET, SECRETS
from tests.interaction.mesh import Mesh, routing
from tests.redis_process import RedisProcess, running_redis
from trunkline_ci_status.app import open_server as open_ci
from trunkline_ci_status.settings import CiStatusSettings
from trunkline_issues.app import open_server as open_issues
from trunkline_issues.settings import IssuesSettings
from trunkline_shared.settings import load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.store import Store, in_process_store
from trunkline_shared.testing.github import Demo, GitHubStandIn, seed_demo
from trunkline_shared.testing.serving import serving

SHARED = "known-to-both-of-the-replicas"


@dataclass(frozen=True, kw_only=True)
class HookedMesh:
    """The demo's GitHub, which tells the first router what changes, and both routers."""

    github: GitHubStandIn
    demo: Demo
    first: Mesh
    second: Mesh
    redis: RedisProcess | None

    @property
    def head(self) -> str:
        """The commit that the demo's pull request ends with."""
        assert self.demo.pull.pull is not None
        return self.demo.pull.pull.head_sha

    def tell(self, *events: str) -> None:
        """Have GitHub tell the first router of these events, of all of them if none is named."""
        url = f"{self.first.url}/webhooks/github"
        self.github.webhooks.deliver_to(url, GITHUB_SECRET, events or ("*",))


@asynccontextmanager
async def hooked_mesh(
    environment: pytest.MonkeyPatch, *, alone: bool = False, **given: Any
) -> AsyncIterator[HookedMesh]:
    """Run all of it over a Redis; `alone` is with one router for both, and without Redis."""
    async with AsyncExitStack() as running:
        github = await running.enter_async_context(GitHubStandIn())
        demo = seed_demo(github.state)
        environment.setenv("GITHUB_TOKEN", demo.token.secret)
        servers = await _servers(running, github)
        terms = {"secret": SHARED, **SECRETS, **given}
        redis = None if alone else running.enter_context(running_redis())
        meshes = [
            await running.enter_async_context(
                routing(servers, **{**terms, "store": await running.enter_async_context(store)})
            )
            for store in _stores(redis)
        ]
        yield HookedMesh(github=github, demo=demo, first=meshes[0], second=meshes[-1], redis=redis)


async def _servers(running: AsyncExitStack, github: GitHubStandIn) -> Mapping[str, str]:
    settings = {"github_api_url": github.url, "netrc": "/nonexistent"}
    store = in_process_store()
    ci = await running.enter_async_context(open_ci(load(CiStatusSettings, settings), store))
    issues = await running.enter_async_context(open_issues(load(IssuesSettings, settings), store))
    return {
        "github_ci": await running.enter_async_context(serving(ci)),
        "github": await running.enter_async_context(serving(issues)),
    }


def _stores(redis: RedisProcess | None) -> list[AbstractAsyncContextManager[Store]]:
    if redis is None:
        return [nullcontext(in_process_store())]
    return [open_store(redis.settings), open_store(redis.settings)]
