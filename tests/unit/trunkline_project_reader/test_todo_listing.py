"""Which to-dos a filter of ours lets through."""

from datetime import date

import pytest

from trunkline_project_reader.basecamp.todos import SentTodo
from trunkline_project_reader.todo_listing import TodoQuery

MINE = 7


def todo(due_on: str | None, *assignees: int | None) -> SentTodo:
    """Return a to-do as Basecamp sends it."""
    people = [None if one is None else {"id": one, "name": "x"} for one in assignees]
    return SentTodo.model_validate({
        "id": 1,
        "bucket": {"id": 2},
        "due_on": due_on,
        "assignees": people,
    })


def query(*, assignee_id: int = 0, due_before: date | None = None) -> TodoQuery:
    """Return a query with these filters."""
    return TodoQuery(project_id=2, todolist_id=3, assignee_id=assignee_id, due_before=due_before)


@pytest.mark.parametrize(
    ("wanted", "sent", "passes"),
    [
        (query(), todo(None), True),
        (query(assignee_id=MINE), todo(None, 3, None, MINE), True),
        (query(assignee_id=MINE), todo(None, 3), False),
        (query(assignee_id=MINE), todo(None), False),
        (query(due_before=date(2026, 1, 2)), todo("2026-01-01"), True),
        (query(due_before=date(2026, 1, 2)), todo("2026-01-02"), False),
        (query(due_before=date(2026, 1, 2)), todo(None), False),
        (query(due_before=date(2026, 1, 2)), todo(""), False),
        (query(assignee_id=MINE, due_before=date(2026, 1, 2)), todo("2026-01-01", MINE), True),
        (query(assignee_id=MINE, due_before=date(2026, 1, 2)), todo("2026-01-01", 3), False),
    ],
)
def test_a_to_do_passes_every_filter_or_none(
    wanted: TodoQuery, sent: SentTodo, *, passes: bool
) -> None:
    """One that is never due is due before no day."""
    assert wanted.lets_through(sent) is passes
    assert wanted.is_filtered is (wanted != query())
