"""The list of a repository's issues, pull requests among them."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime

from trunkline_shared.testing.github.access import repository_of, require_read
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.conversation import Issue
from trunkline_shared.testing.github.paging import page_of
from trunkline_shared.testing.github.payloads.issues import issue
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.repositories import REPOSITORY

LIST = REPOSITORY + "/issues"
Matches = Callable[[Issue], bool]


def list_issues(call: Call) -> Answer:
    """Return a page of the issues and pull requests that match, newest first unless asked."""
    home = repository_of(call)
    require_read(call, home)
    if not home.has_issues:
        raise Refusal(410, "Issues are disabled for this repo")
    wanted = list(_filters(call))
    found = [one for one in visible(call, home) if all(matches(one) for matches in wanted)]
    found.sort(
        key=_SORTS[call.query.get("sort", "created")],
        reverse=call.query.get("direction", "desc") == "desc",
    )
    shown, links = page_of(call, found, f"{call.urls.permanent(home)}/issues")
    return Answer(json=[issue(one, home, call.urls) for one in shown], headers=links)


def visible(call: Call, home: Repository) -> list[Issue]:
    """Return what is there, but for the newest that a lagging replica has not heard of."""
    there = [one for one in home.issues.values() if not one.deleted and one.transferred_to is None]
    return there[: len(there) - call.lag]


def _filters(call: Call) -> Iterator[Matches]:
    given = call.query
    state = given.get("state", "open")
    yield lambda one: state in {"all", one.state}
    for name in filter(None, given.get("labels", "").split(",")):
        yield _labelled(name)
    if "creator" in given:
        yield lambda one: one.author is not None and _same(one.author.login, given["creator"])
    if "since" in given:
        since = datetime.fromisoformat(given["since"])
        yield lambda one: one.updated_at >= since
    if "type" in given:
        yield lambda one: _same(one.type or "none", given["type"]) or given["type"] == "*"
    if "assignee" in given:
        yield _assigned(call, given["assignee"])
    if "milestone" in given:
        yield _in_milestone(given)


def _same(one: str, other: str) -> bool:
    return one.lower() == other.lower()


def _labelled(name: str) -> Matches:
    return lambda one: any(_same(label.name, name.strip()) for label in one.labels)


def _assigned(call: Call, login: str) -> Matches:
    if login == "none":
        return lambda one: not one.assignees
    if login == "*":
        return lambda one: bool(one.assignees)
    if login.lower() not in call.state.users:
        raise _invalid("assignee")
    return lambda one: any(_same(user.login, login) for user in one.assignees)


def _in_milestone(given: Mapping[str, str]) -> Matches:
    wanted = given["milestone"]
    if wanted == "none":
        return lambda one: one.milestone is None
    if wanted == "*":
        return lambda one: one.milestone is not None
    if not wanted.isdecimal():
        raise _invalid("milestone")
    return lambda one: one.milestone is not None and one.milestone.number == int(wanted)


def _invalid(field: str) -> Refusal:
    error = {"resource": "Issue", "field": field, "code": "invalid"}
    return Refusal(422, "Validation Failed", errors=[error])


_SORTS: Mapping[str, Callable[[Issue], tuple[float, int]]] = {
    "created": lambda one: (one.created_at.timestamp(), one.number),
    "updated": lambda one: (one.updated_at.timestamp(), one.number),
    "comments": lambda one: (len(one.comments), one.number),
}
ROUTES = (Route(method="GET", path=LIST, handle=list_issues),)
