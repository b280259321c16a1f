"""Where a search goes on: in Jira's own list, and with the window that it began with.

Jira is asked for what changed in so many minutes before now, since a date would be read in the
account's zone. The minutes grow from page to page, and a place belongs to one query: so all pages
look back as many minutes as the first one did.
"""

import math
from dataclasses import dataclass
from datetime import datetime

from trunkline_jira.jql.query import Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """`at` is a token or a number of issues, empty at the beginning; `minutes` 0 is no window."""

    at: str = ""
    minutes: int = 0

    @classmethod
    def of(cls, text: str, since: datetime | None, now: float) -> "Place":
        """Return the place that a cursor held, or the beginning for an empty one."""
        if text:
            minutes, _, at = text.partition(" ")
            return cls(at=at, minutes=int(minutes))
        if since is None:
            return cls()
        return cls(minutes=max(math.ceil((now - since.timestamp()) / 60), 1))

    def following(self, at: str) -> str:
        """Return the text for the cursor of a later place in the same list."""
        return f"{self.minutes} {at}"

    def within(self, query: Query) -> Query:
        """Return the query among what changed in the window."""
        return query.narrowed(f'updated >= "-{self.minutes}m"') if self.minutes else query
