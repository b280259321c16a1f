"""A whole mesh in which everything about one branch is linked, before the stand-ins of all."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.interaction import keys
from tests.interaction.asking import failure_of, text_of
from tests.interaction.github_mesh import GitHubMesh, github_mesh
from tests.interaction.jira_reading import logged_in
from tests.interaction.mesh import Mesh
from tests.interaction.project_reading import TOKEN_VARIABLES, settings_for
from trunkline_bridge.app import open_server as open_bridge
from trunkline_bridge.settings import BridgeSettings
from trunkline_jira.app import open_server as open_jira
from trunkline_jira.settings import JiraSettings
from trunkline_project_reader.app import open_server as open_projects
from trunkline_project_reader.settings import ProjectReaderSettings
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing import basecamp as projects
from trunkline_shared.testing import jira as tracker
from trunkline_shared.testing.basecamp import BasecampStandIn
from trunkline_shared.testing.basecamp.todos import Todo
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.git_repository import GitRepository, twig_state
from trunkline_shared.testing.github import GitHubStandIn, Issue
from trunkline_shared.testing.jira import Issue as JiraIssue
from trunkline_shared.testing.jira import JiraStandIn

BRANCH = "tighten-screws"
TOOL = "get_work_context"
PARTS = ("branch", "pull_request", "ci", "threads", "jira", "todo")
HERE = {"owner": "acme", "repo": "widgets"}


@dataclass(frozen=True, kw_only=True)
class Worker:
    """An agent; `sizes` are the bytes of what it was told."""

    client: Client
    sizes: list[int] = field(default_factory=list)

    async def context(self, branch: str = "", **arguments: object) -> dict[str, Any]:
        """Ask for the work at hand, in the repository of the demo."""
        result = await self.client.call_tool(TOOL, {"branch": branch, **HERE, **arguments})
        assert not result.is_error, result.content
        text = text_of(result)
        self.sizes.append(len(text.encode()))
        answer: dict[str, Any] = json.loads(text)
        assert answer == result.structured_content
        return answer

    async def refused(self, branch: str = "", **arguments: object) -> dict[str, Any]:
        """Ask and return the failure."""
        return failure_of(
            await self.client.call_tool(TOOL, {"branch": branch, **HERE, **arguments})
        )


@dataclass(frozen=True, kw_only=True)
class Work:
    """The mesh, and what is linked to the branch `tighten-screws` of its checkout."""

    mesh: GitHubMesh
    checkout: GitRepository
    jira: JiraStandIn
    basecamp: BasecampStandIn
    pull: Issue
    issue: JiraIssue
    todo: Todo
    clock: FakeClock

    @property
    def router(self) -> Mesh:
        return self.mesh.router

    @property
    def link(self) -> str:
        """The address of the to-do, as people copy it."""
        (account,) = self.basecamp.state.accounts
        path = f"buckets/{self.todo.project.id}/todos/{self.todo.id}"
        return f"https://3.basecamp.com/{account}/{path}"

    def requests(self) -> int:
        """Return how many requests reached any vendor."""
        each = (self.mesh.github, self.jira, self.basecamp)
        return sum(len(vendor.requests.matching("*", "*")) for vendor in each)

    @asynccontextmanager
    async def worker(self, query: str = "", *, key: str | None = None) -> AsyncIterator[Worker]:
        """Connect an agent; `query` is its context, `key` the id of its key."""
        bearer = None if key is None else keys.key_of(key)
        async with (
            httpx2.AsyncClient(headers=keys.bearing(bearer), timeout=30) as http,
            Client(
                streamable_http_client(f"{self.router.mcp}{query}", http_client=http)
            ) as connected,
        ):
            yield Worker(client=connected)


def linked_checkout(
    at: Path, *, number: int | None = 2, issue: str | None = "WID-2"
) -> GitRepository:
    """Make a checkout that stands on the demo's branch, which twig links like this."""
    made = GitRepository.at(at)
    made.branch(BRANCH, "other", "unlinked")
    made.switch(BRANCH)
    links = {BRANCH: (issue, number)} if number or issue else {}
    made.twig(twig_state(branches=links, dependencies=[(BRANCH, "main")]))
    return made


@asynccontextmanager
async def work(
    github: GitHubStandIn,
    environment: pytest.MonkeyPatch,
    checkout: GitRepository,
    *,
    served: bool = True,
    bridge: Mapping[str, object] | None = None,
    **router: Any,
) -> AsyncIterator[Work]:
    """Run every server on the demo's data, with a to-do that the pull request links."""
    clock = FakeClock()
    async with AsyncExitStack() as running:
        jira = await running.enter_async_context(JiraStandIn(clock=clock))
        basecamp = await running.enter_async_context(BasecampStandIn(clock=clock))
        tickets, launch = tracker.seed_demo(jira.state), projects.seed_demo(basecamp.state)
        logged_in(environment, tickets.token.user, tickets.token.secret, "cloud")
        for variable in TOKEN_VARIABLES:
            environment.delenv(variable, raising=False)
        environment.setenv("BASECAMP_ACCESS_TOKEN", launch.token.secret)
        opening = {
            "jira": open_jira(
                load(JiraSettings, {"jira_url": jira.url}), in_process_store(clock), clock
            ),
            "basecamp": open_projects(
                load(ProjectReaderSettings, settings_for(basecamp, launch.account)),
                in_process_store(clock),
                clock,
            ),
            "bridge": open_bridge(
                load(BridgeSettings, bridge or {}), in_process_store(clock), None
            ),
        }
        others = {id_: await running.enter_async_context(each) for id_, each in opening.items()}
        mesh = await running.enter_async_context(
            github_mesh(
                github,
                environment,
                checkout=checkout.path if served else None,
                others=others,
                **router,
            )
        )
        todo = next(
            one
            for one in launch.account.recordings.values()
            if isinstance(one, Todo) and one.title == "Write the release notes"
        )
        made = Work(
            mesh=mesh,
            checkout=checkout,
            jira=jira,
            basecamp=basecamp,
            pull=mesh.demo.pull,
            issue=tickets.wobbling,
            todo=todo,
            clock=clock,
        )
        made.pull.body = f"Fixes #1.\n\nSee {made.link}."
        yield made
