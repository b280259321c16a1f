"""One page of workflow runs, as an agent reads it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trunkline_ci_status.ownership import bound_pull, run_as_subject, shares_head
from trunkline_ci_status.run_models import ListedRun, ListedRuns
from trunkline_shared.binding import outside_binding
from trunkline_shared.errors import NotFound
from trunkline_shared.github.check_models import WorkflowRun
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.pull_models import PullRequest
from trunkline_shared.github.repository import Repository
from trunkline_shared.github.workflow_runs import MOST_FILTERED, RunFilter, list_runs
from trunkline_shared.listing import PageInfo, choose
from trunkline_shared.untrusted import sanitize
from trunkline_shared.vendor.answered import source_of, with_response
from trunkline_shared.vendor.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class RunQuery:
    """Which runs to list, which page of them, and which of their fields."""

    wanted: RunFilter
    workflow: str
    page: int
    per_page: int
    fields: Sequence[str]


async def browse_runs(github: GitHub, repository: Repository, query: RunQuery) -> ListedRuns:
    """Read one page of runs; under a bound pull request, of those on its branch only.

    Raises a TrunklineError.
    """
    pull = await bound_pull(github, repository)
    if pull is not None:
        query = replace(query, wanted=_on_branch_of(pull, query.wanted))
    endpoint = list_runs(
        repository,
        query.wanted,
        workflow=query.workflow,
        page_number=query.page,
        per_page=query.per_page,
    )
    try:
        found, response = await github.fetch(with_response(endpoint))
    except NotFound as error:
        raise _no_workflow(error, query.workflow) from None
    mine = [run for run in found.items if pull is None or shares_head(pull, run_as_subject(run))]
    entries = choose([_listed(run) for run in mine], query.fields, ListedRun)
    info = _page_info(found, query, len(entries))
    return ListedRuns(
        runs=entries, page_info=info, has_more=info.has_more, source=source_of(response)
    )


def _on_branch_of(pull: PullRequest, wanted: RunFilter) -> RunFilter:
    if wanted.branch not in {"", pull.head.ref}:
        raise outside_binding(f"Branch {wanted.branch!r} belongs to other work", "pr_number")
    return replace(wanted, branch=pull.head.ref)


def _no_workflow(error: NotFound, workflow: str) -> NotFound:
    if not workflow:
        return error
    return NotFound(
        error.message,
        hint=f"Is {workflow!r} a workflow's file name, such as ci.yml, or its number? GitHub "
        "answers 404 also for what the credential may not see.",
        details=error.details,
    )


def _page_info(found: Page[WorkflowRun], query: RunQuery, returned: int) -> PageInfo:
    """Say where the list ends; a filtered one ends at 1,000, whatever it counts."""
    total = found.total_count
    capped = bool(query.wanted.query()) and (total or 0) > MOST_FILTERED
    return PageInfo(
        has_more=found.next_url is not None,
        next_page=found.next_page,
        total_count=total,
        returned=returned,
        truncated=capped,
    )


def _listed(run: WorkflowRun) -> ListedRun:
    home = run.head_repository
    return ListedRun(
        id=run.id,
        name=sanitize(run.name or run.path),
        title=sanitize(run.display_title),
        status=run.status,
        conclusion=run.conclusion,
        html_url=run.html_url,
        created_at=run.created_at,
        updated_at=run.updated_at,
        run_number=run.run_number,
        run_attempt=run.run_attempt,
        event=run.event,
        workflow_id=run.workflow_id,
        path=run.path,
        head_sha=run.head_sha,
        head_branch=sanitize(run.head_branch) if run.head_branch else None,
        head_repository=home.full_name if home is not None else None,
        actor=run.actor.login if run.actor is not None else None,
    )
