"""Re-running and cancelling: at most once, only what is one's own, and only when switched on."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.interaction.ci_watching import HOME, World, bound, world
from trunkline_shared import meta
from trunkline_shared.testing.github import (
    AnswerWith,
    CutAfterApplying,
    CutBeforeReading,
    FailAfterApplying,
    GitHubStandIn,
    SlowFirstByte,
    bad_gateway,
)

pytestmark = pytest.mark.anyio

RERUNS = ("rerun_failed_jobs", "rerun_run")
POSTS = {"rerun_failed_jobs": "rerun-failed-jobs", "rerun_run": "rerun", "cancel_run": "cancel"}


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    async with world(github, monkeypatch) as made:
        yield made


def _posts(here: World) -> int:
    return len(here.github.requests.matching("POST", f"{HOME}/actions/runs/*"))


@pytest.mark.requirement("ci.rerun")
async def test_failed_jobs_run_again_and_the_others_are_kept(here: World) -> None:
    """`debug` switches debug logging on; the answer names the attempt that it was about."""
    run = here.ci.add_run(here.head, conclusion="failure")
    here.ci.add_job(run, "docs")
    done = await here.call("rerun_failed_jobs", run_id=run.id, debug=True)
    assert (done["accepted"], done["run_id"], done["run_attempt"]) == (True, run.id, 1)
    assert [job.status for job in run.attempt.jobs] == ["queued", "completed"]
    assert run.attempt.debug


@pytest.mark.requirement("ci.rerun")
async def test_a_whole_run_runs_again(here: World) -> None:
    """Jobs that passed too."""
    run = here.ci.add_run(here.head)
    assert (await here.call("rerun_run", run_id=run.id))["accepted"]
    assert [job.status for job in run.attempt.jobs] == ["queued"]
    assert not run.attempt.debug


@pytest.mark.requirement("ci.rerun")
async def test_a_running_run_is_cancelled_and_an_ended_one_left(here: World) -> None:
    """409 means that it is done already: no error, and not accepted."""
    run = here.ci.add_run(here.head, status="in_progress")
    assert (await here.call("cancel_run", run_id=run.id))["accepted"]
    assert run.conclusion == "cancelled"
    again = await here.call("cancel_run", run_id=run.id)
    assert (again["accepted"], again["reason"]) == (False, "already_completed")


@pytest.mark.requirement("ci.rerun")
@pytest.mark.parametrize("tool", RERUNS)
async def test_a_run_that_still_runs_is_not_run_again(here: World, tool: str) -> None:
    """GitHub would refuse it; nothing is sent."""
    run = here.ci.add_run(here.head, status="in_progress")
    done = await here.call(tool, run_id=run.id)
    assert (done["accepted"], done["reason"], _posts(here)) == (False, "running", 0)


@pytest.mark.requirement("ci.rerun-once")
async def test_two_agents_at_once_make_one_attempt(here: World) -> None:
    """Both saw it ended; the later one learns that it runs, not that it lacks a permission."""
    run = here.ci.add_run(here.head, conclusion="failure")
    gate = here.github.faults.hold("POST", "*/rerun", times=2)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        calls = [tasks.create_task(here.call("rerun_run", run_id=run.id)) for _ in range(2)]
        await gate.reached()
        gate.release()
    assert sorted((call.result()["accepted"], call.result()["reason"]) for call in calls) == [
        (False, "running"),
        (True, None),
    ]
    assert len(run.attempts) == 2


@pytest.mark.requirement("ci.rerun-once")
@pytest.mark.parametrize("tool", RERUNS)
async def test_a_rerun_whose_answer_is_lost_is_found_again(here: World, tool: str) -> None:
    """The connection is cut after GitHub acted: the attempt has counted up, nothing is resent."""
    run = here.ci.add_run(here.head, conclusion="failure")
    here.github.faults.add(CutAfterApplying(), "POST", f"*/{POSTS[tool]}")
    assert (await here.call(tool, run_id=run.id))["accepted"]
    assert (len(run.attempts), _posts(here)) == (2, 1)


@pytest.mark.requirement("ci.rerun-once")
@pytest.mark.parametrize("tool", RERUNS)
async def test_a_rerun_that_may_have_happened_says_so(here: World, tool: str) -> None:
    """Cut before GitHub read it, as nobody can know: TIMEOUT, and not sent again."""
    run = here.ci.add_run(here.head, conclusion="failure")
    here.github.faults.add(CutBeforeReading(), "POST", f"*/{POSTS[tool]}")
    failure = await here.refused(tool, run_id=run.id)
    assert failure["error_code"] == "TIMEOUT"
    assert failure["details"]["may_have_happened"] is True
    assert not failure["retryable"]
    assert "run_attempt" in failure["hint"]
    assert (len(run.attempts), _posts(here)) == (1, 1)


@pytest.mark.requirement("ci.rerun-once")
@pytest.mark.parametrize(("fault", "attempts"), [(FailAfterApplying(), 2), (bad_gateway(), 1)])
async def test_a_rerun_behind_a_bad_gateway_is_looked_for_and_not_sent_again(
    here: World, fault: FailAfterApplying | AnswerWith, attempts: int
) -> None:
    """Done behind the 502, it is accepted; else the caller is told that it may have happened."""
    run = here.ci.add_run(here.head, conclusion="failure")
    here.github.faults.add(fault, "POST", "*/rerun")
    result = await here.raw("rerun_run", run_id=run.id)
    assert result.is_error is (attempts == 1)
    assert (len(run.attempts), _posts(here)) == (attempts, 1)


@pytest.mark.requirement("ci.rerun-once")
async def test_a_slow_answer_is_looked_for_within_the_deadline(here: World) -> None:
    """A part of the call's time is kept for finding out what became of it."""
    run = here.ci.add_run(here.head, conclusion="failure")
    here.github.faults.add(SlowFirstByte(seconds=3), "POST", "*/rerun")
    done = await here.call("rerun_run", run_id=run.id, meta={meta.DEADLINE_MS: 2_000})
    assert (done["accepted"], len(run.attempts)) == (True, 2)


