"""A context that is bound to a pull request reaches the runs, jobs and logs of that one only."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from tests.interaction.ci_logs import World, stamped, world
from trunkline_shared import meta
from trunkline_shared.contracts import Policy
from trunkline_shared.testing.github import Issue, Job

pytestmark = pytest.mark.anyio

TOOLS = ("get_workflow_run_details", "get_job_log", "get_failed_logs")


@pytest.fixture
async def ci(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    async with world(monkeypatch) as there:
        yield there


def pull_of(ci: World) -> Issue:
    return ci.repository.add_pull("Mend", ci.github.state.add_user("mallory"))


def job_of(ci: World, head_sha: str, branch: str) -> Job:
    at = ci.ci.ledger.now() - timedelta(hours=1)
    run = ci.ci.add_run(head_sha, branch=branch, conclusion="failure", jobs=False, at=at)
    return ci.job(stamped("##[error]no"), run=run)


def asked(tool: str, job: Job) -> dict[str, Any]:
    return {"job_id": job.id} if tool == "get_job_log" else {"run_id": job.run.id}


@pytest.mark.requirement("ci.binding")
@pytest.mark.parametrize("tool", TOOLS)
async def test_what_belongs_to_the_pull_request_is_read(ci: World, tool: str) -> None:
    """It is known by its head commit, also where runs name no pull request (forks)."""
    pull = pull_of(ci)
    assert pull.pull is not None
    job = job_of(ci, pull.pull.head_sha, "fork-branch")
    bound = {meta.BIND: {"owner": "acme", "repo": "widgets", "pr_number": pull.number}}
    await ci.call(tool, meta=bound, **asked(tool, job))


@pytest.mark.requirement("ci.binding")
@pytest.mark.parametrize("tool", [*TOOLS, "get_job_log by name"])
async def test_what_belongs_to_other_work_is_out_of_reach(ci: World, tool: str) -> None:
    """A run or job of another pull request, by whatever id or name; no log of it is fetched."""
    pull = pull_of(ci)
    job = job_of(ci, "6" * 40, "elsewhere")
    arguments = asked(tool, job)
    if tool == "get_job_log by name":
        tool, arguments = "get_job_log", {"run_id": job.run.id, "job_name": "build"}
    error = await ci.refused(tool, meta={meta.BIND: {"pr_number": pull.number}}, **arguments)
    assert error["error_code"] == "BLOCKED_BY_POLICY"
    assert error["details"]["reason"] == "outside_binding"
    assert ci.github.requests.matching(path="*/logs") == []


@pytest.mark.requirement("ci.binding")
@pytest.mark.parametrize("tool", TOOLS)
async def test_another_repository_is_out_of_reach(ci: World, tool: str) -> None:
    """Whatever the ids are; nothing is asked of GitHub."""
    error = await ci.refused(
        tool,
        meta={meta.BIND: {"repo": "gadgets"}},
        **{"run_id": 1, "job_name": "x"} if tool == "get_job_log" else {"run_id": 1},
    )
    assert error["error_code"] == "BLOCKED_BY_POLICY"
    assert len(ci.github.requests) == 0


async def test_the_tools_say_what_they_are_held_to(ci: World) -> None:
    """They need a pull request in a context, and check it themselves; all of them only read."""
    listed = {tool.name: tool for tool in (await ci.client.list_tools()).tools}
    for name in TOOLS:
        policy = Policy.model_validate((listed[name].meta or {})[meta.POLICY])
        assert (policy.context_needs, policy.enforces) == (("pr_number",), ("pr_number",))
        assert policy.reads is not None
        assert policy.reads.tags == ("gh:{owner}/{repo}:runs/{run_id}",)
        assert policy.toolset == "default"
        annotations = listed[name].annotations
        assert annotations is not None
        assert annotations.read_only_hint is True
