"""A run's jobs: all pages, all states, by name and by attempt."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from tests.interaction.asking import HERE, failure_of
from tests.interaction.ci_logs import World, client_of, world
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import Step

pytestmark = pytest.mark.anyio


@pytest.fixture
async def ci(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    async with world(monkeypatch) as there:
        yield there


async def details(ci: World, run_id: int, **arguments: object) -> dict[str, Any]:
    return await ci.call("get_workflow_run_details", run_id=run_id, **arguments)


async def test_a_job_has_the_fields_that_agents_know(ci: World) -> None:
    """Id, name, conclusion, address and failed steps, and what else helps to judge it."""
    steps = [
        Step(name="Set up job"),
        Step(name="Run tests", conclusion="failure"),
        Step(name="Upload", conclusion="skipped"),
    ]
    job = ci.job(None, name="build (ubuntu-latest, 3.12)", steps=steps)
    job.completed_at = job.started_at + timedelta(seconds=90)
    answer = await details(ci, job.run.id)
    (shown,) = answer["jobs"]
    address = f"https://github.com/acme/widgets/actions/runs/{job.run.id}"
    assert shown["id"] == job.id
    assert shown["name"] == "build (ubuntu-latest, 3.12)"
    assert (shown["status"], shown["conclusion"]) == ("completed", "failure")
    assert shown["html_url"] == f"{address}/job/{job.id}"
    assert shown["failed_steps"] == [{"name": "Run tests", "number": 2}]
    assert shown["matrix"] == {"job": "build", "values": ["ubuntu-latest", "3.12"]}
    assert (shown["duration_s"], shown["runner_name"]) == (90.0, "GitHub Actions 1")
    assert (shown["labels"], shown["run_attempt"]) == (["ubuntu-latest"], 1)
    assert shown["started_at"] < shown["completed_at"]
    assert answer["run"]["html_url"] == address
    assert (answer["run"]["head_sha"], answer["run"]["event"]) == ("5" * 40, "pull_request")


@pytest.mark.requirement("ci.jobs.counts")
async def test_the_counts_add_up_whatever_github_says(ci: World) -> None:
    """Cancelled, timed out, skipped and running jobs are all counted, and once."""
    run = ci.run(status="in_progress")
    for conclusion in (
        *("success", "success", "failure", "timed_out", "cancelled"),
        *("skipped", "neutral", "action_required"),
    ):
        ci.ci.add_job(run, f"job {conclusion}", conclusion=conclusion)
    for status in ("queued", "in_progress", "waiting"):
        ci.ci.add_job(run, f"job {status}", status=status, runner=None)
    counts = (await details(ci, run.id))["counts"]
    assert counts == {
        "total": 11,
        "passed": 2,
        "failed": 2,
        "pending": 3,
        "cancelled": 1,
        "skipped": 1,
        "neutral": 1,
        "action_required": 1,
        "other": 0,
    }
    assert counts["total"] == sum(value for key, value in counts.items() if key != "total")


async def test_a_job_that_runs_has_no_duration(ci: World) -> None:
    """And one that GitHub ends before it starts, as it does with skipped ones, none below zero."""
    run = ci.run(status="in_progress")
    ci.ci.add_job(run, "runs", status="in_progress", runner=None)
    skipped = ci.ci.add_job(run, "skipped", conclusion="skipped")
    skipped.completed_at = skipped.started_at - timedelta(seconds=1)
    first, second = (await details(ci, run.id))["jobs"]
    assert (first["duration_s"], first["completed_at"], first["runner_name"]) == (None, None, None)
    assert second["duration_s"] == 0


@pytest.mark.requirement("ci.jobs.pages")
async def test_a_matrix_of_more_than_a_thousand_jobs_is_read_to_its_end(ci: World) -> None:
    """The counts hold for all; a job on the last page is found by name; failed ones go first."""
    run = ci.run(conclusion="failure")
    for number in range(1, 1151):
        failed = number == 1150
        ci.ci.add_job(run, f"test ({number})", conclusion="failure" if failed else "success")
    answer = await details(ci, run.id)
    assert (answer["counts"]["total"], answer["counts"]["failed"]) == (1150, 1)
    assert (answer["selected"], answer["returned"], answer["truncated"]) == (1150, 200, True)
    assert answer["jobs"][0]["name"] == "test (1150)"
    found = await details(ci, run.id, job_name="TEST (1149)")
    assert [job["name"] for job in found["jobs"]] == ["test (1149)"]
    assert (found["selected"], found["truncated"]) == (1, False)
    assert found["counts"]["total"] == 1150
    assert len(ci.github.requests.matching(path=f"*/runs/{run.id}/jobs")) == 2 * 12


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("", ["build (ubuntu, 3.12)", "build (windows, 3.12)", "lint", "build"]),
        ("build", ["build"]),
        ("BUILD (", ["build (ubuntu, 3.12)", "build (windows, 3.12)"]),
        ("build*3.12*", ["build (ubuntu, 3.12)", "build (windows, 3.12)"]),
        ("*win*", ["build (windows, 3.12)"]),
        ("deploy", []),
    ],
)
async def test_jobs_are_looked_up_by_name(ci: World, name: str, found: list[str]) -> None:
    """The whole name, else a glob, else a part of it; letters' case does not matter."""
    run = ci.run()
    for job in ("build (ubuntu, 3.12)", "build (windows, 3.12)", "lint", "build"):
        ci.ci.add_job(run, job)
    answer = await details(ci, run.id, job_name=name)
    assert [job["name"] for job in answer["jobs"]] == found


