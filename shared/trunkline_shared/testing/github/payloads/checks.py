"""Check runs, annotations and commit statuses as GitHub shows them."""

from collections.abc import Sequence

from trunkline_shared.testing.github.check_runs import Annotation, CheckRun, CommitStatus
from trunkline_shared.testing.github.payloads.repositories import minimal_repository
from trunkline_shared.testing.github.payloads.users import app, moment, node_id
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.urls import Urls


def check_run(of: CheckRun, home: Repository, urls: Urls) -> dict[str, object]:
    """Return a check run."""
    url = f"{urls.repository(home)}/check-runs/{of.id}"
    page = f"{urls.web}/{home.full_name}/runs/{of.id}"
    return {
        "id": of.id,
        "node_id": node_id("CR", of.id),
        "name": of.name,
        "head_sha": of.suite.head_sha,
        "external_id": "",
        "status": of.status,
        "conclusion": of.conclusion,
        "started_at": moment(of.started_at),
        "completed_at": moment(of.completed_at),
        "url": url,
        "html_url": page,
        "details_url": page,
        "check_suite": {"id": of.suite.id},
        "app": app(of.suite.app, urls),
        "pull_requests": [],
        "output": {
            "title": of.title,
            "summary": of.summary,
            "text": None,
            "annotations_count": len(of.annotations),
            "annotations_url": f"{url}/annotations",
        },
    }


def annotation(of: Annotation, home: Repository, urls: Urls) -> dict[str, object]:
    """Return a remark of a check."""
    return {
        "path": of.path,
        "blob_href": f"{urls.repository(home)}/git/blobs/0",
        "start_line": of.start_line,
        "end_line": of.end_line,
        "start_column": None,
        "end_column": None,
        "annotation_level": of.level,
        "title": of.title,
        "message": of.message,
        "raw_details": None,
    }


def commit_status(of: CommitStatus, home: Repository, urls: Urls) -> dict[str, object]:
    """Return one status of a commit, in the form of the combined status."""
    return {
        "id": of.id,
        "node_id": node_id("SC", of.id),
        "url": f"{urls.repository(home)}/statuses/{of.head_sha}",
        "avatar_url": None,
        "state": of.state,
        "context": of.context,
        "description": of.description,
        "target_url": None,
        "created_at": moment(of.at),
        "updated_at": moment(of.at),
    }


def combined_status(
    shown: Sequence[CommitStatus],
    every: Sequence[CommitStatus],
    head_sha: str,
    home: Repository,
    urls: Urls,
) -> dict[str, object]:
    """Return a page of the newest status per context; nothing at all counts as pending."""
    states = {one.state for one in every}
    failed = bool(states & {"failure", "error"})
    state = "failure" if failed else "pending" if "pending" in states or not states else "success"
    commit = f"{urls.repository(home)}/commits/{head_sha}"
    return {
        "state": state,
        "sha": head_sha,
        "total_count": len(every),
        "statuses": [commit_status(one, home, urls) for one in shown],
        "repository": minimal_repository(home, urls),
        "commit_url": commit,
        "url": f"{commit}/status",
    }
