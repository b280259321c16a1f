"""What the tools return."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from trunkline_comment.families import Kind
from trunkline_shared.listing import Entry, PageInfo, Source


class Result(BaseModel):
    """A tool's answer."""

    model_config = ConfigDict(frozen=True)


class Updated(Result):
    """A comment after its update; `edited` is false when it had that text already."""

    success: Literal[True] = True
    comment_id: int
    html_url: str
    updated_at: datetime
    kind: Kind
    truncated: bool
    edited: bool


class Part(Result):
    """One of the comments that a body was posted as."""

    comment_id: int
    html_url: str
    created: bool


class Created(Result):
    """The comment, the first of its parts; `created` is false when the marker was there."""

    comment_id: int
    html_url: str
    created: bool
    truncated: bool = False
    parts: list[Part]


class Upserted(Created):
    """The comment with the marker, and what was done to it."""

    action: Literal["created", "updated", "unchanged"]


class Author(Result):
    """Who wrote a comment; `type` is User, Bot, Organization or Mannequin."""

    login: str
    type: str


class Comment(Entry):
    """A comment; `author` is null when the account was deleted, `minimized` when unknown."""

    id: int = 0
    kind: Kind = "issue"
    body: str = ""
    author: Author | None = None
    author_association: str = "NONE"
    created_at: datetime | None = None
    updated_at: datetime | None = None
    html_url: str = ""
    reactions: dict[str, int] = Field(default_factory=dict)
    minimized: bool | None = None


class Fetched(Comment):
    """A comment with the number of the issue or pull request that it belongs to."""

    issue_number: int = 0
    path: str | None = None
    line: int | None = None


class Comments(Result):
    """A page of comments; those left out because they are minimised are counted."""

    comments: list[Comment]
    page_info: PageInfo
    has_more: bool
    minimized_left_out: int = 0
    source: Source


class Deleted(Result):
    """A comment that is no longer there; `existed` says whether it still was."""

    deleted: Literal[True] = True
    comment_id: int
    existed: bool


class Reacted(Result):
    """A reaction; `created` is false when it was there already."""

    reaction_id: int
    created: bool


class Removed(Result):
    """A reaction that is no longer there; `existed` says whether it still was."""

    removed: Literal[True] = True
    reaction_id: int
    existed: bool
