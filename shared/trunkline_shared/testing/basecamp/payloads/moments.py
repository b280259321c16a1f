"""Times as Basecamp writes them: in UTC with `Z`, or with the offset of somebody's zone."""

from datetime import datetime, timedelta, timezone

_CHICAGO = timezone(-timedelta(hours=6))


def moment(at: datetime) -> str:
    """Return a time in UTC."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def local_moment(at: datetime) -> str:
    """Return a time with an offset, as people's and comments' times are sent."""
    return at.astimezone(_CHICAGO).isoformat(timespec="milliseconds")
