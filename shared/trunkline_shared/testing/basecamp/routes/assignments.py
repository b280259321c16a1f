"""What one is to do oneself (bc3-api, sections/my_assignments.md); these lists have no pages."""

from collections.abc import Callable
from datetime import date, timedelta

from trunkline_shared.testing.basecamp.asked import Asked, Shown
from trunkline_shared.testing.basecamp.todos import Todo
from trunkline_shared.testing.stand_in.call import Answer, Refusal

_DAY = timedelta(days=1)
SCOPES: dict[str, Callable[[date, date], bool]] = {
    "overdue": lambda due, today: due < today,
    "due_today": lambda due, today: due == today,
    "due_tomorrow": lambda due, today: due == today + _DAY,
    "due_later_this_week": lambda due, today: today + _DAY < due <= _week_end(today),
    "due_next_week": lambda due, today: _week_end(today) < due <= _week_end(today) + 7 * _DAY,
    "due_later": lambda due, today: due > _week_end(today) + 7 * _DAY,
}


def list_assignments(asked: Asked) -> Answer:
    """Return what is to be done, what comes first apart from the rest."""
    open_ones = [one for one in _mine(asked) if not one.completed]
    first = [one for one in open_ones if one.up_next]
    rest = [one for one in open_ones if not one.up_next]
    return Answer(
        json={
            "priorities": [
                {**_assignment(asked, one), "priority_recording_id": one.id} for one in first
            ],
            "non_priorities": [_assignment(asked, one) for one in rest],
        }
    )


def list_completed(asked: Asked) -> Answer:
    """Return what is done."""
    return Answer(json=[_assignment(asked, one) for one in _mine(asked) if one.completed])


def list_due(asked: Asked) -> Answer:
    """Return what is due in a time: what is overdue unless another scope is asked for."""
    scope = asked.query.get("scope", "overdue")
    if scope not in SCOPES:
        said = f"Invalid scope '{scope}'. Valid options: {', '.join(SCOPES)}"
        raise Refusal(Answer(status=400, json={"error": said}))
    today = asked.account.times.now().date()
    due = [one for one in _mine(asked) if one.due_on and SCOPES[scope](one.due_on, today)]
    return Answer(json=[_assignment(asked, one) for one in due if not one.completed])


def _mine(asked: Asked) -> list[Todo]:
    return [
        one
        for one in asked.account.of_kind(Todo)
        if asked.person in one.assignees and one.status == "active"
    ]


def _assignment(asked: Asked, of: Todo) -> dict[str, object]:
    assert of.parent is not None
    project = of.project
    at = asked.urls.on_web(f"/buckets/{project.id}")
    return {
        "id": of.id,
        "app_url": asked.urls.page_of(of),
        "content": of.content,
        "starts_on": of.starts_on.isoformat() if of.starts_on else None,
        "due_on": of.due_on.isoformat() if of.due_on else None,
        "bucket": {"id": project.id, "name": project.name, "app_url": at},
        "completed": of.completed,
        "type": "todo",
        "assignees": [
            {"id": one.id, "name": one.name, "avatar_url": asked.urls.on_web(f"/people/{one.id}")}
            for one in of.assignees
        ],
        "comments_count": len(of.comments),
        "has_description": bool(of.description),
        "parent": {
            "id": of.parent.id,
            "title": of.parent.title,
            "app_url": asked.urls.page_of(of.parent),
        },
        "children": [],
    }


def _week_end(today: date) -> date:
    return today + (6 - today.weekday()) * _DAY


SHOWN = (
    Shown(path="/my/assignments.json", show=list_assignments),
    Shown(path="/my/assignments/completed.json", show=list_completed),
    Shown(path="/my/assignments/due.json", show=list_due),
)
