"""Which runs and checks a newer one has superseded."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_shared.github.check_models import App, CheckRun, Suite, WorkflowRun
from trunkline_shared.github.commit_ci import CommitCi
from trunkline_shared.github.latest_checks import latest

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def a_run(
    run_id: int,
    *,
    conclusion: str | None = "success",
    path: str = "ci.yml",
    event: str = "pull_request",
    minute: int = 0,
    suite: int | None = None,
) -> WorkflowRun:
    """A run of a workflow."""
    return WorkflowRun(
        id=run_id,
        workflow_id=1,
        path=path,
        event=event,
        status="in_progress" if conclusion is None else "completed",
        conclusion=conclusion,
        head_sha="a" * 40,
        check_suite_id=suite if suite is not None else 10_000 + run_id,
        html_url="https://github.com/o/r/actions/runs/1",
        created_at=NOON,
        updated_at=NOON,
        run_started_at=NOON + timedelta(minutes=minute),
    )


def a_check(
    check_id: int,
    name: str,
    *,
    conclusion: str | None = "success",
    app: str | None = "codecov",
    suite: int | None = 1,
    minute: int = 0,
) -> CheckRun:
    """A check run."""
    return CheckRun(
        id=check_id,
        name=name,
        head_sha="a" * 40,
        status="in_progress" if conclusion is None else "completed",
        conclusion=conclusion,
        app=None if app is None else App(slug=app),
        check_suite=None if suite is None else Suite(id=suite),
        started_at=NOON + timedelta(minutes=minute),
    )


def _ci(runs: list[WorkflowRun], checks: list[CheckRun]) -> CommitCi:
    found = latest(runs, checks)
    return CommitCi(head_sha="a" * 40, latest=found, statuses=(), truncated=False)


@pytest.mark.requirement("ci.superseded")
def test_the_newest_run_of_a_workflow_and_event_counts() -> None:
    """An old failure of the same workflow on the same commit is left out, and counted."""
    old, new = a_run(1, conclusion="failure"), a_run(2, minute=5)
    found = latest([new, old], [])
    assert (found.runs, found.superseded) == ((new,), 1)


def test_runs_of_another_workflow_or_event_stand_beside_it() -> None:
    """Only the same workflow for the same event supersedes."""
    runs = [a_run(1), a_run(2, path="lint.yml"), a_run(3, event="push")]
    assert latest(runs, []).runs == tuple(runs)


@pytest.mark.requirement("ci.superseded")
def test_a_running_run_beats_one_that_finished_later() -> None:
    """Whatever started when: what still runs may change the verdict."""
    running, finished = a_run(1, conclusion=None), a_run(2, minute=9)
    assert latest([finished, running], []).runs == (running,)


def test_ties_go_to_the_higher_id() -> None:
    """Two runs of the same second: the later number is the later run."""
    assert latest([a_run(7), a_run(8, conclusion="failure")], []).runs[0].id == 8


@pytest.mark.requirement("ci.superseded")
def test_a_cancelled_run_counts_unless_superseded() -> None:
    """Concurrency groups cancel what a newer run replaces; a cancellation by hand is no pass."""
    cancelled = a_run(1, conclusion="cancelled")
    assert _ci([cancelled], []).verdict() == "failing"
    assert _ci([cancelled, a_run(2, minute=1)], []).verdict() == "passing"


def test_the_checks_of_a_superseded_run_go_with_it() -> None:
    """Its jobs would stay red for ever, though the new run has not begun them."""
    old, new = a_run(1, conclusion="failure", suite=11), a_run(2, conclusion=None, suite=22)
    job = a_check(5, "build", conclusion="failure", app="github-actions", suite=11)
    found = latest([old, new], [job])
    assert (found.checks, found.superseded) == ((), 1)


def test_a_run_speaks_for_its_jobs() -> None:
    """A job that may fail does not fail the run that passed, and no job counts twice."""
    run = a_run(1, suite=11)
    job = a_check(5, "flaky", conclusion="failure", app="github-actions", suite=11)
    ci = _ci([run], [job, a_check(6, "coverage")])
    assert ci.buckets() == ("passed", "passed")
    assert ci.latest.run_of == {5: 1}


def test_jobs_are_judged_themselves_where_their_run_was_not_read() -> None:
    """Two workflows may have a job of the same name: neither hides the other."""
    jobs = [
        a_check(5, "build", conclusion="failure", app="github-actions", suite=11),
        a_check(6, "build", app="github-actions", suite=12),
    ]
    assert _ci([], jobs).buckets() == ("failed", "passed")


def test_an_entry_of_two_pages_is_one() -> None:
    """A list that grows while it is read shows the end of a page again on the next."""
    run, check = a_run(1), a_check(5, "coverage")
    found = latest([run, run], [check, check])
    assert (len(found.runs), len(found.checks), found.superseded) == (1, 1, 0)


@pytest.mark.requirement("ci.deleted-null")
def test_checks_of_deleted_apps_are_told_apart_by_name() -> None:
    """No app and no suite is no reason to fail."""
    checks = [
        a_check(1, "a", app=None, suite=None),
        a_check(2, "a", app=None, suite=None, conclusion="failure", minute=1),
        a_check(3, "b", app=None, suite=None),
    ]
    assert [check.id for check in latest([], checks).checks] == [2, 3]


def test_required_checks_are_judged_by_name_and_missing_ones_are_pending() -> None:
    """As a branch's rules do it: a job is judged though its run was read."""
    run = a_run(1, suite=11)
    jobs = [
        a_check(5, "build", app="github-actions", suite=11),
        a_check(6, "optional", conclusion="failure", app="github-actions", suite=11),
    ]
    ci = _ci([run], jobs)
    assert ci.verdict(frozenset({"build"})) == "passing"
    assert ci.buckets(frozenset({"build", "security"})) == ("passed", "pending")


