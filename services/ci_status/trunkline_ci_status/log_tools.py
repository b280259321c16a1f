"""The tools that read the logs of jobs."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_ci_status.failed_logs import FailedLogReader
from trunkline_ci_status.job_endpoints import SentJob
from trunkline_ci_status.job_reading import Jobs
from trunkline_ci_status.job_shapes import to_explain
from trunkline_ci_status.job_tools import RUNNING_S, JobName
from trunkline_ci_status.log_excerpt import Wanted
from trunkline_ci_status.log_models import FailedLogs, JobLog, job_log
from trunkline_ci_status.log_pattern import parse_pattern
from trunkline_ci_status.log_reading import read_log, step_window
from trunkline_ci_status.tags import OF_RUN, of_run
from trunkline_shared.arguments import Number
from trunkline_shared.clock import Clock
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.errors import InvalidInput
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.defaults import OF_REPOSITORY
from trunkline_shared.github.targets import to_read
from trunkline_shared.reuse import Reusable, Reuse
from trunkline_shared.tool import tool

LOG_TTL_S = 600
TIMEOUT_S = 60


def _policy(*needs: str) -> Policy:
    return Policy(
        reads=Reads(ttl_s=LOG_TTL_S, stale_s=600, tags=(OF_RUN,)),
        needs=("owner", "repo", *needs),
        defaults=dict(OF_REPOSITORY),
        context_needs=("pr_number",),
        enforces=("pr_number",),
        timeout_s=TIMEOUT_S,
    )


TailLines = Annotated[Number, Field(le=5000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogTools:
    """Logs of jobs; `clock` tells a log that is not there yet from one that has expired."""

    github: GitHub
    clock: Clock

    @tool("Job log", READ, _policy("job_id|run_id"))
    async def get_job_log(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        job_id: Number | None = None,
        run_id: Annotated[
            Number | None, Field(description="With job_name, instead of job_id")
        ] = None,
        job_name: JobName = "",
        tail_lines: TailLines = 200,
        max_bytes: Annotated[Number, Field(ge=1_000, le=262_144)] = 65_536,
        grep: Annotated[str, Field(description="RE2: only matching lines", max_length=1000)] = "",
        context: Annotated[int, Field(ge=0, le=50, description="Lines around matches")] = 3,
        step: Annotated[str, Field(description="Only this step: number or name")] = "",
        owner: str = "",
        repo: str = "",
    ) -> Reusable[JobLog]:
        """Read the end of a job's log, or with grep its last matches, with line numbers."""
        repository = await to_read(self.github, owner, repo)
        pattern = parse_pattern(grep)
        jobs = Jobs(github=self.github, repository=repository)
        job = await _chosen(jobs, job_id, run_id, job_name)
        wanted = Wanted(
            lines=tail_lines,
            max_bytes=max_bytes,
            pattern=pattern,
            context=context,
            window=step_window(job, step),
        )
        excerpt = await read_log(self.github, repository, job, wanted, self.clock)
        reuse = Reuse(
            ttl_s=LOG_TTL_S if job.status == "completed" else RUNNING_S,
            tags=(of_run(repository, job.run_id),),
        )
        return Reusable(job_log(job, excerpt), reuse)

    @tool("Failed logs", READ, _policy("run_id"))
    async def get_failed_logs(
        self,
        *,
        run_id: Number,
        tail_lines: TailLines = 100,
        max_jobs: Annotated[Number, Field(le=20)] = 5,
        owner: str = "",
        repo: str = "",
    ) -> Reusable[FailedLogs]:
        """Tell why a run failed: for each failed job, its failed steps and the end of their log."""
        repository = await to_read(self.github, owner, repo)
        jobs = Jobs(github=self.github, repository=repository)
        run = await jobs.run(run_id)
        listed = await jobs.of_run(run_id)
        failed = to_explain(listed.items)
        reader = FailedLogReader(
            github=self.github, repository=repository, clock=self.clock, lines=tail_lines
        )
        logs = await reader.read(failed[:max_jobs])
        result = FailedLogs(
            run_id=run.id,
            run_attempt=run.run_attempt,
            conclusion=run.conclusion,
            html_url=run.html_url,
            failed_total=len(failed),
            returned=len(logs),
            truncated=len(logs) < len(failed) or listed.truncated,
            failed_jobs=tuple(logs),
        )
        broken = any(log.error is not None for log in logs)
        return Reusable(result, _reuse(run.status, broken=broken))


async def _chosen(jobs: Jobs, job_id: int | None, run_id: int | None, job_name: str) -> SentJob:
    """Return the job that is meant. Raises InvalidInput when it is not said which."""
    if job_id is not None and (run_id is not None or job_name):
        raise _unclear("job_id", "goes without run_id and job_name")
    if job_id is not None:
        return await jobs.one(job_id)
    if run_id is None:
        raise _unclear("job_id", "is required, or run_id with job_name")
    if not job_name:
        raise _unclear("job_name", "is required with run_id")
    return await jobs.named(run_id, job_name)


def _unclear(field: str, problem: str) -> InvalidInput:
    return InvalidInput(
        f"{field} {problem}.",
        hint="Pass job_id, or run_id and job_name; get_workflow_run_details lists both.",
        details={"field_errors": [{"field": field, "problem": problem}]},
    )


def _reuse(status: str | None, *, broken: bool) -> Reuse:
    if broken:
        return Reuse(no_store=True)
    return Reuse(ttl_s=LOG_TTL_S / 10 if status == "completed" else RUNNING_S)
