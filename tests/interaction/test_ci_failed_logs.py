"""Why a run failed: all failed jobs at once, none able to spoil the answer."""

import math
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from tests.interaction.ci_logs import World, numbered, stamped, world
from trunkline_shared.testing.github import AnswerWith, Step

pytestmark = pytest.mark.anyio


@pytest.fixture
async def ci(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    async with world(monkeypatch) as there:
        yield there


async def test_each_failed_job_comes_with_its_step_and_the_end_of_its_log(ci: World) -> None:
    """Jobs that passed or were cancelled are not in it."""
    run = ci.run(conclusion="failure")
    ci.job(numbered(1), run=run, name="lint", conclusion="success")
    ci.job(numbered(1), run=run, name="deploy", conclusion="cancelled")
    steps = [Step(name="Set up job"), Step(name="Run tests", conclusion="failure")]
    failed = ci.job(numbered(300), run=run, name="build", steps=steps)
    slow = ci.job(stamped("late"), run=run, name="slow", conclusion="timed_out")
    logs = await ci.call("get_failed_logs", run_id=run.id, tail_lines=2)
    assert [one["job_id"] for one in logs["failed_jobs"]] == [failed.id, slow.id]
    first = logs["failed_jobs"][0]
    assert (first["name"], first["conclusion"], first["error"]) == ("build", "failure", None)
    assert first["failed_steps"] == [{"name": "Run tests", "number": 2}]
    assert first["log"]["text"] == "line 299\nline 300"
    assert (first["log"]["total_lines"], first["log"]["truncated"]) == (300, True)
    assert (logs["failed_total"], logs["returned"], logs["truncated"]) == (2, 2, False)
    assert (logs["run_id"], logs["run_attempt"], logs["conclusion"]) == (run.id, 1, "failure")


async def test_the_end_is_that_of_the_failed_step(ci: World) -> None:
    """What jobs say while they clean up is not why they failed."""
    begin = ci.ci.ledger.now() - timedelta(minutes=9)
    later = begin + timedelta(seconds=60)
    steps = [
        Step(name="Run tests", conclusion="failure", started_at=begin, completed_at=begin),
        Step(name="Post tests", started_at=later, completed_at=later),
    ]
    log = stamped("##[error]boom", at=begin) + stamped("cleaning up", at=later)[3:]
    job = ci.job(log, steps=steps)
    (one,) = (await ci.call("get_failed_logs", run_id=job.run.id))["failed_jobs"]
    assert one["log"]["text"] == "##[error]boom"
    job.log = stamped("at quite another time")
    (one,) = (await ci.call("get_failed_logs", run_id=job.run.id))["failed_jobs"]
    assert one["log"]["text"] == "at quite another time"


@pytest.mark.requirement("ci.log.failed")
async def test_a_log_that_cannot_be_read_does_not_fail_the_others(ci: World) -> None:
    """It says why in its place, and the answer is not kept."""
    run = ci.run(conclusion="failure")
    expired = ci.job(None, run=run, name="expired")
    ci.job(stamped("why"), run=run, name="there")
    denied = ci.job(stamped("x"), run=run, name="denied")
    refusal = AnswerWith(status=403, body={"message": "Resource not accessible by integration"})
    ci.github.faults.add(refusal, path=f"*/jobs/{denied.id}/logs", times=math.inf)
    logs = await ci.call("get_failed_logs", run_id=run.id)
    found = {one["name"]: one for one in logs["failed_jobs"]}
    assert found["there"]["log"]["text"] == "why"
    assert found["expired"]["log"] is None
    assert found["expired"]["error"]["reason"] == "log_expired"
    assert f"job {expired.id}" in found["expired"]["error"]["message"]
    assert found["denied"]["error"]["error_code"] == "PERMISSION_DENIED"
    assert await ci.reuse("get_failed_logs", run_id=run.id) == {"no_store": True}


@pytest.mark.requirement("ci.log.failed")
async def test_what_failed_logs_cost_is_bounded(ci: World) -> None:
    """Five jobs, 64 KiB in all, three logs at a time; what is left out is said."""
    run = ci.run(conclusion="failure")
    for number in range(9):
        ci.job(stamped(*("x" * 400 for _ in range(1000))), run=run, name=f"job {number}")
    logs = await ci.call("get_failed_logs", run_id=run.id, tail_lines=1000)
    assert (logs["failed_total"], logs["returned"], logs["truncated"]) == (9, 5, True)
    sizes = [len(one["log"]["text"]) for one in logs["failed_jobs"]]
    assert sum(sizes) <= 65_536
    assert min(sizes) > 12_000
    assert len(ci.github.log_host.fetched) == 5
    assert ci.github.requests.most_in_flight <= 3


async def test_a_run_that_did_not_fail_has_no_failed_logs(ci: World) -> None:
    """The answer is empty, and no log was fetched."""
    job = ci.job(numbered(1), conclusion="success")
    logs = await ci.call("get_failed_logs", run_id=job.run.id)
    assert (logs["failed_jobs"], logs["failed_total"], logs["conclusion"]) == ([], 0, "success")
    assert ci.github.log_host.fetched == []


async def test_a_job_that_ran_out_of_its_own_time_is_explained(ci: World) -> None:
    """GitHub calls it cancelled: where nothing else failed, that is why the run did not pass."""
    run = ci.run(conclusion="cancelled")
    ci.job(stamped("fine"), run=run, name="lint", conclusion="success")
    late = ci.job(stamped("##[error]exceeded"), run=run, name="slow", conclusion="cancelled")
    logs = await ci.call("get_failed_logs", run_id=run.id)
    assert [one["job_id"] for one in logs["failed_jobs"]] == [late.id]
    assert logs["failed_jobs"][0]["log"]["text"] == "##[error]exceeded"


async def test_failed_logs_are_those_of_the_latest_attempt(ci: World) -> None:
    """A job that passed when it was run again has not failed."""
    job = ci.job(stamped("first"))
    ci.ci.rerun(job.run)
    job.run.attempt.jobs[0].finish("success", ci.ci.ledger.now())
    assert (await ci.call("get_failed_logs", run_id=job.run.id))["failed_total"] == 0


async def test_how_long_logs_may_be_used_again(ci: World) -> None:
    """A finished job's log ten minutes; failed logs a minute, or ten seconds while the run runs.

    A job's log is spoiled by what changes its run, which no argument names.
    """
    job = ci.job(stamped("x"))
    tags = [f"gh:acme/widgets:runs/{job.run.id}"]
    assert await ci.reuse("get_job_log", job_id=job.id) == {"ttl_s": 600, "tags": tags}
    assert await ci.reuse("get_failed_logs", run_id=job.run.id) == {"ttl_s": 60}
    job.run.attempt.status = "in_progress"
    assert await ci.reuse("get_failed_logs", run_id=job.run.id) == {"ttl_s": 10}
