"""What the tools about activity in projects return."""

from datetime import date, datetime

from pydantic import Field

from trunkline_project_reader.message_models import CommentEntry
from trunkline_project_reader.results import Author, ListResult
from trunkline_project_reader.todo_models import Named
from trunkline_shared.listing import Entry


class Comments(ListResult):
    """A part of the comments on a recording, oldest first."""

    recording_id: int
    items: list[CommentEntry]


class RecordingEntry(Entry):
    """A recording of any type; `excerpt` is how its text begins, `parent` what it hangs on.

    Only what can be done has a `completed`.
    """

    id: int = 0
    type: str = ""
    title: str = ""
    status: str = ""
    project: Named | None = None
    parent: Named | None = None
    author: Author | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    url: str = ""
    excerpt: str = ""
    completed: bool | None = None
    due_on: date | None = None
    comments_count: int = 0


class Recordings(ListResult):
    """A part of the recordings of a type."""

    items: list[RecordingEntry]


class ScheduleEntry(Entry):
    """An entry of a schedule; one that takes all day begins and ends on dates.

    `frequency` says how one recurs; `description` is Markdown.
    """

    id: int = 0
    summary: str = ""
    description: str = ""
    starts_at: datetime | date | None = None
    ends_at: datetime | date | None = None
    all_day: bool = False
    participants: list[Author] = Field(default_factory=list)
    frequency: str | None = None
    author: Author | None = None
    url: str = ""
    comments_count: int = 0


class ScheduleEntries(ListResult):
    """A part of a schedule, by its id."""

    schedule_id: int
    items: list[ScheduleEntry]
