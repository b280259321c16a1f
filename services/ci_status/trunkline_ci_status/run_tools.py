"""The tools of workflow runs: list, re-run, cancel."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_ci_status.reporting import StatusFilter
from trunkline_ci_status.run_changing import RunChange
from trunkline_ci_status.run_listing import RunQuery, browse_runs
from trunkline_ci_status.run_models import Changed, ListedRuns
from trunkline_ci_status.tags import OF_RUN, OF_RUNS
from trunkline_shared.arguments import Number, PerPage
from trunkline_shared.contracts import DESTRUCTIVE, READ, WRITE, Policy, Reads, Writes
from trunkline_shared.github.arguments import Owner, Repo
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.defaults import OF_REPOSITORY
from trunkline_shared.github.tags import CHANGED_RUNS, of_commit
from trunkline_shared.github.targets import to_read, to_write
from trunkline_shared.github.workflow_runs import Change, RunFilter
from trunkline_shared.listing import Fields
from trunkline_shared.reuse import Reusable, Reuse
from trunkline_shared.tool import tool

CHANGES_RUN = Policy(
    writes=Writes(tags=(OF_RUN, CHANGED_RUNS)),
    needs=("owner", "repo"),
    context_needs=("pr_number",),
    enforces=("pr_number",),
    write_group="rerun",
)
Debug = Annotated[bool, Field(description="With debug logging")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTools:
    """Workflow runs."""

    github: GitHub

    @tool(
        "List workflow runs",
        READ,
        Policy(
            reads=Reads(ttl_s=10, stale_s=600, tags=(OF_RUNS,)),
            needs=("owner", "repo"),
            defaults=dict(OF_REPOSITORY),
            context_needs=("pr_number",),
            enforces=("pr_number",),
            toolset="runs",
        ),
    )
    async def list_workflow_runs(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        workflow: Annotated[str, Field(description="File name (ci.yml) or number")] = "",
        branch: str = "",
        event: Annotated[str, Field(description="Such as push, pull_request")] = "",
        actor: Annotated[str, Field(description="Login")] = "",
        status: StatusFilter | None = None,
        created: Annotated[
            str, Field(description="Date search: 2026-01-31, >=2026-01-31, A..B")
        ] = "",
        page: Number = 1,
        per_page: PerPage = 30,
        fields: Fields = (),
        owner: str = "",
        repo: str = "",
    ) -> ListedRuns:
        """List workflow runs, newest first. GitHub shows at most 1,000 of a filtered list."""
        repository = await to_read(self.github, owner, repo)
        wanted = RunFilter(
            branch=branch, event=event, actor=actor, status=status or "", created=created
        )
        query = RunQuery(
            wanted=wanted, workflow=workflow, page=page, per_page=per_page, fields=fields
        )
        return await browse_runs(self.github, repository, query)

    @tool("Re-run failed jobs", WRITE, CHANGES_RUN)
    async def rerun_failed_jobs(
        self, *, run_id: Number, debug: Debug = False, owner: Owner = "", repo: Repo = ""
    ) -> Reusable[Changed]:
        """Run the failed jobs of a finished workflow run again, and what depends on them."""
        return await self._change(owner, repo, run_id, "rerun-failed-jobs", debug=debug)

    @tool("Re-run workflow", WRITE, CHANGES_RUN)
    async def rerun_run(
        self, *, run_id: Number, debug: Debug = False, owner: Owner = "", repo: Repo = ""
    ) -> Reusable[Changed]:
        """Run all jobs of a finished workflow run again."""
        return await self._change(owner, repo, run_id, "rerun", debug=debug)

    @tool("Cancel workflow run", DESTRUCTIVE, CHANGES_RUN)
    async def cancel_run(
        self, *, run_id: Number, owner: Owner = "", repo: Repo = ""
    ) -> Reusable[Changed]:
        """Cancel a running workflow run; accepted: false when it has ended already."""
        return await self._change(owner, repo, run_id, "cancel", debug=False)

    async def _change(
        self, owner: str, repo: str, run_id: int, change: Change, *, debug: bool
    ) -> Reusable[Changed]:
        repository = await to_write(self.github, owner, repo)
        wanted = RunChange(
            github=self.github, repository=repository, run_id=run_id, change=change, debug=debug
        )
        changed, head_sha = await wanted.perform()
        return Reusable(changed, Reuse(tags=(of_commit(repository, head_sha),)))
