"""Listing pull requests, with GitHub's filters."""

from trunkline_shared.testing.github.access import repository_of, require_read
from trunkline_shared.testing.github.call import Answer, Call, Route
from trunkline_shared.testing.github.conversation import Issue, Pull
from trunkline_shared.testing.github.paging import page_of
from trunkline_shared.testing.github.payloads.issues import listed_pull
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.repositories import REPOSITORY

LIST = REPOSITORY + "/pulls"


def list_pulls(call: Call) -> Answer:
    """Return a page of the pull requests; a `head` without its owner filters nothing."""
    home = repository_of(call)
    require_read(call, home, ("pull_requests",))
    found = [
        (one, one.pull)
        for one in home.issues.values()
        if one.pull is not None and _matches(call, home, one, one.pull)
    ]
    found = found[: len(found) - call.lag]
    newest = call.query.get("sort", "created") == "created"
    descending = call.query.get("direction", "desc" if newest else "asc") == "desc"
    found.sort(key=lambda each: _rank(call, each[0]), reverse=descending)
    shown, links = page_of(call, found, f"{call.urls.permanent(home)}/pulls")
    return Answer(
        json=[listed_pull(one, pull, home, call.urls) for one, pull in shown], headers=links
    )


def head_label(home: Repository, pull: Pull) -> str:
    """Return the head with its owner, as GitHub compares it."""
    return f"{(pull.head_owner or home.owner).login}:{pull.head_ref}"


def _matches(call: Call, home: Repository, issue: Issue, pull: Pull) -> bool:
    state, head = call.query.get("state", "open"), call.query.get("head", "")
    return (
        state in {"all", issue.state}
        and call.query.get("base", pull.base_ref) == pull.base_ref
        and (":" not in head or head.lower() == head_label(home, pull).lower())
    )


def _rank(call: Call, issue: Issue) -> tuple[float, int]:
    match call.query.get("sort"):
        case "updated":
            rank = issue.updated_at.timestamp()
        case "popularity":
            rank = len(issue.comments)
        case _:
            rank = issue.created_at.timestamp()
    return rank, issue.number


ROUTES = (Route(method="GET", path=LIST, handle=list_pulls),)
