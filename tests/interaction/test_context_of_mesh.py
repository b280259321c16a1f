"""A branch's context from the servers as they are, before the stand-ins of GitHub and Jira."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.interaction.composing import reader
from tests.interaction.github_mesh import GitHubMesh, agent, github_mesh
from tests.interaction.jira_reading import logged_in
from trunkline_jira.app import open_server
from trunkline_jira.settings import JiraSettings
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.git_repository import GitRepository, twig_state
from trunkline_shared.testing.github import GitHubStandIn
from trunkline_shared.testing.jira import JiraStandIn, seed_demo

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def whole_mesh(
    github: GitHubStandIn,
    environment: pytest.MonkeyPatch,
    checkout: GitRepository,
    **router: object,
) -> AsyncIterator[GitHubMesh]:
    """Run every server that a context asks, on a checkout of the demo's repository."""
    checkout.git("remote", "add", "origin", f"{github.url}/acme/widgets.git")
    clock = FakeClock()
    async with JiraStandIn(clock=clock) as jira:
        demo = seed_demo(jira.state)
        logged_in(environment, demo.token.user, demo.token.secret, "cloud")
        settings = load(JiraSettings, {"jira_url": jira.url})
        async with (
            open_server(settings, in_process_store(clock), clock) as server,
            github_mesh(
                github, environment, checkout=checkout.path, others={"jira": server}, **router
            ) as mesh,
        ):
            yield mesh


@pytest.mark.requirement("twig.context-composed", "twig.prompts-composed")
async def test_the_mesh_as_it_is_answers_a_whole_context(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The demo's pull request by its head, its CI, and the issue that twig links."""
    made = GitRepository.at(tmp_path)
    made.branch("tighten-screws")
    made.twig(twig_state(branches={"tighten-screws": ("WID-2", None)}))
    async with (
        whole_mesh(github, monkeypatch, made) as mesh,
        reader(mesh.router.mcp) as agent,
    ):
        found = await agent.context("tighten-screws")
        text = await agent.prompt("branch-context", branch="tighten-screws")
    pull, ci, issue = (found[part]["data"] for part in ("pull_request", "ci", "jira"))
    assert (pull["number"], pull["title"], pull["author"]) == (
        2,
        "WID-2: Tighten the screws",
        "bob",
    )
    assert (ci["verdict"], ci["pr_number"], ci["head_sha"]) == ("failing", 2, pull["head_sha"])
    assert ci["failed"]
    assert (issue["key"], issue["status"], issue["assignee"]) == (
        "WID-2", "In Progress", "Demo User",
    )  # fmt: skip
    assert issue["description"].startswith("From 40 kg on they wobble.")
    assert 'pull request #2 "WID-2: Tighten the screws": open' in text
    assert "CI: failing; failed: " in text
    assert 'Jira WID-2 "Widgets wobble under load": "In Progress"' in text


@pytest.mark.requirement("twig.context-degrades", "router.delegation-narrow")
async def test_a_job_of_another_pull_request_reads_neither_pull_request_nor_ci(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The servers hold what they find to the token's binding; the issue is not bound."""
    made = GitRepository.at(tmp_path)
    made.branch("tighten-screws", "other")
    made.twig(twig_state(branches={"tighten-screws": ("WID-2", 2)}))
    async with whole_mesh(github, monkeypatch, made) as mesh:
        pulls, bob = mesh.demo.repository, mesh.demo.token.user
        other = pulls.add_pull("Other", bob, head="other")
        url = f"{mesh.router.mcp}?owner=acme&repo=widgets&pr_number={other.number}"
        async with reader(url) as agent:
            linked = await agent.context("tighten-screws")
            own = await agent.context("other")
    assert linked["pull_request"]["error_code"] == linked["ci"]["error_code"] == "BLOCKED_BY_POLICY"
    assert linked["jira"]["data"]["key"] == "WID-2"
    assert own["pull_request"]["data"]["number"] == other.number
    assert own["ci"]["available"]


@pytest.mark.requirement("twig.issue-key")
async def test_a_read_of_jira_on_a_laptop_is_about_the_branchs_issue(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The key in the name of the branch that one stands on, found afresh."""
    made = GitRepository.at(tmp_path)
    made.branch("feature/wid-2-tighten")
    async with (
        whole_mesh(github, monkeypatch, made, local_defaults=True) as mesh,
        agent(mesh.router.mcp) as client,
    ):
        refused = await client.refused("get_jira_issue")
        made.switch("feature/wid-2-tighten")
        found = await client.call("get_jira_issue")
        branch = await client.call("get_current_branch")
        other = await client.call("get_branch_metadata", branch="main")
    assert refused["error_code"] == "INVALID_INPUT"
    assert found["summary"] == "Widgets wobble under load"
    assert (branch["issue_key"], branch["jira_issue"]) == ("WID-2", None)
    assert other["issue_key"] is None


@pytest.mark.requirement("twig.context-degrades")
async def test_without_credentials_github_is_missing_and_the_rest_is_there(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The servers say which variable to set."""
    made = GitRepository.at(tmp_path)
    made.twig(twig_state(branches={"main": ("WID-2", 2)}))
    async with whole_mesh(github, monkeypatch, made) as mesh:
        monkeypatch.delenv("GITHUB_TOKEN")
        async with reader(mesh.router.mcp) as agent:
            found = await agent.context("main")
    assert found["jira"]["available"]
    for part in ("pull_request", "ci"):
        assert found[part]["error_code"] == "CREDENTIALS_MISSING"
        assert "GITHUB_TOKEN" in f"{found[part]['message']} {found[part]['hint']}"
