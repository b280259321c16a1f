"""Jobs of workflow runs: lists, one, and the link to a log."""

from collections.abc import Sequence

from trunkline_shared.testing.github.access import Area, repository_of, require_read
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.paging import page_of
from trunkline_shared.testing.github.payloads.jobs import job
from trunkline_shared.testing.github.payloads.workflow_runs import workflow_run
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.repositories import REPOSITORY
from trunkline_shared.testing.github.routes.workflow_runs import run_of
from trunkline_shared.testing.github.workflow_runs import Attempt, Job, WorkflowRun

RUN = REPOSITORY + "/actions/runs/{run_id}"
ATTEMPT = RUN + "/attempts/{attempt_number}"
JOB = REPOSITORY + "/actions/jobs/{job_id}"
ACTIONS: tuple[Area, ...] = ("actions",)


def list_jobs(call: Call) -> Answer:
    """Return a page of the jobs of a run: of its latest attempt, or with `filter=all` of all."""
    home, run = _run(call)
    attempts = run.attempts if call.query.get("filter") == "all" else [run.attempt]
    return _page(call, home, [one for attempt in attempts for one in attempt.jobs])


def list_attempt_jobs(call: Call) -> Answer:
    """Return a page of the jobs of one attempt."""
    home, run = _run(call)
    return _page(call, home, _attempt(call, run).jobs)


def get_attempt(call: Call) -> Answer:
    """Return a run as it was in one attempt."""
    home, run = _run(call)
    return Answer(json=workflow_run(run, home, call.urls, _attempt(call, run)))


def get_job(call: Call) -> Answer:
    """Return one job."""
    home, found = _job(call)
    return Answer(json=job(found, home, call.urls))


def download_log(call: Call) -> Answer:
    """Return the link to a log, once there is one; an expired log is gone."""
    _, found = _job(call)
    if call.token is None:
        raise Refusal(403, "Must have admin rights to Repository.")
    if found.log is None:
        raise Refusal(410 if found.status == "completed" else 404, "Not Found")
    return Answer(status=302, headers={"location": call.state.log_links.sign(found)})


def _run(call: Call) -> tuple[Repository, WorkflowRun]:
    home = repository_of(call)
    require_read(call, home, ACTIONS)
    return home, run_of(call, home)


def _attempt(call: Call, run: WorkflowRun) -> Attempt:
    wanted = int(call.path["attempt_number"])
    for attempt in run.attempts:
        if attempt.number == wanted:
            return attempt
    raise Refusal(404, "Not Found")


def _job(call: Call) -> tuple[Repository, Job]:
    home = repository_of(call)
    require_read(call, home, ACTIONS)
    wanted = int(call.path["job_id"])
    for found in home.ci.jobs():
        if found.id == wanted:
            return home, found
    raise Refusal(404, "Not Found")


def _page(call: Call, home: Repository, jobs: Sequence[Job]) -> Answer:
    address = f"{call.urls.api}{call.target.partition('?')[0]}"
    shown, links = page_of(call, jobs, address)
    listed = [job(one, home, call.urls) for one in shown]
    return Answer(json={"total_count": len(jobs), "jobs": listed}, headers=links)


ROUTES = (
    Route(method="GET", path=RUN + "/jobs", handle=list_jobs),
    Route(method="GET", path=ATTEMPT, handle=get_attempt),
    Route(method="GET", path=ATTEMPT + "/jobs", handle=list_attempt_jobs),
    Route(method="GET", path=JOB, handle=get_job),
    Route(method="GET", path=JOB + "/logs", handle=download_log),
)
