"""The stand-in's CI: workflow runs, check runs, statuses, what a branch requires."""

import pytest

from tests.contract.caller import Caller
from trunkline_shared.testing.github import Demo

pytestmark = pytest.mark.anyio

HOME = "/repos/acme/widgets"
RUNS = f"{HOME}/actions/runs"
SHA = "5" * 40


@pytest.fixture(autouse=True)
def no_ci_but_the_tests_own(demo: Demo) -> None:
    """Forget what the demo has seeded."""
    for seeded in (demo.repository.ci.runs, demo.repository.ci.checks, demo.repository.ci.statuses):
        seeded.clear()


async def test_runs_are_listed_newest_first_and_filtered(writer: Caller, demo: Demo) -> None:
    """Each filter of GitHub's narrows the list, and `total_count` with it."""
    ci = demo.repository.ci
    old = ci.add_run(SHA, conclusion="failure", actor=demo.token.user)
    new = ci.add_run(SHA, workflow="lint.yml", status="in_progress", event="push", branch="main")
    elsewhere = ci.add_run("6" * 40)
    everything = (await writer.ask("GET", RUNS)).json
    assert [run["id"] for run in everything["workflow_runs"]] == [elsewhere.id, new.id, old.id]
    for query, wanted in {
        f"head_sha={SHA}": [new.id, old.id],
        f"head_sha={SHA}&status=failure": [old.id],
        "status=in_progress": [new.id],
        "event=push": [new.id],
        "branch=main": [new.id],
        f"actor={demo.token.user.login}": [old.id],
        "created=2000-01-01T00:00:00Z": [],
    }.items():
        answer = (await writer.ask("GET", f"{RUNS}?{query}")).json
        assert [run["id"] for run in answer["workflow_runs"]] == wanted, query
        assert answer["total_count"] == len(wanted)


async def test_a_workflow_is_named_by_file_or_by_number(writer: Caller, demo: Demo) -> None:
    """Both names lead to the same list; an unknown one is not found."""
    run = demo.repository.ci.add_run(SHA, workflow="ci.yml")
    demo.repository.ci.add_run(SHA, workflow="lint.yml")
    for name in ("ci.yml", run.workflow_id):
        answer = (await writer.ask("GET", f"{HOME}/actions/workflows/{name}/runs")).json
        assert [one["id"] for one in answer["workflow_runs"]] == [run.id]
    assert (await writer.ask("GET", f"{HOME}/actions/workflows/no.yml/runs")).status == 404


async def test_a_filtered_list_of_runs_ends_at_a_thousand(writer: Caller, demo: Demo) -> None:
    """What lies beyond is counted, and shown to nobody."""
    for _ in range(1_003):
        demo.repository.ci.add_run(SHA, jobs=False)
    last = (await writer.ask("GET", f"{RUNS}?head_sha={SHA}&per_page=5&page=200")).json
    beyond = (await writer.ask("GET", f"{RUNS}?head_sha={SHA}&per_page=5&page=201")).json
    assert (last["total_count"], len(last["workflow_runs"])) == (1_003, 5)
    assert beyond["workflow_runs"] == []


async def test_check_runs_are_those_of_jobs_and_of_apps(writer: Caller, demo: Demo) -> None:
    """A job is a check run too; `latest` keeps the newest of a name within one suite."""
    ci = demo.repository.ci
    run = ci.add_run(SHA, conclusion="failure")
    ci.rerun(run)
    first = ci.add_check(SHA, "coverage", conclusion="failure")
    second = ci.add_check(SHA, "coverage", suite=first.suite)
    gone = ci.add_check(SHA, "old app", app=None, conclusion="stale")
    path = f"{HOME}/commits/{SHA}/check-runs"
    latest = (await writer.ask("GET", path)).json["check_runs"]
    assert [one["id"] for one in latest] == [gone.id, second.id, run.attempt.jobs[0].id]
    assert latest[0]["app"] is None
    assert (await writer.ask("GET", f"{path}?filter=all")).json["total_count"] == 5
    named = (await writer.ask("GET", f"{path}?check_name=coverage&status=completed")).json
    assert named["total_count"] == 1


