"""The tool that tells why a workflow run passed or failed: its jobs and their steps."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_ci_status.job_models import RunDetails
from trunkline_ci_status.job_reading import Jobs
from trunkline_ci_status.job_shapes import details
from trunkline_ci_status.tags import OF_RUN
from trunkline_shared.arguments import Number
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.defaults import OF_REPOSITORY
from trunkline_shared.github.targets import to_read
from trunkline_shared.reuse import Reusable, Reuse
from trunkline_shared.tool import tool

JobName = Annotated[str, Field(description="Whole name, part of it, or glob", max_length=500)]
RUNNING_S, ENDED_S = 10, 60


@dataclass(frozen=True, slots=True, kw_only=True)
class JobTools:
    """Jobs of workflow runs."""

    github: GitHub

    @tool(
        "Workflow run details",
        READ,
        Policy(
            reads=Reads(ttl_s=ENDED_S, stale_s=600, tags=(OF_RUN,)),
            needs=("owner", "repo", "run_id"),
            defaults=dict(OF_REPOSITORY),
            context_needs=("pr_number",),
            enforces=("pr_number",),
        ),
    )
    async def get_workflow_run_details(
        self,
        *,
        run_id: Number,
        attempt: Annotated[Number | None, Field(description="Default: latest")] = None,
        job_name: JobName = "",
        only_failed: bool = False,
        owner: str = "",
        repo: str = "",
    ) -> Reusable[RunDetails]:
        """List the jobs of an Actions run (id from get_ci_status), with the steps that failed."""
        repository = await to_read(self.github, owner, repo)
        jobs = Jobs(github=self.github, repository=repository)
        run = await jobs.run(run_id, attempt)
        listed = await jobs.of_run(run_id, attempt)
        result = details(
            run,
            listed.items,
            job_name=job_name,
            only_failed=only_failed,
            complete=not listed.truncated,
        )
        return Reusable(result, _reuse(run.status, named=attempt is not None))


def _reuse(status: str | None, *, named: bool) -> Reuse:
    """Return how long the answer holds: for ever, when it is of an attempt that has ended.

    Without the attempt's number a newer one may take its place.
    """
    if status != "completed":
        return Reuse(ttl_s=RUNNING_S)
    return Reuse(immutable=True) if named else Reuse(ttl_s=ENDED_S)
