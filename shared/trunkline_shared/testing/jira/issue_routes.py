"""Reading issues, their comments, and the list of fields."""

from collections.abc import Sequence

from trunkline_shared.testing.jira.access import Access
from trunkline_shared.testing.jira.answers import no_issue, refused
from trunkline_shared.testing.jira.browsing import find_issue, visible
from trunkline_shared.testing.jira.issues import Comment, Issue
from trunkline_shared.testing.jira.paging import page_of
from trunkline_shared.testing.jira.payloads import (
    SYSTEM_NAMES,
    comment_payload,
    issue_payload,
    names_payload,
)
from trunkline_shared.testing.jira.state import State
from trunkline_shared.testing.stand_in.call import Answer, Call, Route

_COMMENT_PAGE = {"cloud": 100, "data_center": 1000}
_ORDERS = ("created", "+created", "-created")


def issue_at(state: State, call: Call) -> Issue:
    """Return the issue that the path names. Raises Refusal when the asker may not see it."""
    issue = find_issue(state, call.path["key"])
    if issue is None or not visible(issue.project, Access(state).asker(call)):
        raise no_issue(state.flavour)
    return issue


def issue_routes(state: State) -> list[Route]:
    """Return the routes of this module."""

    def get_issue(call: Call) -> Answer:
        issue = issue_at(state, call)
        payload = issue_payload(state, issue, wanted_fields(call.query.get("fields", "")))
        if "names" in call.query.get("expand", "").split(","):
            payload["names"] = names_payload(state, payload["fields"])
        return Answer(json=payload)

    def list_comments(call: Call) -> Answer:
        issue = issue_at(state, call)
        ordered = _ordered(issue.comments, call.query.get("orderBy", ""))
        page, start, length = page_of(call, ordered, _COMMENT_PAGE[state.flavour])
        return Answer(
            json={
                "startAt": start,
                "maxResults": length,
                "total": len(issue.comments),
                "comments": [comment_payload(state, issue, one) for one in page],
            }
        )

    def list_fields(_: Call) -> Answer:
        system = ["summary", "description", "status", "assignee", "labels", *SYSTEM_NAMES]
        known = [(name, SYSTEM_NAMES.get(name, name.capitalize()), False) for name in system]
        known += [(one.id, one.name, True) for one in state.fields.values()]
        return Answer(json=[{"id": i, "name": name, "custom": own} for i, name, own in known])

    return [
        Route(method="GET", path=f"{state.api}/issue/{{key}}", handle=get_issue),
        Route(method="GET", path=f"{state.api}/issue/{{key}}/comment", handle=list_comments),
        Route(method="GET", path=f"{state.api}/field", handle=list_fields),
    ]


def wanted_fields(asked: str) -> frozenset[str] | None:
    """Return the fields that a comma list names; None for all of them."""
    names = frozenset(name.strip() for name in asked.split(",") if name.strip())
    return None if not names or "*all" in names else names


def _ordered(comments: Sequence[Comment], order: str) -> list[Comment]:
    if order and order not in _ORDERS:
        raise refused(400, [f"The value '{order}' is not a valid order."])
    return sorted(comments, key=lambda one: one.created, reverse=order.startswith("-"))