async def test_only_failed_jobs_when_asked(ci: World) -> None:
    """A cancelled job has not failed; the counts are of all jobs."""
    run = ci.run(conclusion="failure")
    for conclusion in ("success", "failure", "cancelled", "timed_out"):
        ci.ci.add_job(run, conclusion, conclusion=conclusion)
    answer = await details(ci, run.id, only_failed=True)
    assert [job["name"] for job in answer["jobs"]] == ["failure", "timed_out"]
    assert (answer["selected"], answer["counts"]["total"]) == (2, 4)


@pytest.mark.requirement("ci.jobs.attempts")
async def test_an_attempt_that_has_ended_is_immutable(ci: World) -> None:
    """Named, it holds for ever; the latest may be followed by another, a running one changes."""
    job = ci.job(None)
    ci.ci.rerun(job.run)
    first = await details(ci, job.run.id, attempt=1)
    assert (first["run"]["run_attempt"], first["run"]["conclusion"]) == (1, "failure")
    assert [(one["run_attempt"], one["conclusion"]) for one in first["jobs"]] == [(1, "failure")]
    latest = await details(ci, job.run.id)
    assert (latest["run"]["run_attempt"], latest["jobs"][0]["status"]) == (2, "queued")
    tool = "get_workflow_run_details"
    assert await ci.reuse(tool, run_id=job.run.id, attempt=1) == {"immutable": True}
    assert await ci.reuse(tool, run_id=job.run.id) == {"ttl_s": 10}
    assert await ci.reuse(tool, run_id=job.run.id, attempt=2) == {"ttl_s": 10}
    ci.ci.finish(job.run)
    assert await ci.reuse(tool, run_id=job.run.id) == {"ttl_s": 60}


async def test_a_run_or_attempt_that_is_not_there_is_not_found(ci: World) -> None:
    """With the hint that a credential may not see it."""
    job = ci.job(None)
    for arguments in ({"run_id": 1}, {"run_id": job.run.id, "attempt": 9}):
        error = await ci.refused("get_workflow_run_details", **arguments)
        assert error["error_code"] == "NOT_FOUND"


async def test_a_deleted_repository_or_account_does_not_matter(ci: World) -> None:
    """The run of a fork that is gone is read like any other."""
    job = ci.job(None)
    job.run.head_repository_deleted = True
    job.run.actor = None
    assert (await details(ci, job.run.id))["counts"]["failed"] == 1


@pytest.mark.requirement("ci.permission")
async def test_a_missing_permission_is_named(ci: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tools are there all the same, and say which permission is missing."""
    job = ci.job(b"x")
    ci.repository.private = True
    user = ci.github.state.add_user("narrow")
    narrow = ci.github.state.add_token(user, "narrow", permissions={"metadata": "read"})
    ci.repository.grant(user, "read")
    monkeypatch.setenv("GITHUB_TOKEN", narrow.secret)
    for tool, arguments in (
        ("get_workflow_run_details", {"run_id": job.run.id}),
        ("get_job_log", {"job_id": job.id}),
        ("get_failed_logs", {"run_id": job.run.id}),
    ):
        error = await ci.refused(tool, **arguments)
        assert error["error_code"] == "PERMISSION_DENIED", tool
        assert "actions" in error["hint"], tool


@pytest.mark.requirement("ci.credentials")
async def test_without_a_token_the_tools_are_listed_and_say_so(
    ci: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything about the repository."""
    monkeypatch.delenv("GITHUB_TOKEN")
    monkeypatch.setenv("PATH", "/nonexistent")
    async with client_of(FakeClock(), github_api_url=ci.github.url) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"get_workflow_run_details", "get_job_log", "get_failed_logs"} <= names
        for name in ("get_workflow_run_details", "get_failed_logs"):
            error = failure_of(await client.call_tool(name, {"run_id": 1, "owner": "no such"}))
            assert error["error_code"] == "CREDENTIALS_MISSING"
        error = failure_of(await client.call_tool("get_job_log", {"job_id": 1, **HERE}))
        assert error["error_code"] == "CREDENTIALS_MISSING"
