"""What the tools about single review comments and about the lines of the diff return."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from trunkline_inline_review.diff_index import Side
from trunkline_shared.listing import Entry, PageInfo, Source


class Result(BaseModel):
    """A tool's answer."""

    model_config = ConfigDict(frozen=True)


class InlineCreated(Result):
    """The comment where it stands; `line` is null on a whole file and when it is outdated.

    `created` is false when it was there already, `note` says how its place differs from the one
    that was asked for.
    """

    success: Literal[True] = True
    comment_id: int
    html_url: str
    path: str
    line: int | None
    start_line: int | None
    side: Side | None
    commit_id: str
    original_line: int | None
    outdated: bool
    created: bool
    head_moved: bool
    note: str


class InlineUpdated(Result):
    """A comment after its update; `edited` is false when it had that text already."""

    success: Literal[True] = True
    comment_id: int
    html_url: str
    updated_at: datetime
    edited: bool


class InlineDeleted(Result):
    """A comment that is no longer there; `existed` says whether it still was."""

    deleted: Literal[True] = True
    comment_id: int
    existed: bool


class CommentAuthor(Result):
    """Who wrote a comment; `type` is User, Bot, Organization or Mannequin."""

    login: str
    type: str


class InlineComment(Entry):
    """A review comment; `author` is null for a deleted account.

    An outdated one has `line` null and keeps `original_line`. In `diff_hunk` and suggestions
    invisible characters are shown as escapes; `hidden_characters` counts them.
    """

    id: int = 0
    path: str = ""
    line: int | None = None
    start_line: int | None = None
    side: Side | None = None
    start_side: Side | None = None
    original_line: int | None = None
    outdated: bool = False
    subject_type: Literal["line", "file"] = "line"
    in_reply_to_id: int | None = None
    review_id: int | None = None
    body: str = ""
    author: CommentAuthor | None = None
    author_association: str = "NONE"
    diff_hunk: str = ""
    hidden_characters: int = 0
    commit_id: str = ""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    html_url: str = ""


class InlineComments(Result):
    """A page of review comments; those that the filters left out of it are counted."""

    comments: list[InlineComment]
    page_info: PageInfo
    has_more: bool
    left_out: int = 0
    source: Source


class CommentableFile(Result):
    """The lines of a file that can be commented; none when `patch_missing`."""

    path: str
    status: str
    previous_filename: str | None = None
    right: list[tuple[int, int]] = Field(default_factory=list)
    left: list[tuple[int, int]] = Field(default_factory=list)
    patch_missing: bool = False


class CommentableLines(Result):
    """The files of a diff; `truncated` when GitHub lists only the first 3,000."""

    files: list[CommentableFile]
    head_sha: str
    base_sha: str
    truncated: bool = False
