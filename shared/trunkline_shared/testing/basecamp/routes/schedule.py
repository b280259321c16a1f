"""Entries of a schedule (bc3-api, sections/schedule_entries.md)."""

from trunkline_shared.testing.basecamp.access import sees, tool_named
from trunkline_shared.testing.basecamp.asked import Asked, Shown
from trunkline_shared.testing.basecamp.paging import paged
from trunkline_shared.testing.basecamp.payloads.schedule import schedule_entry
from trunkline_shared.testing.basecamp.schedule import ScheduleEntry
from trunkline_shared.testing.stand_in.call import Answer


def list_entries(asked: Asked) -> Answer:
    """Return a page of a schedule's entries: the active ones unless another status is asked for."""
    schedule = tool_named(asked, "schedule", "schedule_id")
    status = asked.query.get("status", "active")
    found = [
        one
        for one in asked.account.of_kind(ScheduleEntry)
        if one.parent is schedule and one.status == status and sees(asked, one)
    ]
    return paged(asked, found, lambda one: schedule_entry(one, asked.urls))


SHOWN = (Shown(path="/schedules/{schedule_id}/entries.json", show=list_entries),)
