"""Jobs and runs as agents see them, and what a run's jobs come to."""

from collections import Counter
from collections.abc import Sequence

from trunkline_ci_status.job_endpoints import SentJob, SentStep
from trunkline_ci_status.job_models import FailedStep, Job, JobCounts, Matrix, Run, RunDetails
from trunkline_ci_status.job_names import matrix_of, named
from trunkline_shared.github.check_models import WorkflowRun
from trunkline_shared.github.verdict import BUCKETS, bucket
from trunkline_shared.trimming import cut_entries
from trunkline_shared.untrusted import sanitize

MOST_JOBS = 200
"""The most jobs in one answer: more would fill an agent's context; the counts hold for all."""


def details(
    run: WorkflowRun, jobs: Sequence[SentJob], *, job_name: str, only_failed: bool, complete: bool
) -> RunDetails:
    """Return a run with those of its jobs that are asked for.

    `complete` says that `jobs` are all of them. Beyond MOST_JOBS, failed ones go first.
    """
    selected = [job for job in named(jobs, job_name) if has_failed(job) or not only_failed]
    shown = selected
    if len(selected) > MOST_JOBS:
        ordered = sorted(selected, key=lambda job: not has_failed(job))
        shown = ordered[:MOST_JOBS]
        cut_entries(ordered[MOST_JOBS:])
    return RunDetails(
        run=shaped_run(run),
        counts=counted(jobs),
        selected=len(selected),
        returned=len(shown),
        truncated=len(shown) < len(selected) or not complete,
        jobs=tuple(shaped(job) for job in shown),
    )


def counted(jobs: Sequence[SentJob]) -> JobCounts:
    """Return how many jobs are in each state; the parts add up to the whole."""
    found = Counter(bucket(job.status, job.conclusion) for job in jobs)
    return JobCounts(total=len(jobs), **{name: found[name] for name in BUCKETS})


def has_failed(job: SentJob) -> bool:
    """Say whether a job failed or ran out of time; a cancelled one did not fail."""
    return bucket(job.status, job.conclusion) == "failed"


def to_explain(jobs: Sequence[SentJob]) -> list[SentJob]:
    """Return the jobs that failed, or else those that were cancelled.

    A job that exceeds its own `timeout-minutes` counts as cancelled at GitHub.
    """
    failed = [job for job in jobs if has_failed(job)]
    return failed or [job for job in jobs if bucket(job.status, job.conclusion) == "cancelled"]


def failed_steps(job: SentJob) -> tuple[SentStep, ...]:
    """Return the steps that failed or ran out of time."""
    return tuple(step for step in job.steps if bucket(step.status, step.conclusion) == "failed")


def shaped(job: SentJob) -> Job:
    """Return a job as agents see it."""
    base, values = matrix_of(sanitize(job.name))
    return Job(
        id=job.id,
        name=sanitize(job.name),
        status=job.status,
        conclusion=job.conclusion,
        html_url=job.html_url,
        failed_steps=tuple(
            FailedStep(name=sanitize(step.name), number=step.number) for step in failed_steps(job)
        ),
        started_at=job.started_at,
        completed_at=job.completed_at,
        duration_s=_duration(job),
        runner_name=sanitize(job.runner_name) if job.runner_name else None,
        labels=tuple(sanitize(label) for label in job.labels),
        run_attempt=job.run_attempt,
        matrix=Matrix(job=base, values=values),
    )


def _duration(job: SentJob) -> float | None:
    if job.started_at is None or job.completed_at is None:
        return None
    # GitHub ends a skipped job a second before it starts.
    return max(0.0, (job.completed_at - job.started_at).total_seconds())


def shaped_run(run: WorkflowRun) -> Run:
    """Return a run as agents see it."""
    return Run(
        id=run.id,
        name=sanitize(run.name or ""),
        path=sanitize(run.path),
        status=run.status,
        conclusion=run.conclusion,
        event=run.event,
        html_url=run.html_url,
        head_sha=run.head_sha,
        head_branch=sanitize(run.head_branch) if run.head_branch else None,
        run_number=run.run_number,
        run_attempt=run.run_attempt,
        created_at=run.created_at,
        run_started_at=run.run_started_at,
        updated_at=run.updated_at,
    )
