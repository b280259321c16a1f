"""The check runs of a commit and their annotations, as an agent reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from trunkline_ci_status.check_models import (
    ListedAnnotation,
    ListedAnnotations,
    ListedCheck,
    ListedChecks,
)
from trunkline_shared.clock import Clock
from trunkline_shared.errors import PermissionDenied
from trunkline_shared.github.check_models import Annotation, CheckRun, WorkflowRun
from trunkline_shared.github.checks import Filter, list_annotations, list_check_runs
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.commit_ci import MOST_CHECKS
from trunkline_shared.github.latest_checks import latest
from trunkline_shared.github.repository import Repository
from trunkline_shared.github.workflow_runs import MOST_FILTERED, RunFilter, list_runs
from trunkline_shared.listing import PageInfo, Source, choose
from trunkline_shared.untrusted import sanitize
from trunkline_shared.vendor.answered import source_of, with_response


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """Which page of a list, and which fields of its entries."""

    page: int
    per_page: int
    fields: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckQuery:
    """Which check runs of a commit to list."""

    head_sha: str
    check_name: str
    status: str | None
    which: Filter
    dedupe: bool
    paging: Paging


async def browse_checks(
    github: GitHub, clock: Clock, repository: Repository, query: CheckQuery
) -> ListedChecks:
    """Read every check run of a commit, leave out what is superseded, and return one page.

    The status is looked at last: an old check must not stand in for one that runs again.
    Raises a TrunklineError.
    """
    endpoint = list_check_runs(
        repository, query.head_sha, check_name=query.check_name, which=query.which
    )
    read = await github.collect(endpoint, limit=MOST_CHECKS)
    current: Sequence[CheckRun] = read.items
    if query.dedupe:
        runs = await _runs(github, repository, query.head_sha)
        current = latest(runs, read.items).checks
    found = [one for one in current if query.status in {None, one.status, one.conclusion}]
    first = (query.paging.page - 1) * query.paging.per_page
    shown = found[first : first + query.paging.per_page]
    more = first + len(shown) < len(found) and bool(shown)
    moment = datetime.fromtimestamp(clock.now(), UTC).isoformat(timespec="seconds")
    return ListedChecks(
        checks=choose([_listed(one) for one in shown], query.paging.fields, ListedCheck),
        superseded=len(read.items) - len(current),
        page_info=PageInfo(
            has_more=more,
            next_page=query.paging.page + 1 if more else None,
            total_count=len(found),
            returned=len(shown),
            truncated=read.truncated,
        ),
        has_more=more,
        source=Source(fetched_at=moment, head_sha=query.head_sha),
    )


async def _runs(github: GitHub, repository: Repository, head_sha: str) -> Sequence[WorkflowRun]:
    """Read the runs that tell which suites belong to one workflow, where the token may."""
    endpoint = list_runs(repository, RunFilter(head_sha=head_sha))
    try:
        return (await github.collect(endpoint, limit=MOST_FILTERED)).items
    except PermissionDenied:
        return ()


async def browse_annotations(
    github: GitHub, repository: Repository, check_run_id: int, paging: Paging
) -> ListedAnnotations:
    """Read one page of a check run's annotations. Raises a TrunklineError."""
    endpoint = list_annotations(
        repository, check_run_id, page_number=paging.page, per_page=paging.per_page
    )
    found, response = await github.fetch(with_response(endpoint))
    entries = [_remark(one) for one in found.items]
    return ListedAnnotations(
        annotations=choose(entries, paging.fields, ListedAnnotation),
        page_info=PageInfo(
            has_more=found.next_url is not None,
            next_page=found.next_page,
            returned=len(entries),
        ),
        has_more=found.next_url is not None,
        source=source_of(response),
    )


def _listed(check: CheckRun) -> ListedCheck:
    title = check.output.title
    return ListedCheck(
        id=check.id,
        name=sanitize(check.name),
        app=check.app_slug,
        status=check.status,
        conclusion=check.conclusion,
        title=sanitize(title) if title else None,
        annotations_count=check.output.annotations_count,
        html_url=check.html_url,
        details_url=check.details_url,
        started_at=check.started_at,
        completed_at=check.completed_at,
        head_sha=check.head_sha,
    )


def _remark(annotation: Annotation) -> ListedAnnotation:
    return ListedAnnotation(
        path=sanitize(annotation.path),
        start_line=annotation.start_line,
        end_line=annotation.end_line,
        level=annotation.annotation_level,
        message=sanitize(annotation.message),
        title=sanitize(annotation.title) if annotation.title else None,
    )
