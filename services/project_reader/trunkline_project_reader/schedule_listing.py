"""Listing the entries of a project's schedule."""

from collections.abc import Sequence

from trunkline_project_reader.activity_models import ScheduleEntries, ScheduleEntry
from trunkline_project_reader.basecamp.belonging import all_within
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.dock import SCHEDULE
from trunkline_project_reader.basecamp.listing import Extent, Listing
from trunkline_project_reader.basecamp.projects import dock_tool
from trunkline_project_reader.basecamp.schedule import SentScheduleEntry, entries
from trunkline_project_reader.bodies import RichText, bodies_of, form_in
from trunkline_project_reader.results import author_of, authors_of, ending
from trunkline_project_reader.todolist_listing import Status
from trunkline_shared.listing import choose


async def browse(
    basecamp: Basecamp,
    where: tuple[int, int],
    status: Status,
    extent: Extent,
    fields: Sequence[str],
) -> ScheduleEntries:
    """Return a part of a schedule; `where` is the project and the schedule, 0 for its dock's.

    Raises InvalidInput for an unknown field before anything is asked, ToolNotEnabled for a project
    without a schedule, else a TrunklineError.
    """
    choose((), fields, ScheduleEntry)
    project_id, schedule_id = where
    schedule = await dock_tool(basecamp, project_id, SCHEDULE, schedule_id)
    listing = Listing(
        endpoints=(entries(schedule.id, status),), question=("schedule", schedule.id, status)
    )
    listed = await basecamp.listed(listing, extent)
    all_within(listed.items, project_id)
    texts = (
        RichText(html=one.description, attachments=one.description_attachments)
        for one in listed.items
    )
    bodies = await bodies_of(texts, form_in(fields, "description"))
    items = [_entry(one, body.markdown) for one, body in zip(listed.items, bodies, strict=True)]
    return ScheduleEntries(
        schedule_id=schedule.id, items=choose(items, fields, ScheduleEntry), **ending(listed)
    )


def _entry(one: SentScheduleEntry, description: str) -> ScheduleEntry:
    recurrence = one.recurrence_schedule
    return ScheduleEntry(
        id=one.id,
        summary=one.summary or one.title,
        description=description,
        starts_at=one.starts_at,
        ends_at=one.ends_at,
        all_day=one.all_day,
        participants=authors_of(one.participants),
        frequency=recurrence.frequency if recurrence else None,
        author=author_of(one.creator),
        url=one.app_url,
        comments_count=one.comments_count,
    )
