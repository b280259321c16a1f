"""To-do lists, to-dos and steps as Basecamp shows them."""

from collections.abc import Sequence

from trunkline_shared.testing.basecamp.account import Account
from trunkline_shared.testing.basecamp.payloads.moments import local_moment
from trunkline_shared.testing.basecamp.payloads.people import person
from trunkline_shared.testing.basecamp.payloads.recordings import attachment, commented, recording
from trunkline_shared.testing.basecamp.recordings import Recording
from trunkline_shared.testing.basecamp.todos import Step, Todo, Todolist
from trunkline_shared.testing.basecamp.urls import Urls


def todolist(of: Todolist, account: Account, urls: Urls) -> dict[str, object]:
    """Return a list; a group of one has a place in it instead of groups."""
    done, total = _progress(of, account)
    inner = "group_position" if of.is_group else "groups"
    return {
        **commented(of, urls),
        "position": _position(of, account),
        "description": of.description,
        "description_attachments": [],
        "completed": total > 0 and done == total,
        "completed_ratio": f"{done}/{total}",
        "name": of.name,
        "color": of.color,
        f"{inner}_url": urls.to(f"/todolists/{of.id}/{inner}.json"),
        "todos_url": urls.to(f"/todolists/{of.id}/todos.json"),
        "app_todos_url": urls.on_web(f"/buckets/{of.project.id}/todolists/{of.id}/todos"),
    }


def todo(of: Todo, account: Account, urls: Urls) -> dict[str, object]:
    """Return a to-do; a completed one has a completion and no position."""
    return {
        **commented(of, urls),
        "description": of.description,
        "description_attachments": [attachment(one, urls) for one in of.attachments],
        "completed": of.completed,
        **_place_or_completion(of, account, urls),
        "content": of.content,
        "starts_on": of.starts_on.isoformat() if of.starts_on else None,
        "due_on": of.due_on.isoformat() if of.due_on else None,
        "assignees": [person(one, urls) for one in of.assignees],
        "completion_subscribers": [person(one, urls) for one in of.subscribers],
        "completion_url": urls.to(f"/todos/{of.id}/completion.json"),
        "subtasks_count": len(of.steps),
        "subtasks_completed_count": sum(step.completed_at is not None for step in of.steps),
        "subtasks_url": urls.to(f"/recordings/{of.id}/subtasks.json"),
    }


def step(of: Step, siblings: Sequence[Step], urls: Urls) -> dict[str, object]:
    """Return a step of a to-do."""
    return {
        **recording(of, urls),
        "position": siblings.index(of) + 1,
        "completed": of.completed_at is not None,
        "due_on": of.due_on.isoformat() if of.due_on else None,
        "assignees": [person(one, urls) for one in of.assignees],
        "completion_url": urls.to(f"/subtasks/{of.id}/completion.json"),
    }


def _place_or_completion(of: Todo, account: Account, urls: Urls) -> dict[str, object]:
    if of.completed_at is None:
        return {"position": _position(of, account)}
    done = {"created_at": local_moment(of.completed_at), "creator": person(of.completer, urls)}
    return {"completion": done}


def _position(of: Recording, account: Account) -> int:
    siblings = [one for one in account.of_kind(type(of)) if one.parent is of.parent]
    return siblings.index(of) + 1


def _progress(of: Todolist, account: Account) -> tuple[int, int]:
    """Return how many of a list's to-dos are done, those of its groups included."""
    lists = {of, *(one for one in account.of_kind(Todolist) if one.parent is of)}
    todos = [one for one in account.of_kind(Todo) if one.parent in lists and one.status == "active"]
    return sum(one.completed for one in todos), len(todos)
