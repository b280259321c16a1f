"""Workflow runs as GitHub shows them."""

from trunkline_shared.testing.github.payloads.repositories import minimal_repository
from trunkline_shared.testing.github.payloads.users import moment, node_id, simple_user
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.urls import Urls
from trunkline_shared.testing.github.workflow_runs import Attempt, WorkflowRun


def workflow_run(
    of: WorkflowRun, home: Repository, urls: Urls, attempt: Attempt | None = None
) -> dict[str, object]:
    """Return a run in the state of `attempt`, or of its latest one."""
    shown = attempt or of.attempt
    repository = minimal_repository(home, urls)
    return {
        "id": of.id,
        "node_id": node_id("WFR", of.id),
        "name": of.workflow.removesuffix(".yml").upper(),
        "path": of.path,
        "display_title": f"Run {of.number}",
        "run_number": of.number,
        "run_attempt": shown.number,
        "event": of.event,
        "status": shown.status,
        "conclusion": shown.conclusion,
        "workflow_id": of.workflow_id,
        "check_suite_id": of.suite.id,
        "check_suite_node_id": node_id("CS", of.suite.id),
        "head_branch": of.head_branch,
        "head_sha": of.head_sha,
        "head_commit": _commit(of),
        "head_repository": None if of.head_repository_deleted else repository,
        "repository": repository,
        "actor": simple_user(of.actor, urls),
        "triggering_actor": simple_user(of.actor, urls),
        "pull_requests": [pull_reference(home, number, urls) for number in of.pulls],
        "referenced_workflows": [],
        "created_at": moment(of.created_at),
        "run_started_at": moment(shown.started_at),
        "updated_at": moment(of.ended_at or shown.started_at),
        **_links(of, home, urls),
    }


def _links(of: WorkflowRun, home: Repository, urls: Urls) -> dict[str, object]:
    api = f"{urls.repository(home)}/actions"
    url = f"{api}/runs/{of.id}"
    parts = ("jobs", "logs", "artifacts", "cancel", "rerun")
    return {
        "url": url,
        "html_url": f"{urls.web}/{home.full_name}/actions/runs/{of.id}",
        **{f"{one}_url": f"{url}/{one}" for one in parts},
        "previous_attempt_url": None,
        "check_suite_url": f"{urls.repository(home)}/check-suites/{of.suite.id}",
        "workflow_url": f"{api}/workflows/{of.workflow_id}",
    }


def _commit(of: WorkflowRun) -> dict[str, object]:
    person = {"name": "Somebody", "email": "somebody@example.com"}
    return {
        "id": of.head_sha,
        "tree_id": of.head_sha,
        "message": "Change",
        "timestamp": moment(of.created_at),
        "author": person,
        "committer": person,
    }


def pull_reference(home: Repository, number: int, urls: Urls) -> dict[str, object]:
    """Return the short form in which runs and checks name a pull request."""
    issue = home.issues[number]
    assert issue.pull is not None
    repository = {"id": home.id, "name": home.name, "url": urls.repository(home)}
    return {
        "id": issue.id,
        "number": number,
        "url": urls.pull(home, issue),
        "head": {"ref": issue.pull.head_ref, "sha": issue.pull.head_sha, "repo": repository},
        "base": {"ref": issue.pull.base_ref, "sha": issue.pull.base_sha, "repo": repository},
    }
