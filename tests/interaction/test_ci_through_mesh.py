"""CI as an agent of a job sees it: through the router, bound to its pull request."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from mcp_types import CallToolResult

from tests.interaction.github_mesh import Agent, GitHubMesh, agent, github_mesh
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio


@pytest.fixture
async def mesh(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[GitHubMesh]:
    """The mesh as a team runs it."""
    async with github_mesh(github, monkeypatch) as running:
        yield running


@pytest.fixture
async def watcher(mesh: GitHubMesh) -> AsyncIterator[Agent]:
    """An agent in the context of the demo's pull request."""
    async with agent(f"{mesh.router.mcp}?owner=acme&repo=widgets&pr_number=2") as bound:
        yield bound


@pytest.mark.requirement("ci.wait")
async def test_an_agent_follows_a_wait_and_names_nothing(mesh: GitHubMesh, watcher: Agent) -> None:
    """The context names the pull request; progress arrives while the tool still waits."""
    ci, pull = mesh.demo.repository.ci, mesh.demo.pull.pull
    assert pull is not None
    run = ci.add_run(mesh.demo.repository.push(mesh.demo.pull), status="queued")
    ci.script = [lambda: run.set("in_progress"), lambda: ci.finish(run)]
    told: list[str | None] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        assert total is None or progress <= total
        told.append(message)

    async with asyncio.timeout(10):
        result = await watcher.client.call_tool("wait_for_ci", {}, progress_callback=tell)
    assert isinstance(result, CallToolResult)
    assert result.structured_content is not None
    assert result.structured_content["summary"]["verdict"] == "passing"
    assert told == ["0 of 1 done", "0 of 1 done", "1 of 1 done"]


@pytest.mark.requirement("ci.ownership")
async def test_an_agent_may_name_commits_of_its_pull_request_only(
    mesh: GitHubMesh, watcher: Agent
) -> None:
    """The router adds the number that is bound; a reference must be one within it."""
    pull = mesh.demo.pull.pull
    assert pull is not None
    found = await watcher.call("get_ci_status", ref=pull.head_sha)
    assert (found["head_sha"], found["pr_number"]) == (pull.head_sha, 2)
    assert (await watcher.refused("get_ci_status", ref="main"))["error_code"] == "BLOCKED_BY_POLICY"
