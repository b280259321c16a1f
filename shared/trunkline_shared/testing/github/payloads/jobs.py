"""Jobs of workflow runs as GitHub shows them."""

from trunkline_shared.testing.github.payloads.users import moment, node_id
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.urls import Urls
from trunkline_shared.testing.github.workflow_runs import Job, Step


def job(of: Job, home: Repository, urls: Urls) -> dict[str, object]:
    """Return a job with its steps."""
    api = urls.repository(home)
    web = f"{urls.web}/{home.full_name}/actions/runs/{of.run.id}"
    return {
        "id": of.id,
        "run_id": of.run.id,
        "run_url": f"{api}/actions/runs/{of.run.id}",
        "run_attempt": of.attempt,
        "node_id": node_id("CR", of.id),
        "head_sha": of.run.head_sha,
        "head_branch": of.run.head_branch,
        "workflow_name": of.run.workflow.removesuffix(".yml").upper(),
        "name": of.name,
        "status": of.status,
        "conclusion": of.conclusion,
        "created_at": moment(of.created_at),
        "started_at": moment(of.started_at),
        "completed_at": moment(of.completed_at),
        "url": f"{api}/actions/jobs/{of.id}",
        "html_url": f"{web}/job/{of.id}",
        "check_run_url": f"{api}/check-runs/{of.id}",
        "labels": list(of.labels),
        "runner_id": None if of.runner is None else 1,
        "runner_name": of.runner,
        "runner_group_id": None if of.runner is None else 2,
        "runner_group_name": None if of.runner is None else "GitHub Actions",
        "steps": [_step(one) for one in of.steps],
    }


def _step(of: Step) -> dict[str, object]:
    return {
        "name": of.name,
        "number": of.number,
        "status": of.status,
        "conclusion": of.conclusion,
        "started_at": moment(of.started_at),
        "completed_at": moment(of.completed_at),
    }
