"""Labels of a repository and of its issues."""

from trunkline_shared.testing.github.access import (
    at_least,
    issue_of,
    repository_of,
    require_read,
    require_write,
)
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.conversation import Issue
from trunkline_shared.testing.github.paging import page_of
from trunkline_shared.testing.github.payloads.tracking import label
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.repositories import REPOSITORY
from trunkline_shared.testing.github.tracking import Label

OF_REPOSITORY = REPOSITORY + "/labels"
OF_ISSUE = REPOSITORY + "/issues/{issue_number}/labels"
LONGEST_NAME, MOST = 50, 100


def list_labels(call: Call) -> Answer:
    """Return a page of the repository's labels."""
    home = repository_of(call)
    require_read(call, home)
    shown, links = page_of(
        call, list(home.tracker.labels.values()), f"{call.urls.permanent(home)}/labels"
    )
    return Answer(json=[label(one, home, call.urls) for one in shown], headers=links)


def list_labels_of_issue(call: Call) -> Answer:
    """Return the labels of an issue."""
    home = repository_of(call)
    require_read(call, home)
    found = issue_of(call, home)
    address = f"{call.urls.permanent(home)}/issues/{found.number}/labels"
    shown, links = page_of(call, found.labels, address)
    return Answer(json=[label(one, home, call.urls) for one in shown], headers=links)


def add_labels(call: Call) -> Answer:
    """Add labels to an issue, and make those that the repository lacks."""
    home, found = _sortable(call)
    for one in labels_named(call, home, call.body.get("labels")):
        if one not in found.labels:
            found.labels.append(one)
    found.updated_at = call.state.ledger.now()
    return _of(call, home, found)


def remove_label(call: Call) -> Answer:
    """Take a label off an issue."""
    home, found = _sortable(call)
    wanted = call.path["name"].lower()
    there = next((one for one in found.labels if one.name.lower() == wanted), None)
    if there is None:
        raise Refusal(404, "Label does not exist")
    found.labels.remove(there)
    found.updated_at = call.state.ledger.now()
    return _of(call, home, found)


def labels_named(call: Call, home: Repository, given: object) -> list[Label]:
    """Return the labels of these names; unknown ones are made, grey, by those who may write."""
    named: list[Label] = []
    for name in _names(given):
        known = home.tracker.label(name)
        if known is None and not at_least(call, home, "write"):
            raise Refusal(403, "You do not have permission to create labels on this repository.")
        one = known or home.tracker.add_label(name)
        if one not in named:
            named.append(one)
    return named


def _names(given: object) -> list[str]:
    names = [_name(one) for one in given] if isinstance(given, list) else []
    if any(not name.strip() or len(name) > LONGEST_NAME for name in names) or len(names) > MOST:
        error = {"resource": "Label", "field": "name", "code": "invalid"}
        raise Refusal(422, "Validation Failed", errors=[error])
    return names


def _name(given: object) -> str:
    return str(given.get("name", "")) if isinstance(given, dict) else str(given)


def _sortable(call: Call) -> tuple[Repository, Issue]:
    home = repository_of(call)
    require_write(call, home)
    found = issue_of(call, home)
    if not at_least(call, home, "triage"):
        raise Refusal(403, "Must have admin rights to Repository.")
    return home, found


def _of(call: Call, home: Repository, issue: Issue) -> Answer:
    return Answer(json=[label(one, home, call.urls) for one in issue.labels])


ROUTES = (
    Route(method="GET", path=OF_REPOSITORY, handle=list_labels),
    Route(method="GET", path=OF_ISSUE, handle=list_labels_of_issue),
    Route(method="POST", path=OF_ISSUE, handle=add_labels),
    Route(method="DELETE", path=OF_ISSUE + "/{name}", handle=remove_label),
)
