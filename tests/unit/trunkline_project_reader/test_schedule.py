"""Times of schedule entries as they are sent."""

from datetime import UTC, date, datetime

import pytest
from pydantic import ValidationError

from trunkline_project_reader.basecamp.schedule import SentScheduleEntry


def entry(starts_at: str | None) -> SentScheduleEntry:
    """Return an entry as Basecamp sends it."""
    return SentScheduleEntry.model_validate({"id": 1, "bucket": {"id": 2}, "starts_at": starts_at})


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("2026-02-08T12:00:00.000Z", datetime(2026, 2, 8, 12, tzinfo=UTC)),
        ("2026-02-08T06:00:00.000-06:00", datetime(2026, 2, 8, 12, tzinfo=UTC)),
        ("2026-02-08T12:00:00", datetime(2026, 2, 8, 12, tzinfo=UTC)),
        ("2026-05-01", date(2026, 5, 1)),
        ("", None),
        (None, None),
    ],
)
def test_times_are_in_utc_and_days_stay_days(
    sent: str | None, read: datetime | date | None
) -> None:
    """A day has no zone, and is no midnight."""
    found = entry(sent).starts_at
    assert (found, type(found)) == (read, type(read))


def test_nonsense_is_refused() -> None:
    """It becomes an answer that is not what it should be."""
    with pytest.raises(ValidationError):
        entry("tomorrow at ten")