async def test_a_cancellation_whose_answer_is_lost_is_sent_again(here: World) -> None:
    """Cancelling twice does no harm; the second answer says that it is over."""
    run = here.ci.add_run(here.head, status="in_progress")
    here.github.faults.add(CutAfterApplying(), "POST", "*/cancel")
    done = await here.call("cancel_run", run_id=run.id)
    assert (done["reason"], run.conclusion) == ("already_completed", "cancelled")


@pytest.mark.requirement("ci.permission")
@pytest.mark.parametrize("tool", POSTS)
async def test_a_token_that_may_only_read_is_told_the_permission(
    here: World, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    """403, with the name of what it lacks."""
    run = here.ci.add_run(here.head, status="completed" if tool in RERUNS else "queued")
    reader = here.github.state.add_token(here.me, "reader", permissions={"actions": "read"})
    monkeypatch.setenv("GITHUB_TOKEN", reader.secret)
    failure = await here.refused(tool, run_id=run.id)
    assert failure["error_code"] == "PERMISSION_DENIED"
    assert "actions=write" in failure["hint"]


@pytest.mark.requirement("ci.ownership")
@pytest.mark.parametrize("tool", POSTS)
async def test_a_bound_context_changes_no_run_of_another_pull_request(
    here: World, tool: str
) -> None:
    """Its own runs are known by number, by commit, or by branch of the same repository."""
    other = here.repository.add_pull("Other", here.me, head="other")
    assert other.pull is not None
    status = "completed" if tool in RERUNS else "in_progress"
    theirs = here.ci.add_run(
        other.pull.head_sha, branch="other", pulls=[other.number], status=status
    )
    mine = bound(owner="acme", repo="widgets", pr_number=here.pull.number)
    failure = await here.refused(tool, run_id=theirs.id, meta=mine)
    assert (failure["error_code"], _posts(here)) == ("BLOCKED_BY_POLICY", 0)
    for own in (
        here.ci.add_run(here.head, pulls=[here.pull.number], status=status),
        here.ci.add_run(here.head, pulls=[], branch=None, status=status),
        here.ci.add_run("e" * 40, pulls=[], branch="feature", status=status),
    ):
        assert (await here.call(tool, run_id=own.id, meta=mine))["accepted"]


@pytest.mark.requirement("ci.ownership")
async def test_a_fork_with_a_branch_of_the_same_name_is_another_one(here: World) -> None:
    """Branch names are worth nothing without their repository."""
    stray = here.ci.add_run("e" * 40, branch="feature", conclusion="failure")
    stray.head_repository_deleted = True
    mine = bound(owner="acme", repo="widgets", pr_number=here.pull.number)
    failure = await here.refused("rerun_run", run_id=stray.id, meta=mine)
    assert failure["error_code"] == "BLOCKED_BY_POLICY"


async def test_a_change_names_the_commit_whose_checks_it_spoils(here: World) -> None:
    """The declared tags widen to the repository; the result narrows them to the commit."""
    run = here.ci.add_run(here.head)
    result: Any = await here.raw("rerun_run", run_id=run.id)
    assert result.meta[meta.REUSE] == {"tags": [f"gh:acme/widgets@{here.head}:checks"]}


async def test_a_write_is_never_sent_to_a_default_repository(here: World) -> None:
    """Owner and repository are said, or nothing happens."""
    failure = await here.refused("rerun_run", run_id=1, owner="", repo="")
    assert failure["error_code"] == "INVALID_INPUT"


async def test_changes_are_off_until_named(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`rerun` in TRUNKLINE_ENABLE_WRITES offers all three, with honest annotations."""
    async with world(github, monkeypatch, enable_writes="") as here:
        names = {tool.name for tool in (await here.client.list_tools()).tools}
        assert not names & POSTS.keys()


async def test_changes_say_what_they_do(here: World) -> None:
    """Re-runs write and are not idempotent; cancelling destroys."""
    listed = {tool.name: tool.annotations for tool in (await here.client.list_tools()).tools}
    for name in POSTS:
        notes = listed[name]
        assert notes is not None
        assert (notes.read_only_hint, notes.idempotent_hint) == (False, name == "cancel_run")
        assert notes.destructive_hint is (name == "cancel_run")
