"""One job's log: streamed, cut to what is wanted, its absence explained."""

from datetime import UTC, datetime

from trunkline_ci_status.job_endpoints import SentJob, SentStep
from trunkline_ci_status.job_names import listed_steps
from trunkline_ci_status.log_endpoint import get_log
from trunkline_ci_status.log_excerpt import Excerpt, LogReader, Wanted
from trunkline_ci_status.log_window import Window
from trunkline_shared.clock import Clock
from trunkline_shared.errors import InvalidInput, NotFound
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.repository import Repository

SETTLING_S = 120
"""How long after a job's end its log may still be on its way to where logs are read from."""
RETRY_S = 15


async def read_log(
    github: GitHub, repository: Repository, job: SentJob, wanted: Wanted, clock: Clock
) -> Excerpt:
    """Stream the log of a job and return what is wanted of it.

    Raises NotFound with the reason `log_not_ready` (and when to come back), `log_expired` or
    `job_skipped`.
    """
    endpoint = get_log(repository, job.id)
    try:
        return await github.stream(endpoint, lambda: LogReader(wanted))
    except NotFound as missing:
        raise _absent(job, missing, clock) from None


def step_window(job: SentJob, step: str) -> Window | None:
    """Return when a step ran, found by its number or name; None for an empty one.

    Raises InvalidInput for a step that the job does not have, or that never ran.
    """
    if not step:
        return None
    name = step.strip().casefold()
    found = [one for one in job.steps if name in {str(one.number), one.name.casefold()}]
    found = found or [one for one in job.steps if name in one.name.casefold()]
    if len(found) != 1:
        raise _unclear_step(job, step, found)
    window = window_of(found[0])
    if window is None:
        raise NotFound(
            f"Step {step[:200]!r} of job {job.id} has not run: {found[0].conclusion}.",
            details={"reason": "step_did_not_run"},
        )
    return window


def window_of(step: SentStep) -> Window | None:
    """Return when a step ran, if it did."""
    if step.started_at is None or step.conclusion == "skipped":
        return None
    return Window.of(step.started_at, step.completed_at)


def _unclear_step(job: SentJob, step: str, found: list[SentStep]) -> InvalidInput:
    problem = f"means {len(found)} steps" if found else "is no step"
    return InvalidInput(
        f"step {step[:200]!r} {problem} of job {job.id}.",
        hint="Pass the number of one of details.steps.",
        details={
            "reason": "unclear_step",
            "steps": listed_steps(found or job.steps),
            "field_errors": [{"field": "step", "problem": problem}],
        },
    )


def _absent(job: SentJob, missing: NotFound, clock: Clock) -> NotFound:
    if job.conclusion == "skipped":
        return _explained(missing, f"Job {job.id} was skipped: it has no log.", "job_skipped")
    gone = missing.details.get("http_status") == 410  # noqa: PLR2004 - HTTP's Gone
    ended = job.completed_at
    if job.status != "completed" or (not gone and ended is not None and _recent(ended, clock)):
        return _explained(
            missing,
            f"The log of job {job.id} is not ready: the job is {job.status}.",
            "log_not_ready",
            hint=f"GitHub gives a log out when its job has ended. Try again in {RETRY_S} s.",
            retry_after=RETRY_S,
        )
    return _explained(
        missing,
        f"The log of job {job.id} has expired or was deleted (GitHub keeps logs 90 days by "
        "default).",
        "log_expired",
        hint="Run the job again to get a new one; its steps are in get_workflow_run_details.",
    )


def _recent(ended: datetime, clock: Clock) -> bool:
    return (datetime.fromtimestamp(clock.now(), UTC) - ended).total_seconds() < SETTLING_S


def _explained(
    missing: NotFound,
    message: str,
    reason: str,
    *,
    hint: str | None = None,
    retry_after: float | None = None,
) -> NotFound:
    return NotFound(
        message,
        hint=hint,
        retryable=retry_after is not None,
        retry_after=retry_after,
        details={**missing.details, "reason": reason},
    )
