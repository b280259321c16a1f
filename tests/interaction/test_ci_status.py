"""One verdict from workflow runs, check runs and commit statuses."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from tests.interaction.ci_watching import World, world
from trunkline_shared import meta
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio

BUCKETS = (
    *("failed", "passed", "pending", "skipped"),
    *("cancelled", "neutral", "action_required", "other"),
)


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    async with world(github, monkeypatch) as made:
        yield made


async def test_the_seeds_fields_are_there_by_name_and_type(here: World) -> None:
    """`summary` with totals, `runs` with both spellings of the address."""
    run = here.ci.add_run(here.head, conclusion="failure", pulls=[here.pull.number])
    found = await here.status()
    summary = {name: found["summary"][name] for name in ("total", "failed", "passed", "pending")}
    assert summary == {"total": 1, "failed": 1, "passed": 0, "pending": 0}
    assert found["summary"]["total_runs"] == 1
    (shown,) = found["runs"]
    assert shown["id"] == run.id
    assert (shown["status"], shown["conclusion"]) == ("completed", "failure")
    assert shown["url"] == shown["html_url"]
    assert {"name", "created_at", "run_attempt", "event", "workflow_id", "path"} <= shown.keys()
    assert found["head_sha"] == here.head
    assert found["pr_number"] == here.pull.number


@pytest.mark.requirement("ci.three-systems")
async def test_an_external_check_fails_a_pull_request_whose_runs_pass(here: World) -> None:
    """Runs alone would call it green; so would checks without statuses."""
    here.ci.add_run(here.head)
    check = here.ci.add_check(here.head, "coverage", conclusion="failure", title="-3 %")
    found = await here.status()
    assert found["summary"]["verdict"] == "failing"
    assert found["summary"]["failed"] == 0
    assert found["checks"][0] == {
        "id": check.id,
        "name": "coverage",
        "app": "codecov",
        "status": "completed",
        "conclusion": "failure",
        "title": "-3 %",
        "html_url": found["checks"][0]["html_url"],
        "run_id": None,
    }


@pytest.mark.requirement("ci.three-systems")
async def test_a_legacy_status_fails_and_delays_like_a_check(here: World) -> None:
    """`error` and `failure` fail, `pending` is pending; the newest of a context counts."""
    here.ci.add_run(here.head)
    here.ci.add_status(here.head, "jenkins", "pending")
    assert await here.verdict() == "pending"
    here.ci.add_status(here.head, "jenkins", "error", description="crashed")
    found = await here.status()
    assert found["summary"]["verdict"] == "failing"
    assert found["statuses"] == [
        {"context": "jenkins", "state": "error", "description": "crashed", "url": None}
    ]
    here.ci.add_status(here.head, "jenkins", "success")
    assert await here.verdict() == "passing"


@pytest.mark.requirement("ci.no-statuses")
async def test_no_status_at_all_is_not_pending(here: World) -> None:
    """GitHub calls a commit without statuses pending; `total_count` 0 says nothing."""
    here.ci.add_run(here.head)
    assert await here.verdict() == "passing"


@pytest.mark.requirement("ci.young-commit")
async def test_silence_is_none_and_pending_while_the_commit_is_young(here: World) -> None:
    """Within the first minute CI may just not have begun."""
    now = here.github.state.ledger.now()
    here.ci.commits[here.head] = now - timedelta(seconds=30)
    found = await here.status()
    assert (found["summary"]["verdict"], found["summary"]["total"]) == ("pending", 0)
    assert "less than a minute old" in found["notes"][0]
    here.ci.commits[here.head] = here.pull.created_at = now - timedelta(seconds=90)
    found = await here.status()
    assert (found["summary"]["verdict"], found["notes"]) == ("none", [])


@pytest.mark.requirement("ci.superseded")
async def test_an_old_failure_does_not_stay_when_the_workflow_ran_again(here: World) -> None:
    """A second run on the same commit has a suite of its own, which `latest` does not see."""
    here.ci.add_run(here.head, conclusion="failure")
    here.ci.add_run(here.head)
    found = await here.status()
    assert (found["summary"]["verdict"], found["summary"]["superseded"]) == ("passing", 1)
    assert [run["conclusion"] for run in found["runs"]] == ["success"]
    assert [check["conclusion"] for check in found["checks"]] == ["success"]


@pytest.mark.requirement("ci.superseded")
async def test_a_rerun_replaces_the_failure_in_place(here: World) -> None:
    """The run stays, its attempt changes, its jobs are those of the new attempt."""
    run = here.ci.add_run(here.head, conclusion="failure")
    here.ci.rerun(run)
    found = await here.status()
    assert (found["summary"]["verdict"], found["runs"][0]["run_attempt"]) == ("pending", 2)
    here.ci.finish(run)
    assert await here.verdict() == "passing"


@pytest.mark.requirement("ci.totals-add-up")
async def test_every_conclusion_is_counted_also_unknown_ones(here: World) -> None:
    """The seed's summary lost cancelled and timed-out runs: the total must be the sum."""
    conclusions = (
        *("success", "failure", "timed_out", "startup_failure", "cancelled", "skipped"),
        *("neutral", "action_required", "stale", "from_the_future"),
    )
    for conclusion in conclusions:
        here.ci.add_run(here.head, workflow=f"{conclusion}.yml", conclusion=conclusion)
    here.ci.add_run(here.head, workflow="q.yml", status="queued")
    found = await here.status()
    summary = found["summary"]
    assert summary["total"] == summary["total_runs"] == 11 == sum(summary[b] for b in BUCKETS)
    counts = {name: summary[name] for name in BUCKETS if summary[name] != 1}
    assert counts == {"failed": 3, "other": 2}
    assert {run["conclusion"] for run in found["runs"]} == {*conclusions, None}
    assert "from_the_future, stale" in " ".join(found["notes"])