RUNS = st.lists(
    st.builds(
        a_run,
        st.integers(1, 40),
        conclusion=st.sampled_from([None, "success", "failure", "cancelled", "odd"]),
        path=st.sampled_from(["ci.yml", "lint.yml"]),
        event=st.sampled_from(["push", "pull_request"]),
        minute=st.integers(0, 3),
    ),
    max_size=12,
    unique_by=lambda run: run.id,
)
CHECKS = st.lists(
    st.builds(
        a_check,
        st.integers(1, 40),
        st.sampled_from(["build", "test"]),
        conclusion=st.sampled_from([None, "success", "failure"]),
        app=st.sampled_from(["github-actions", "codecov", None]),
        suite=st.sampled_from([None, 1, *range(10_001, 10_006)]),
        minute=st.integers(0, 3),
    ),
    max_size=12,
    unique_by=lambda check: check.id,
)


@given(RUNS, CHECKS, st.randoms())
@pytest.mark.requirement("ci.totals-add-up")
def test_what_is_kept_does_not_depend_on_the_order(
    runs: list[WorkflowRun], checks: list[CheckRun], random: Random
) -> None:
    """One run per workflow and event, chosen alike in any order; kept and superseded add up."""
    found = latest(runs, checks)
    shuffled = latest(random.sample(runs, len(runs)), random.sample(checks, len(checks)))
    assert {run.id for run in found.runs} == {run.id for run in shuffled.runs}
    assert {check.id for check in found.checks} == {check.id for check in shuffled.checks}
    assert found.superseded == shuffled.superseded
    keys = {(run.path, run.event) for run in runs}
    assert len(found.runs) == len(keys)
    gone = len(checks) - len(found.checks)
    assert len(runs) - len(found.runs) <= found.superseded <= len(runs) - len(found.runs) + gone
    ci = CommitCi(head_sha="a" * 40, latest=found, statuses=(), truncated=False)
    assert len(ci.buckets()) == len(found.runs) + len(found.independent)
