"""Endpoints of check runs, annotations and commit statuses.

https://docs.github.com/rest/checks/runs · https://docs.github.com/rest/commits/statuses
"""

from typing import Literal

from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.github.check_models import Annotation, CheckRun, CommitStatus
from trunkline_shared.github.reading import counted_page, one, page
from trunkline_shared.github.repository import Repository, path
from trunkline_shared.vendor.page import Page

PER_PAGE = 100
_COMMIT = "/repos/{owner}/{repo}/commits/{ref}"
_OF_COMMIT = _COMMIT + "/check-runs"
_STATUS = _COMMIT + "/status"
_CHECK = "/repos/{owner}/{repo}/check-runs/{check_run_id}"
_ANNOTATIONS = _CHECK + "/annotations"

Filter = Literal["latest", "all"]

_read_check = one(CheckRun)
_read_checks = counted_page(CheckRun, "check_runs")
_read_statuses = counted_page(CommitStatus, "statuses")
_read_annotations = page(Annotation)


def list_check_runs(  # noqa: PLR0913 - the filters that GitHub offers
    repository: Repository,
    ref: str,
    *,
    check_name: str = "",
    status: str = "",
    which: Filter = "latest",
    page_number: int = 1,
    per_page: int = PER_PAGE,
) -> Endpoint[Page[CheckRun]]:
    """List the check runs of a commit, named by SHA, branch or tag.

    `latest` leaves out what was superseded within one suite only. Raises InvalidInput for a
    reference that names no commit.
    """
    query = [("filter", which), *_paged(page_number, per_page)]
    query += [(k, v) for k, v in (("check_name", check_name), ("status", status)) if v]
    request = Request(
        method="GET",
        path=path(_OF_COMMIT, repository, ref=ref),
        query=tuple(query),
        template=_OF_COMMIT,
    )
    return Endpoint(request=request, read=_read_checks, repeatable=True)


def get_check_run(repository: Repository, check_run_id: int) -> Endpoint[CheckRun]:
    """Read one check run; a job of Actions has the number of its check run."""
    request = Request(
        method="GET",
        path=path(_CHECK, repository, check_run_id=check_run_id),
        template=_CHECK,
    )
    return Endpoint(request=request, read=_read_check, repeatable=True)


def list_annotations(
    repository: Repository, check_run_id: int, *, page_number: int = 1, per_page: int = PER_PAGE
) -> Endpoint[Page[Annotation]]:
    """List the annotations of a check run."""
    request = Request(
        method="GET",
        path=path(_ANNOTATIONS, repository, check_run_id=check_run_id),
        query=_paged(page_number, per_page),
        template=_ANNOTATIONS,
    )
    return Endpoint(request=request, read=_read_annotations, repeatable=True)


def list_statuses(
    repository: Repository, ref: str, *, page_number: int = 1, per_page: int = PER_PAGE
) -> Endpoint[Page[CommitStatus]]:
    """List the newest status of each context of a commit.

    GitHub's own combined state is not read: it says pending where there is no status at all.
    """
    request = Request(
        method="GET",
        path=path(_STATUS, repository, ref=ref),
        query=_paged(page_number, per_page),
        template=_STATUS,
    )
    return Endpoint(request=request, read=_read_statuses, repeatable=True)


def _paged(page_number: int, per_page: int) -> tuple[tuple[str, str], ...]:
    return (("per_page", str(per_page)), ("page", str(page_number)))
