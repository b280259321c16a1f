"""Entries of a schedule."""

from dataclasses import dataclass, field
from datetime import date, datetime

from trunkline_shared.testing.basecamp.account import Account
from trunkline_shared.testing.basecamp.people import Person
from trunkline_shared.testing.basecamp.projects import DockTool
from trunkline_shared.testing.basecamp.recordings import Recording


@dataclass(slots=True, kw_only=True, eq=False)
class ScheduleEntry(Recording):
    """Something that happens at a time, or all day: then its times are dates."""

    type = "Schedule::Entry"
    route = "schedule_entries"

    summary: str
    starts_at: datetime | date
    ends_at: datetime | date
    description: str | None = ""
    participants: list[Person] = field(default_factory=list)
    every: str = ""

    @property
    def title(self) -> str:
        return self.summary

    @property
    def all_day(self) -> bool:
        return not isinstance(self.starts_at, datetime)


def add_entry(
    account: Account,
    schedule: DockTool,
    creator: Person | None,
    summary: str,
    starts_at: datetime | date,
    ends_at: datetime | date | None = None,
) -> ScheduleEntry:
    """Add an entry to a schedule; it ends when it begins unless another end is given."""
    now = account.times.tick()
    return account.keep(
        ScheduleEntry(
            id=account.times.next_id(),
            project=schedule.project,
            creator=creator,
            created_at=now,
            updated_at=now,
            parent=schedule,
            summary=summary,
            starts_at=starts_at,
            ends_at=ends_at or starts_at,
        )
    )
