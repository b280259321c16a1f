"""What the tools about issues return."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from trunkline_shared.listing import Entry, PageInfo, Source


class Result(BaseModel):
    """A tool's answer."""

    model_config = ConfigDict(frozen=True)


class IssueEntry(Entry):
    """An issue of a list; `author` is null when the account was deleted."""

    number: int = 0
    title: str = ""
    labels: list[str] = Field(default_factory=list)
    state: str = ""
    url: str = ""
    author: str | None = None
    assignees: list[str] = Field(default_factory=list)
    created_at: datetime | None = None
    updated_at: datetime | None = None
    comments_count: int = 0
    state_reason: str | None = None
    type: str | None = None
    milestone: str | None = None
    is_pull_request: bool = False


class Issues(Result):
    """A page of issues."""

    issues: list[IssueEntry]
    page_info: PageInfo
    has_more: bool
    source: Source


class Hits(Result):
    """A page of hits; `incomplete` says that GitHub may have found more than it tells.

    `page_info.truncated` says that there are hits beyond the 1,000 that GitHub shows.
    """

    items: list[IssueEntry]
    incomplete: bool
    query: str
    page_info: PageInfo
    has_more: bool
    source: Source


class IssueComment(Result):
    """A comment of an issue."""

    id: int
    author: str | None
    body: str
    created_at: datetime
    updated_at: datetime
    url: str


class Issue(Result):
    """An issue; `moved_to` is its address now when it was found at an older one."""

    number: int
    title: str
    body: str
    body_truncated: bool
    url: str
    state: str
    state_reason: str | None
    labels: list[str]
    assignees: list[str]
    author: str | None
    comments_count: int
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None
    is_pull_request: bool
    milestone: str | None
    type: str | None
    locked: bool
    comments: list[IssueComment]
    moved_to: str | None = None
    source: Source


class Closed(Result):
    """A closed issue; `comment_id` is null when there was none to post, `note` says why."""

    success: Literal[True] = True
    issue_number: int
    state: Literal["closed"] = "closed"
    was_open: bool
    state_reason: str | None
    url: str
    comment_id: int | None = None
    comment_created: bool = False
    note: str = ""


class Opened(Result):
    """An issue; `created` is false when the marker was there.

    `not_applied` names what GitHub left out because the account may not set it.
    """

    number: int
    title: str
    url: str
    state: str
    created: bool
    labels: list[str]
    assignees: list[str]
    not_applied: list[str]


class Changed(Result):
    """An issue after a change; `edited` is false when it was so already."""

    success: Literal[True] = True
    number: int
    title: str
    url: str
    state: str
    edited: bool
    labels: list[str]
    assignees: list[str]
    milestone: str | None
    updated_at: datetime


class Reopened(Result):
    """An open issue; `was_closed` is false when it was open already."""

    success: Literal[True] = True
    issue_number: int
    state: Literal["open"] = "open"
    was_closed: bool
    url: str
