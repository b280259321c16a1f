"""Entries of a schedule, as Basecamp sends them (bc3-api, sections/schedule_entries.md)."""

from datetime import UTC, date, datetime
from typing import Annotated

from pydantic import BeforeValidator

from trunkline_project_reader.basecamp.models import (
    Attached,
    Html,
    Sent,
    SentRecording,
    Truth,
    Words,
)
from trunkline_project_reader.basecamp.reading import get, page
from trunkline_project_reader.basecamp.todos import People
from trunkline_shared.exchange import Endpoint
from trunkline_shared.vendor.page import Page

_ENTRIES = "/schedules/{schedule_id}/entries.json"
_DATE_LENGTH = len("2026-01-01")


def _time(value: object) -> object:
    """Read a time as one in UTC; a mere date, which has no zone, stays a date."""
    if not isinstance(value, str) or not value:
        return value or None
    if len(value) == _DATE_LENGTH:
        return date.fromisoformat(value)
    moment = datetime.fromisoformat(value)
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)


Time = Annotated[datetime | date | None, BeforeValidator(_time)]


class SentRecurrence(Sent):
    """How an entry recurs."""

    frequency: Words = ""


class SentScheduleEntry(SentRecording):
    """An entry of a schedule; one that takes all day begins and ends on dates."""

    summary: Words = ""
    description: Html = ""
    description_attachments: Attached = ()
    all_day: Truth = False
    starts_at: Time = None
    ends_at: Time = None
    participants: People = ()
    recurrence_schedule: SentRecurrence | None = None


_read_entries = page(SentScheduleEntry)


def entries(schedule_id: int, status: str) -> Endpoint[Page[SentScheduleEntry]]:
    """List a schedule's entries; Basecamp's own default is the active ones, and only they."""
    query = () if status == "active" else (("status", status),)
    return get(_ENTRIES, _read_entries, query, schedule_id=schedule_id)
