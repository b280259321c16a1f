"""Workflow runs: lists, one, re-run, cancel."""

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta

from trunkline_shared.testing.github.access import (
    Area,
    at_least,
    repository_of,
    require_read,
    require_write,
)
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.paging import page_of
from trunkline_shared.testing.github.payloads.workflow_runs import workflow_run
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.repositories import REPOSITORY
from trunkline_shared.testing.github.workflow_runs import WorkflowRun

LIST = REPOSITORY + "/actions/runs"
ONE = LIST + "/{run_id}"
OF_WORKFLOW = REPOSITORY + "/actions/workflows/{workflow}/runs"
ACTIONS: tuple[Area, ...] = ("actions",)
MOST_FILTERED = 1_000
SIGNS: Mapping[str, Callable[[datetime, datetime], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
FILTERS = frozenset({"actor", "branch", "check_suite_id", "created", "event", "head_sha", "status"})


def list_runs(call: Call) -> Answer:
    """Return a page of the runs, newest first; a filtered list ends at 1,000.

    What the repository's CI has in its script happens after the first page of a list.
    """
    home = _readable(call)
    found = sorted(_wanted(call, home), key=lambda run: run.id, reverse=True)
    reachable = found[:MOST_FILTERED] if FILTERS & call.query.keys() else found
    address = f"{call.urls.api}{call.target.partition('?')[0]}"
    shown, links = page_of(call, reachable, address)
    runs = [workflow_run(run, home, call.urls) for run in shown]
    if call.query.get("page", "1") == "1":
        home.ci.polled()
    return Answer(json={"total_count": len(found), "workflow_runs": runs}, headers=links)


def _readable(call: Call) -> Repository:
    home = repository_of(call)
    require_read(call, home, ACTIONS)
    return home


def _wanted(call: Call, home: Repository) -> Iterator[WorkflowRun]:
    workflow = _workflow(call, home) if "workflow" in call.path else None
    for run in home.ci.runs.values():
        if workflow in {None, run.workflow_id} and _matches(call, run):
            yield run


def _workflow(call: Call, home: Repository) -> int:
    named = home.ci.workflows
    known = {**named, **{str(number): number for number in named.values()}}
    if call.path["workflow"] not in known:
        raise Refusal(404, "Not Found")
    return known[call.path["workflow"]]


def _matches(call: Call, run: WorkflowRun) -> bool:
    facts: dict[str, set[str | None]] = {
        "head_sha": {run.head_sha},
        "status": {run.status, run.conclusion},
        "branch": {run.head_branch},
        "event": {run.event},
        "actor": {run.actor.login if run.actor else None},
        "check_suite_id": {str(run.suite.id)},
    }
    return all(
        value in facts[name] for name, value in call.query.items() if name in facts
    ) and _created(call.query.get("created", ""), run.created_at)


def _created(search: str, at: datetime) -> bool:
    """Read GitHub's date search: `>=DATE`, `<DATE`, `DATE..DATE`, `DATE`."""
    first, between, last = search.partition("..")
    if between:
        return _moment(first) <= at <= _moment(last)
    match = re.match(r"(>=|<=|>|<)?(.*)", search)
    if not search or match is None:
        return True
    sign, date = match.groups()
    wanted = _moment(date)
    if sign is None:
        return wanted <= at < wanted + timedelta(days=1)
    return SIGNS[sign](at, wanted)


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Refusal(422, f"Invalid request.\n\n{text!r} is not a valid date.") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def run_of(call: Call, home: Repository) -> WorkflowRun:
    """Return the run that the path names, or refuse."""
    run = home.ci.runs.get(int(call.path["run_id"]))
    if run is None:
        raise Refusal(404, "Not Found")
    return run


def get_run(call: Call) -> Answer:
    """Return one run."""
    home = _readable(call)
    return Answer(json=workflow_run(run_of(call, home), home, call.urls))


def _changeable(call: Call) -> tuple[Repository, WorkflowRun]:
    home = repository_of(call)
    require_write(call, home, ACTIONS)
    if not at_least(call, home, "write"):
        raise Refusal(403, "Must have admin rights to Repository.")
    return home, run_of(call, home)


def rerun(call: Call) -> Answer:
    """Begin another attempt with all jobs."""
    return _rerun(call, failed_only=False)


def rerun_failed(call: Call) -> Answer:
    """Begin another attempt with the jobs that failed."""
    return _rerun(call, failed_only=True)


def _rerun(call: Call, *, failed_only: bool) -> Answer:
    home, run = _changeable(call)
    if run.status != "completed":
        raise Refusal(403, "This workflow is already running")
    attempt = home.ci.rerun(run, failed_only=failed_only)
    attempt.debug = call.body.get("enable_debug_logging") is True
    return Answer(status=201, json={})


def cancel(call: Call) -> Answer:
    """End a run that has not ended."""
    home, run = _changeable(call)
    if run.status == "completed":
        raise Refusal(409, "Cannot cancel a workflow run that is completed.")
    home.ci.finish(run, "cancelled")
    return Answer(status=202, json={})


ROUTES = (
    Route(method="GET", path=LIST, handle=list_runs),
    Route(method="GET", path=OF_WORKFLOW, handle=list_runs),
    Route(method="GET", path=ONE, handle=get_run),
    Route(method="POST", path=ONE + "/rerun", handle=rerun),
    Route(method="POST", path=ONE + "/rerun-failed-jobs", handle=rerun_failed),
    Route(method="POST", path=ONE + "/cancel", handle=cancel),
)
