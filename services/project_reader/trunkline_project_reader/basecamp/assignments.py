"""What the token's person is to do, as Basecamp sends it (bc3-api, sections/my_assignments.md).

These lists have no pages: each answer is all of it.
"""

from typing import Annotated, Literal

from trunkline_project_reader.basecamp.models import (
    Count,
    OrNothing,
    Sent,
    SentBucket,
    SentParent,
    Truth,
    Words,
)
from trunkline_project_reader.basecamp.reading import get, one
from trunkline_project_reader.basecamp.todos import Day, People
from trunkline_shared.exchange import Endpoint, Response
from trunkline_shared.vendor.page import Page

Scope = Literal[
    "all",
    "overdue",
    "due_today",
    "due_tomorrow",
    "due_later_this_week",
    "due_next_week",
    "due_later",
    "completed",
]

_ALL = "/my/assignments.json"
_DUE = "/my/assignments/due.json"
_COMPLETED = "/my/assignments/completed.json"


class SentAssignment(Sent):
    """Something to do; the steps of a card are its children.

    `priority_recording_id` is there when it was put before the others.
    """

    id: int
    content: Words = ""
    type: Words = ""
    app_url: Words = ""
    starts_on: Day = None
    due_on: Day = None
    bucket: SentBucket | None = None
    completed: Truth = False
    assignees: People = ()
    comments_count: Count = 0
    priority_recording_id: int | None = None
    parent: SentParent | None = None
    children: Annotated[tuple["SentAssignment", ...], OrNothing] = ()


class SentAssignments(Sent):
    """What is to be done: what comes first, and the rest."""

    priorities: Annotated[tuple[SentAssignment, ...], OrNothing] = ()
    non_priorities: Annotated[tuple[SentAssignment, ...], OrNothing] = ()


_read_all = one(SentAssignments)
_read_some = one(tuple[SentAssignment, ...])


def _page_of_all(response: Response) -> Page[SentAssignment]:
    found = _read_all(response)
    items = (*found.priorities, *found.non_priorities)
    return Page(items=items, total_count=len(items))


def _page(response: Response) -> Page[SentAssignment]:
    items = _read_some(response)
    return Page(items=items, total_count=len(items))


def assignments(scope: Scope) -> Endpoint[Page[SentAssignment]]:
    """List what is to be done, all in one page; what comes first stands first."""
    match scope:
        case "all":
            return get(_ALL, _page_of_all)
        case "completed":
            return get(_COMPLETED, _page)
        case _:
            return get(_DUE, _page, (("scope", scope),))
