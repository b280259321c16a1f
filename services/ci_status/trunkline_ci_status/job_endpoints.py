"""Endpoints of the jobs of workflow runs, and the jobs as GitHub sends them.

https://docs.github.com/rest/actions/workflow-jobs · https://docs.github.com/rest/actions/workflow-runs
"""

from datetime import datetime

from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.github.check_models import WorkflowRun
from trunkline_shared.github.comment_models import Sent, Text
from trunkline_shared.github.reading import counted_page, one
from trunkline_shared.github.repository import Repository, path
from trunkline_shared.github.workflow_runs import RUN
from trunkline_shared.vendor.page import Page

PER_PAGE = 100
_JOBS = RUN + "/jobs"
_ATTEMPT = RUN + "/attempts/{attempt_number}"
_ATTEMPT_JOBS = _ATTEMPT + "/jobs"
_JOB = "/repos/{owner}/{repo}/actions/jobs/{job_id}"


class SentStep(Sent):
    """A step of a job; its times are missing while it has not begun, and when it was skipped."""

    name: Text = ""
    number: int = 0
    status: Text = ""
    conclusion: str | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None


class SentJob(Sent):
    """A job of one attempt of a run; GitHub sends statuses and conclusions beyond its own lists."""

    id: int
    run_id: int
    run_attempt: int = 1
    name: Text = ""
    head_sha: Text = ""
    status: Text = ""
    conclusion: str | None = None
    html_url: str | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None
    runner_name: str | None = None
    labels: tuple[str, ...] = ()
    steps: tuple[SentStep, ...] = ()


_read_job = one(SentJob)
_read_jobs = counted_page(SentJob, "jobs")
_read_run = one(WorkflowRun)


def get_job(repository: Repository, job_id: int) -> Endpoint[SentJob]:
    """Read one job."""
    request = Request(method="GET", path=path(_JOB, repository, job_id=job_id), template=_JOB)
    return Endpoint(request=request, read=_read_job, repeatable=True)


def list_jobs(
    repository: Repository, run_id: int, attempt: int | None = None
) -> Endpoint[Page[SentJob]]:
    """List the jobs of a run's latest attempt, or of another."""
    where = path(_JOBS, repository, run_id=run_id)
    template = _JOBS
    query = [("per_page", str(PER_PAGE))]
    if attempt is None:
        query.append(("filter", "latest"))
    else:
        where = path(_ATTEMPT_JOBS, repository, run_id=run_id, attempt_number=attempt)
        template = _ATTEMPT_JOBS
    request = Request(method="GET", path=where, query=tuple(query), template=template)
    return Endpoint(request=request, read=_read_jobs, repeatable=True)


def get_attempt(repository: Repository, run_id: int, attempt: int) -> Endpoint[WorkflowRun]:
    """Read a run in the state of one of its attempts."""
    where = path(_ATTEMPT, repository, run_id=run_id, attempt_number=attempt)
    request = Request(method="GET", path=where, template=_ATTEMPT)
    return Endpoint(request=request, read=_read_run, repeatable=True)
