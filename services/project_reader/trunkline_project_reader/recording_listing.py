"""Listing the recordings of a type, in all projects or in some."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_project_reader.activity_models import RecordingEntry, Recordings
from trunkline_project_reader.basecamp.belonging import all_within, bound_project, require_project
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.listing import Extent, Listing
from trunkline_project_reader.basecamp.models import SentBucket, SentParent
from trunkline_project_reader.basecamp.recordings import (
    RecordingType,
    SentGenericRecording,
    recordings,
)
from trunkline_project_reader.basecamp.todos import Query
from trunkline_project_reader.bodies import RichText, bodies_of, form_in
from trunkline_project_reader.message_reading import Direction, Sort
from trunkline_project_reader.results import author_of, ending
from trunkline_project_reader.todo_models import Named
from trunkline_project_reader.todolist_listing import Status
from trunkline_shared.listing import choose

_DONE_OR_NOT = {"Todo", "Todolist", "Kanban::Card", "Kanban::Step"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingQuery:
    """Which recordings to list, and in which order; no `projects` are all active ones."""

    type: RecordingType
    projects: tuple[int, ...] = ()
    status: Status = "active"
    sort: Sort = "created_at"
    direction: Direction = "desc"

    @property
    def parameters(self) -> Query:
        """The query as Basecamp reads it; all of it is Basecamp's own to filter."""
        projects = ",".join(map(str, self.projects))
        return (
            ("type", self.type),
            *((("bucket", projects),) if projects else ()),
            ("status", self.status),
            ("sort", self.sort),
            ("direction", self.direction),
        )


def within_reach(projects: Sequence[int]) -> tuple[int, ...]:
    """Return the projects to look into: in a context that is bound to one, that one alone.

    Raises BlockedByPolicy when another one is named.
    """
    for project_id in projects:
        require_project(project_id)
    alone = bound_project()
    return tuple(projects) if alone is None else (alone,)


async def browse(
    basecamp: Basecamp, query: RecordingQuery, extent: Extent, fields: Sequence[str]
) -> Recordings:
    """Return a part of the recordings.

    Raises InvalidInput for an unknown field before anything is asked, else a TrunklineError.
    """
    choose((), fields, RecordingEntry)
    listing = Listing(endpoints=(recordings(query.parameters),), question=("recordings", query))
    listed = await basecamp.listed(listing, extent)
    alone = bound_project()
    if alone is not None:
        all_within(listed.items, alone)
    texts = (RichText(html=one.text) for one in listed.items)
    excerpts = await bodies_of(texts, form_in(fields, "excerpt", "excerpt"))
    items = [_entry(one, body.markdown) for one, body in zip(listed.items, excerpts, strict=True)]
    return Recordings(items=choose(items, fields, RecordingEntry), **ending(listed))


def _entry(one: SentGenericRecording, excerpt: str) -> RecordingEntry:
    return RecordingEntry(
        id=one.id,
        type=one.type,
        title=one.title,
        status=one.status,
        project=named_bucket(one.bucket),
        parent=named_parent(one.parent),
        author=author_of(one.creator),
        created_at=one.created_at,
        updated_at=one.updated_at,
        url=one.app_url,
        excerpt=excerpt,
        completed=one.completed if one.type in _DONE_OR_NOT else None,
        due_on=one.due_on,
        comments_count=one.comments_count,
    )


def named_bucket(bucket: SentBucket | None) -> Named | None:
    """Return what a recording lies in as an agent sees it."""
    return Named(id=bucket.id, name=bucket.name) if bucket else None


def named_parent(parent: SentParent | None) -> Named | None:
    """Return what a recording hangs on as an agent sees it."""
    return Named(id=parent.id, name=parent.title) if parent else None