@pytest.mark.requirement("ci.filter-keeps-summary")
async def test_a_status_filter_lists_fewer_and_counts_all(here: World) -> None:
    """The seed counted what it listed: filtering by success made failures vanish."""
    here.ci.add_run(here.head, conclusion="failure")
    passed = here.ci.add_run(here.head, workflow="lint.yml")
    found = await here.status(status="success")
    assert [run["id"] for run in found["runs"]] == [passed.id]
    assert (found["summary"]["total"], found["summary"]["failed"]) == (2, 1)
    assert found["summary"]["verdict"] == "failing"
    assert len((await here.status(status="completed"))["runs"]) == 2


@pytest.mark.requirement("ci.approvals")
async def test_a_wait_for_approval_is_told_apart_from_failing_code(here: World) -> None:
    """First-time contributors and protected environments: a person has to act, not the code."""
    here.ci.add_run(here.head, workflow="a.yml", conclusion="action_required", jobs=False)
    here.ci.add_run(here.head, workflow="b.yml", status="waiting")
    notes = " ".join((await here.status())["notes"])
    assert "1 wait for a maintainer's approval or action; no code has failed" in notes
    assert "1 wait for an environment's approval" in notes


@pytest.mark.requirement("ci.deleted-null")
async def test_deleted_apps_accounts_and_forks_do_no_harm(here: World) -> None:
    """`app`, `actor` and `head_repository` are null."""
    here.ci.add_run(here.head, actor=None).head_repository_deleted = True
    here.ci.add_check(here.head, "old", app=None, conclusion="stale")
    found = await here.status()
    assert found["summary"]["verdict"] == "unknown"
    assert {check["name"]: check["app"] for check in found["checks"]}["old"] is None


async def test_jobs_are_listed_with_their_run_and_counted_once(here: World) -> None:
    """A job that may fail does not fail its run; its id is that of the job's log."""
    run = here.ci.add_run(here.head)
    job = here.ci.add_job(run, "flaky", conclusion="failure")
    found = await here.status()
    assert (found["summary"]["verdict"], found["summary"]["total"]) == ("passing", 1)
    assert found["checks"][0]["id"] == job.id
    assert found["checks"][0]["run_id"] == run.id


