"""The tools of check runs: those of a commit, and what one remarks on."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_ci_status.check_listing import (
    CheckQuery,
    Paging,
    browse_annotations,
    browse_checks,
)
from trunkline_ci_status.check_models import ListedAnnotations, ListedChecks
from trunkline_ci_status.commit_target import Aim, find_target
from trunkline_ci_status.ownership import bound_pull_number, check_as_subject, require_own
from trunkline_ci_status.reporting import StatusFilter
from trunkline_ci_status.status_tools import DEFAULTS, NEEDS, Ref
from trunkline_ci_status.tags import OF_CHECK, OF_HEAD_CI, found_at
from trunkline_shared.arguments import Number, PerPage
from trunkline_shared.clock import Clock
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.github.arguments import PullNumber
from trunkline_shared.github.checks import Filter, get_check_run
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.defaults import OF_REPOSITORY
from trunkline_shared.github.tags import CHANGED_RUNS
from trunkline_shared.github.targets import to_read
from trunkline_shared.listing import Fields
from trunkline_shared.reuse import Reusable, Reuse
from trunkline_shared.tool import tool

TOOLSET = "checks"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTools:
    """Check runs, of Actions and of other apps."""

    github: GitHub
    clock: Clock

    @tool(
        "List check runs",
        READ,
        Policy(
            reads=Reads(ttl_s=10, stale_s=600, tags=OF_HEAD_CI),
            needs=NEEDS,
            defaults=DEFAULTS,
            context_needs=("pr_number",),
            enforces=("pr_number",),
            toolset=TOOLSET,
        ),
    )
    async def list_check_runs(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        ref: Ref = "",
        pr_number: PullNumber | None = None,
        check_name: str = "",
        status: StatusFilter | None = None,
        filter: Annotated[Filter, Field(description="all: earlier attempts too")] = "latest",  # noqa: A002 - GitHub's own name
        dedupe: Annotated[bool, Field(description="Leave out superseded ones")] = True,
        page: Number = 1,
        per_page: PerPage = 100,
        fields: Fields = (),
        owner: str = "",
        repo: str = "",
    ) -> Reusable[ListedChecks]:
        """List the check runs of a commit or pull request, of every app, jobs of Actions too."""
        repository = await to_read(self.github, owner, repo)
        aim = Aim(repository=repository, pr_number=pr_number, ref=ref.strip())
        target = await find_target(self.github, aim)
        query = CheckQuery(
            head_sha=target.head_sha,
            check_name=check_name,
            status=status,
            which=filter,
            dedupe=dedupe,
            paging=Paging(page=page, per_page=per_page, fields=fields),
        )
        found = await browse_checks(self.github, self.clock, repository, query)
        return Reusable(found, Reuse(tags=found_at(repository, target.head_sha, target.branch)))

    @tool(
        "Get check annotations",
        READ,
        Policy(
            reads=Reads(ttl_s=60, stale_s=600, tags=(OF_CHECK, CHANGED_RUNS)),
            needs=("owner", "repo"),
            defaults=dict(OF_REPOSITORY),
            context_needs=("pr_number",),
            enforces=("pr_number",),
            toolset=TOOLSET,
        ),
    )
    async def get_check_annotations(
        self,
        *,
        check_run_id: Annotated[Number, Field(description="A job's id works too")],
        page: Number = 1,
        per_page: PerPage = 50,
        fields: Fields = (),
        owner: str = "",
        repo: str = "",
    ) -> ListedAnnotations:
        """List what a check run remarks on lines of files."""
        repository = await to_read(self.github, owner, repo)
        if bound_pull_number() is not None:
            check = await self.github.fetch(get_check_run(repository, check_run_id))
            await require_own(self.github, repository, check_as_subject(check))
        paging = Paging(page=page, per_page=per_page, fields=fields)
        return await browse_annotations(self.github, repository, check_run_id, paging)
