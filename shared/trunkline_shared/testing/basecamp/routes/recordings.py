"""Recordings of a type, in all projects or in some (bc3-api, sections/recordings.md)."""

from trunkline_shared.testing.basecamp.access import NOT_FOUND, recording_named, sees
from trunkline_shared.testing.basecamp.asked import Asked, Shown
from trunkline_shared.testing.basecamp.paging import paged
from trunkline_shared.testing.basecamp.payloads.anything import anything
from trunkline_shared.testing.basecamp.recordings import Recording
from trunkline_shared.testing.basecamp.routes.comments import list_comments
from trunkline_shared.testing.stand_in.call import Answer, Refusal

TYPES = {"Comment", "Document", "Message", "Schedule::Entry", "Todo", "Todolist", "Upload", "Vault"}


def list_recordings(asked: Asked) -> Answer:
    """Return a page of the recordings of a type, newest first unless asked otherwise."""
    kind = asked.query.get("type", "")
    if kind not in TYPES:
        raise Refusal(Answer(status=400, json={"error": f"Invalid type {kind!r}"}))
    status = asked.query.get("status", "active")
    found = [one for one in _in_reach(asked) if (one.type, one.status) == (kind, status)]
    by_change = asked.query.get("sort") == "updated_at"
    found.sort(
        key=lambda one: one.updated_at if by_change else one.created_at,
        reverse=asked.query.get("direction") != "asc",
    )
    return paged(asked, found, lambda one: anything(one, asked.account, asked.urls))


def list_comments_in_project(asked: Asked) -> Answer:
    """Return a page of a recording's comments, if it lies in the project of the path."""
    recording = recording_named(asked, Recording, "recording_id")
    if recording.project.id != asked.number("project_id"):
        raise Refusal(NOT_FOUND)
    return list_comments(asked)


def _in_reach(asked: Asked) -> list[Recording]:
    named = asked.query.get("bucket", "")
    projects = {int(one) for one in named.split(",") if one}
    return [
        one
        for one in asked.account.recordings.values()
        if sees(asked, one)
        and (one.project.id in projects if projects else one.project.status == "active")
    ]


SHOWN = (
    Shown(path="/projects/recordings.json", show=list_recordings),
    Shown(
        path="/buckets/{project_id}/recordings/{recording_id}/comments.json",
        show=list_comments_in_project,
    ),
)
