"""Entries of a schedule as Basecamp shows them."""

from datetime import date, datetime

from trunkline_shared.testing.basecamp.payloads.moments import local_moment
from trunkline_shared.testing.basecamp.payloads.people import person
from trunkline_shared.testing.basecamp.payloads.recordings import commented
from trunkline_shared.testing.basecamp.schedule import ScheduleEntry
from trunkline_shared.testing.basecamp.urls import Urls


def schedule_entry(of: ScheduleEntry, urls: Urls) -> dict[str, object]:
    """Return an entry; one that recurs says how."""
    recurs = {"recurrence_schedule": {"frequency": of.every, "days": [1]}} if of.every else {}
    return {
        **commented(of, urls),
        "description": of.description,
        "description_attachments": [],
        "summary": of.summary,
        "all_day": of.all_day,
        "starts_at": _at(of.starts_at),
        "ends_at": _at(of.ends_at),
        "participants": [person(one, urls) for one in of.participants],
        **recurs,
    }


def _at(when: datetime | date) -> str:
    return local_moment(when) if isinstance(when, datetime) else when.isoformat()
