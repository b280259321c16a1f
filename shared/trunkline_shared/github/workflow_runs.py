"""Endpoints of workflow runs: lists, one, re-run, cancel.

https://docs.github.com/rest/actions/workflow-runs
"""

from dataclasses import dataclass
from typing import Literal

from trunkline_shared.exchange import Endpoint, Request, Response
from trunkline_shared.github.check_models import WorkflowRun
from trunkline_shared.github.reading import checked, counted_page, one
from trunkline_shared.github.repository import Repository, path
from trunkline_shared.vendor.page import Page

PER_PAGE = 100
MOST_FILTERED = 1_000
"""Where GitHub's list of runs ends as soon as it is filtered."""

RUNS = "/repos/{owner}/{repo}/actions/runs"
RUN = RUNS + "/{run_id}"
_OF_WORKFLOW = "/repos/{owner}/{repo}/actions/workflows/{workflow}/runs"

_read_run = one(WorkflowRun)
_read_runs = counted_page(WorkflowRun, "workflow_runs")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFilter:
    """Which runs to list; empty fields leave all. `created` is a date or GitHub's date search."""

    head_sha: str = ""
    branch: str = ""
    event: str = ""
    actor: str = ""
    status: str = ""
    created: str = ""

    def query(self) -> tuple[tuple[str, str], ...]:
        names = ("head_sha", "branch", "event", "actor", "status", "created")
        return tuple((name, value) for name in names if (value := getattr(self, name)))


def list_runs(
    repository: Repository,
    wanted: RunFilter,
    *,
    workflow: str = "",
    page_number: int = 1,
    per_page: int = PER_PAGE,
) -> Endpoint[Page[WorkflowRun]]:
    """List workflow runs, newest first; `workflow` is a file name or a number."""
    template = _OF_WORKFLOW if workflow else RUNS
    values = {"workflow": workflow} if workflow else {}
    paging = (("per_page", str(per_page)), ("page", str(page_number)))
    request = Request(
        method="GET",
        path=path(template, repository, **values),
        query=(*wanted.query(), *paging),
        template=template,
    )
    return Endpoint(request=request, read=_read_runs, repeatable=True)


def get_run(repository: Repository, run_id: int) -> Endpoint[WorkflowRun]:
    """Read one run, in the state of its latest attempt."""
    request = Request(method="GET", path=path(RUN, repository, run_id=run_id), template=RUN)
    return Endpoint(request=request, read=_read_run, repeatable=True)


Change = Literal["rerun", "rerun-failed-jobs", "cancel"]


def change_run(
    repository: Repository, run_id: int, change: Change, *, debug: bool = False
) -> Endpoint[None]:
    """Begin another attempt, with all jobs or the failed ones, or cancel the present one.

    Only cancelling may be sent twice. Raises Conflict when a run to cancel has ended.
    """
    template = f"{RUN}/{change}"
    request = Request(
        method="POST",
        path=path(template, repository, run_id=run_id),
        json=None if change == "cancel" else {"enable_debug_logging": debug},
        template=template,
    )
    return Endpoint(request=request, read=_accepted, repeatable=change == "cancel")


def _accepted(response: Response) -> None:
    checked(response)