async def test_a_commit_is_named_by_sha_branch_or_tag(writer: Caller, demo: Demo) -> None:
    """What names no commit is refused with 422."""
    ci, pull = demo.repository.ci, demo.pull.pull
    assert pull is not None
    ci.tags["v1"] = pull.head_sha
    ci.add_check(pull.head_sha, "coverage")
    for ref in (pull.head_sha, pull.head_ref.replace("/", "%2F"), "v1"):
        path = f"{HOME}/commits/{ref}/check-runs"
        assert (await writer.ask("GET", path)).json["total_count"] == 1, ref
        assert (await writer.ask("GET", f"{HOME}/commits/{ref}")).json["sha"] == pull.head_sha
    assert (await writer.ask("GET", f"{HOME}/commits/nothing/check-runs")).status == 422


async def test_a_commit_without_statuses_is_called_pending(writer: Caller, demo: Demo) -> None:
    """Just as GitHub does: `state` pending, `total_count` 0; the newest of a context counts."""
    ci = demo.repository.ci
    ci.add_run(SHA)
    empty = (await writer.ask("GET", f"{HOME}/commits/{SHA}/status")).json
    assert (empty["state"], empty["total_count"]) == ("pending", 0)
    ci.add_status(SHA, "jenkins", "pending")
    ci.add_status(SHA, "jenkins", "failure")
    full = (await writer.ask("GET", f"{HOME}/commits/{SHA}/status")).json
    assert (full["state"], full["total_count"]) == ("failure", 1)


async def test_a_rerun_is_another_attempt_of_the_same_run(writer: Caller, demo: Demo) -> None:
    """With failed jobs only, what passed is carried over; a running one is not run again."""
    ci = demo.repository.ci
    run = ci.add_run(SHA, conclusion="failure")
    ci.add_job(run, "docs")
    path = f"{RUNS}/{run.id}"
    assert (await writer.ask("POST", f"{path}/rerun-failed-jobs")).status == 201
    shown = (await writer.ask("GET", path)).json
    assert (shown["run_attempt"], shown["status"]) == (2, "queued")
    assert [job.status for job in run.attempt.jobs] == ["queued", "completed"]
    assert (await writer.ask("POST", f"{path}/rerun")).status == 403
    assert (await writer.ask("POST", f"{path}/cancel")).status == 202
    assert (await writer.ask("POST", f"{path}/cancel")).status == 409
    assert (await writer.ask("GET", path)).json["conclusion"] == "cancelled"


async def test_a_script_moves_the_runs_after_each_list(writer: Caller, demo: Demo) -> None:
    """A test can say what shall have happened by the next poll."""
    ci = demo.repository.ci
    run = ci.add_run(SHA, status="queued")
    ci.script = [lambda: run.set("in_progress"), lambda: ci.finish(run)]
    seen = [(await writer.ask("GET", RUNS)).json["workflow_runs"][0]["status"] for _ in range(3)]
    assert seen == ["queued", "in_progress", "completed"]


async def test_required_checks_are_in_rules_and_in_protection(writer: Caller, demo: Demo) -> None:
    """Rules are open to readers; protection answers 404 to all but administrators."""
    ci = demo.repository.ci
    ci.required["main"], ci.protected["main"] = ["build"], ["docs"]
    rules = (await writer.ask("GET", f"{HOME}/rules/branches/main")).json
    assert rules[0]["parameters"]["required_status_checks"] == [{"context": "build"}]
    path = f"{HOME}/branches/main/protection/required_status_checks"
    assert (await writer.ask("GET", path)).status == 404
    demo.repository.grant(demo.token.user, "admin")
    assert (await writer.ask("GET", path)).json["contexts"] == ["docs"]


async def test_a_deleted_actor_and_fork_are_null(writer: Caller, demo: Demo) -> None:
    """As GitHub sends them, against its own description."""
    run = demo.repository.ci.add_run(SHA)
    run.head_repository_deleted = True
    shown = (await writer.ask("GET", f"{RUNS}/{run.id}")).json
    assert (shown["actor"], shown["head_repository"]) == (None, None)
