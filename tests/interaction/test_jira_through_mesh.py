"""Jira behind the router, beside a checkout: the branch one stands on says which issue is meant."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.interaction.github_mesh import Agent, agent
from tests.interaction.jira_reading import logged_in
from tests.interaction.mesh import Mesh, routing
from trunkline_branch_context.service import SERVICE as TWIG
from trunkline_jira.service import SERVICE as JIRA
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.git_repository import GitRepository
from trunkline_shared.testing.jira import JiraStandIn
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def jira_mesh(
    checkout: GitRepository, environment: pytest.MonkeyPatch
) -> AsyncIterator[Mesh]:
    """Run the router before twig and the jira server, as on a laptop; project ME has two issues."""
    for name, value in checkout.environment.items():
        environment.setenv(name, value)
    async with JiraStandIn() as jira:
        me = jira.state.add_user("helper")
        project = jira.state.add_project("ME")
        for summary in ("Broken", "Other"):
            jira.state.add_issue(project, summary, reporter=me)
        logged_in(environment, me, jira.state.add_token(me, "helper").secret, "cloud")
        given = {"netrc": "/nonexistent", "jira_url": jira.url, "repo_path": checkout.path}
        store = in_process_store()
        async with (
            JIRA.open(load(JIRA.settings, given), store) as issues,
            TWIG.open(load(TWIG.settings, given), store) as twig,
            serving(issues) as jira_url,
            serving(twig) as twig_url,
            routing({"jira": jira_url, "twig": twig_url}, local_defaults=True) as mesh,
        ):
            yield mesh


@asynccontextmanager
async def asking(mesh: Mesh, query: str = "") -> AsyncIterator[Agent]:
    async with agent(f"{mesh.url}/mcp{query}") as connected:
        yield connected


@pytest.mark.requirement("jira.default-key")
async def test_without_a_key_the_issue_is_the_branchs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What twig links to the branch, else what the branch is called; nobody is asked."""
    checkout = GitRepository.at(tmp_path)
    async with jira_mesh(checkout, monkeypatch) as mesh, asking(mesh) as caller:
        failure = await caller.refused("get_jira_issue")
        assert failure["error_code"] == "INVALID_INPUT"
        assert "issue_key" in failure["message"]
        checkout.git("switch", "--quiet", "--create", "feature/ME-1-mend")
        assert (await caller.call("get_jira_issue"))["summary"] == "Broken"
        assert (await caller.call("get_jira_issue", issue_key="me2"))["summary"] == "Other"


@pytest.mark.requirement("jira.default-key")
async def test_a_context_that_is_bound_to_an_issue_reads_that_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the branch is called."""
    checkout = GitRepository.at(tmp_path)
    checkout.git("switch", "--quiet", "--create", "feature/ME-1-mend")
    async with (
        jira_mesh(checkout, monkeypatch) as mesh,
        asking(mesh, "?issue_key=ME-2") as caller,
    ):
        assert (await caller.call("get_jira_issue"))["key"] == "ME-2"
        failure = await caller.refused("get_jira_issue", issue_key="ME-1")
        assert failure["error_code"] in {"BLOCKED_BY_POLICY", "INVALID_INPUT"}