@pytest.mark.requirement("ci.head-moved")
async def test_a_push_while_reading_is_told(here: World) -> None:
    """The answer is about the commit it names, and says that there is a newer one."""
    old = here.head
    here.ci.add_run(old)
    here.ci.script = [lambda: here.repository.push(here.pull, forced=True)]
    found = await here.status()
    assert (found["head_sha"], found["head_moved"]) == (old, True)
    here.ci.commits[here.head] = here.pull.created_at = here.ci.commits[old] - timedelta(hours=1)
    found = await here.status()
    assert (found["head_sha"], found["head_moved"]) == (here.head, False)


@pytest.mark.requirement("ci.required")
async def test_only_required_checks_are_judged_when_asked(here: World) -> None:
    """By name, jobs and statuses alike; one that has not reported is pending."""
    run = here.ci.add_run(here.head)
    here.ci.add_job(run, "optional", conclusion="failure")
    here.ci.add_check(here.head, "coverage", conclusion="failure")
    here.ci.add_status(here.head, "jenkins", "success")
    here.ci.required["main"] = ["build", "jenkins"]
    found = await here.status(required_only=True)
    assert found["summary"]["verdict"] == "passing"
    assert found["required"] == ["build", "jenkins"]
    assert [check["name"] for check in found["checks"]] == ["build"]
    here.ci.required["main"].append("security")
    found = await here.status(required_only=True)
    assert found["summary"]["verdict"] == "pending"
    assert "not reported yet: security" in " ".join(found["notes"])


@pytest.mark.requirement("ci.required")
async def test_hidden_protection_is_called_unknown(here: World) -> None:
    """Only administrators may read it: all is judged then, and the answer says so."""
    here.ci.protected["main"] = ["build"]
    here.ci.add_run(here.head)
    here.ci.add_check(here.head, "coverage", conclusion="failure")
    found = await here.status(required_only=True)
    assert (found["required"], found["summary"]["verdict"]) == (None, "failing")
    assert "required is unknown" in found["notes"][0]
    here.repository.grant(here.me, "admin")
    found = await here.status(required_only=True)
    assert (found["required"], found["summary"]["verdict"]) == (["build"], "passing")


async def test_include_reads_fewer_systems_and_says_so(here: World) -> None:
    """A token without a permission can still ask for the rest."""
    here.ci.add_run(here.head)
    here.ci.add_status(here.head, "jenkins", "failure")
    found = await here.status(include=["runs"])
    assert (found["summary"]["verdict"], found["checks"]) == ("passing", [])
    assert found["notes"] == ["Not looked at: checks, statuses."]
    assert not here.github.requests.matching("GET", "*/check-runs")


async def test_a_branch_tag_or_sha_is_as_good_as_a_pull_request(here: World) -> None:
    """And what names no commit is not found."""
    here.ci.add_run(here.head)
    here.ci.tags["release/1"] = here.head
    for ref in ("feature", "release/1", here.head):
        found = await here.status(ref=ref)
        assert (found["head_sha"], found["pr_number"]) == (here.head, None)
    failure = await here.refused("get_ci_status", ref="nothing")
    assert (failure["error_code"], failure["details"]["reason"]) == ("NOT_FOUND", "unknown_ref")
    failure = await here.refused("get_ci_status")
    assert failure["error_code"] == "INVALID_INPUT"


def _reuse(result: Any) -> dict[str, Any]:
    found: dict[str, Any] = result.meta[meta.REUSE]
    return found


async def test_a_result_says_how_long_it_may_be_used(here: World) -> None:
    """10 s while anything runs, a minute when all has ended; spoiled by its commit's tag.

    So it is by that of the base branch, which tells what is required.
    """
    run = here.ci.add_run(here.head, status="in_progress")
    asked = {"pr_number": here.pull.number}
    tags = [f"gh:acme/widgets@{here.head}:checks", "gh:acme/widgets:branches/main"]
    running = _reuse(await here.raw("get_ci_status", **asked))
    assert (running["ttl_s"], running["tags"]) == (10, tags)
    here.ci.finish(run)
    assert _reuse(await here.raw("get_ci_status", **asked))["ttl_s"] == 60


async def test_a_repeated_look_is_confirmed_by_github_for_free(here: World) -> None:
    """Every part of it is a conditional request: an answer 304 costs no quota."""
    here.ci.add_run(here.head)
    await here.status()
    spent = here.me.budget.remaining
    await here.status()
    assert here.me.budget.remaining == spent
