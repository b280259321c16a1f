"""What the tools about reviews and threads return."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from trunkline_shared.listing import Entry, PageInfo, Source

Event = Literal["COMMENT", "REQUEST_CHANGES", "APPROVE"]


class Result(BaseModel):
    """A tool's answer."""

    model_config = ConfigDict(frozen=True)


class PostedComment(Result):
    """A comment of the review; `created` is false when it stood there already.

    `comment_id` is null when GitHub did not say in time which comment it became.
    """

    index: int
    comment_id: int | None
    html_url: str
    path: str
    line: int | None
    side: str
    start_line: int | None = None
    created: bool = True
    note: str = ""


class RejectedComment(Result):
    """An entry that was not posted, why, and what would be valid: `nearest` works as it is."""

    index: int
    reason: str
    message: str
    nearest: dict[str, object] | None = None
    valid_ranges: list[list[int]] = Field(default_factory=list)
    nearest_path: str = ""


class Reviewed(Result):
    """A review as it stands; `created` is false when it was there already.

    `head_moved` says that the head moved while it was posted, and the lines were checked anew.
    """

    success: Literal[True] = True
    review_id: int
    state: str
    html_url: str
    commit_id: str | None
    created: bool
    head_moved: bool
    posted: list[PostedComment]
    rejected: list[RejectedComment]


class Submitted(Result):
    """A review that is submitted."""

    success: Literal[True] = True
    review_id: int
    state: str
    html_url: str
    submitted_at: datetime | None


class Discarded(Result):
    """One's own pending review that is no longer there; `existed` says whether there was one."""

    discarded: Literal[True] = True
    review_id: int | None
    state: Literal["DISCARDED"] = "DISCARDED"
    existed: bool


class Reviewer(Result):
    """Who wrote a review; `type` is User, Bot, Organization or Mannequin."""

    login: str
    type: str


class ListedReview(Entry):
    """A review; `author` is null for a deleted account, `submitted_at` while it is PENDING."""

    id: int = 0
    state: str = ""
    author: Reviewer | None = None
    author_association: str = "NONE"
    body: str = ""
    submitted_at: datetime | None = None
    commit_id: str | None = None
    html_url: str = ""


class Reviews(Result):
    """A page of a pull request's reviews, oldest first."""

    reviews: list[ListedReview]
    page_info: PageInfo
    has_more: bool
    source: Source


class Replied(Result):
    """A reply; `created` is false when one with the same key was there already."""

    success: Literal[True] = True
    comment_id: int
    in_reply_to_id: int
    html_url: str
    created: bool


class ThreadState(Result):
    """A thread; `changed` is false when it was as wanted before."""

    success: Literal[True] = True
    thread_id: str
    pr_number: int
    is_resolved: bool
    changed: bool


class ListedThread(Entry):
    """A thread and its first comment; `line` is null when outdated or about a whole file.

    `comments` counts all of them. `author` is null for a deleted account.
    """

    thread_id: str = ""
    path: str = ""
    line: int | None = None
    is_resolved: bool = False
    is_outdated: bool = False
    comments: int = 0
    comment_id: int | None = None
    author: str | None = None
    body: str = ""
    created_at: datetime | None = None
    html_url: str = ""


class Threads(Result):
    """A page of a pull request's threads; `total` and `unresolved` count all that were read."""

    threads: list[ListedThread]
    total: int
    unresolved: int
    page_info: PageInfo
    has_more: bool
    source: Source
