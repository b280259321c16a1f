"""Commits: one, the combined status of one, and those of a pull request."""

from datetime import datetime

from trunkline_shared.testing.github.access import Area, repository_of, require_read
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.check_runs import CommitStatus
from trunkline_shared.testing.github.commits import commit_named
from trunkline_shared.testing.github.paging import page_of
from trunkline_shared.testing.github.payloads.checks import combined_status
from trunkline_shared.testing.github.payloads.users import moment, node_id, simple_user
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.pulls import pull_of
from trunkline_shared.testing.github.routes.repositories import REPOSITORY
from trunkline_shared.testing.github.urls import Urls

ONE = REPOSITORY + "/commits/{ref}"
OF_PULL = REPOSITORY + "/pulls/{pull_number}/commits"
STATUSES: tuple[Area, ...] = ("statuses",)
CONTENTS: tuple[Area, ...] = ("contents",)
PULLS: tuple[Area, ...] = ("pull_requests",)
MOST_OF_PULL = 250


def commit_of(call: Call, home: Repository) -> str:
    """Return the SHA that the path's reference names, or refuse as GitHub does."""
    sha = commit_named(home, call.path["ref"])
    if sha is None:
        raise Refusal(422, f"No commit found for SHA: {call.path['ref']}")
    return sha


def get_commit(call: Call) -> Answer:
    """Return one commit, without its files."""
    home = repository_of(call)
    require_read(call, home, CONTENTS)
    return Answer(json=_commit(commit_of(call, home), home, call.urls))


def list_commits_of_pull(call: Call) -> Answer:
    """Return a page of a pull request's commits; the list ends at 250."""
    home = repository_of(call)
    require_read(call, home, PULLS)
    found, pull = pull_of(call, home)
    address = f"{call.urls.permanent(home)}/pulls/{found.number}/commits"
    shown, links = page_of(call, pull.commits[:MOST_OF_PULL], address)
    return Answer(json=[_commit(sha, home, call.urls) for sha in shown], headers=links)


def get_combined_status(call: Call) -> Answer:
    """Return the newest status of each context, and what they come to."""
    home = repository_of(call)
    require_read(call, home, STATUSES)
    sha = commit_of(call, home)
    newest: dict[str, CommitStatus] = {}
    for status in home.ci.statuses:
        if status.head_sha == sha:
            newest[status.context] = status
    every = list(newest.values())
    address = f"{call.urls.permanent(home)}/commits/{sha}/status"
    shown, links = page_of(call, every, address)
    return Answer(json=combined_status(shown, every, sha, home, call.urls), headers=links)


def _commit(sha: str, home: Repository, urls: Urls) -> dict[str, object]:
    url = f"{urls.repository(home)}/commits/{sha}"
    at: datetime = home.ci.commits.get(sha, home.created_at)
    person = {"name": "Somebody", "email": "somebody@example.com", "date": moment(at)}
    return {
        "sha": sha,
        "node_id": node_id("C", 0),
        "url": url,
        "html_url": f"{urls.web}/{home.full_name}/commit/{sha}",
        "comments_url": f"{url}/comments",
        "author": simple_user(home.owner, urls),
        "committer": simple_user(home.owner, urls),
        "parents": [],
        "commit": {
            "url": f"{urls.repository(home)}/git/commits/{sha}",
            "author": person,
            "committer": person,
            "message": "Change",
            "comment_count": 0,
            "tree": {"sha": sha, "url": f"{urls.repository(home)}/git/trees/{sha}"},
        },
        "stats": {"additions": 0, "deletions": 0, "total": 0},
        "files": [],
    }


ROUTES = (
    Route(method="GET", path=ONE, handle=get_commit),
    Route(method="GET", path=ONE + "/status", handle=get_combined_status),
    Route(method="GET", path=OF_PULL, handle=list_commits_of_pull),
)
