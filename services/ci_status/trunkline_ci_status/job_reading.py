"""A run and its jobs, read from GitHub for one caller."""

from dataclasses import dataclass

from trunkline_ci_status.job_endpoints import SentJob, get_attempt, get_job, list_jobs
from trunkline_ci_status.job_names import only_one
from trunkline_ci_status.ownership import bound_pull_number, require_own, run_as_subject
from trunkline_shared.github.check_models import WorkflowRun
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.repository import Repository
from trunkline_shared.github.workflow_runs import get_run
from trunkline_shared.vendor.page import Collected

MOST_READ = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs:
    """The jobs of one repository's runs, as far as the caller's context reaches."""

    github: GitHub
    repository: Repository

    async def run(self, run_id: int, attempt: int | None = None) -> WorkflowRun:
        """Read a run, in the state of its latest attempt or of another.

        Raises BlockedByPolicy for one of another pull request than the context's.
        """
        endpoint = get_run(self.repository, run_id)
        if attempt is not None:
            endpoint = get_attempt(self.repository, run_id, attempt)
        run = await self.github.fetch(endpoint)
        await require_own(self.github, self.repository, run_as_subject(run))
        return run

    async def of_run(self, run_id: int, attempt: int | None = None) -> Collected[SentJob]:
        """Read all jobs of a run's latest attempt or of another: matrices may have thousands."""
        listed = list_jobs(self.repository, run_id, attempt)
        return await self.github.collect(listed, limit=MOST_READ)

    async def one(self, job_id: int) -> SentJob:
        """Read a job by its id, and its run if the context is bound to a pull request."""
        job = await self.github.fetch(get_job(self.repository, job_id))
        if bound_pull_number() is not None:
            await self.run(job.run_id)
        return job

    async def named(self, run_id: int, job_name: str) -> SentJob:
        """Find the job of a run's latest attempt that a name means.

        Raises NotFound and InvalidInput.
        """
        await self.run(run_id)
        return only_one((await self.of_run(run_id)).items, job_name, run_id)
