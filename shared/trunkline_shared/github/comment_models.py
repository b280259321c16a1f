"""Comments and reactions as GitHub sends them; unknown fields are ignored, nulls are tolerated."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict

Side = Literal["LEFT", "RIGHT"]
Content = Literal["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"]


class Sent(BaseModel):
    """An object of the vendor's: read-only, and open to fields that are not read here."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Account(Sent):
    """Who did something; `type` is User, Bot, Organization or Mannequin."""

    login: str
    id: int
    type: str = "User"


def _text(value: object) -> object:
    return "" if value is None else value


def _association(value: object) -> object:
    return "NONE" if value is None else value


def _counts(value: object) -> object:
    if not isinstance(value, dict):
        return {}
    return {
        key: count
        for key, count in value.items()
        if isinstance(count, int) and key != "total_count"
    }


Text = Annotated[str, BeforeValidator(_text)]


class Comment(Sent):
    """What issue comments and review comments share; `user` is null for a deleted account."""

    id: int
    node_id: str = ""
    body: Text = ""
    user: Account | None = None
    author_association: Annotated[str, BeforeValidator(_association)] = "NONE"
    created_at: datetime
    updated_at: datetime
    html_url: str
    reactions: Annotated[dict[str, int], BeforeValidator(_counts)] = {}


class Hidden(Sent):
    """Why a comment is minimised."""

    reason: str | None = None


class IssueComment(Comment):
    """A comment in the conversation of an issue or pull request.

    `minimized` is null for a comment that is shown, and missing where GitHub does not say.
    """

    issue_url: str
    minimized: Hidden | None = None

    @property
    def is_minimized(self) -> bool | None:
        """Whether it is hidden; None where GitHub does not say."""
        known = "minimized" in self.model_fields_set
        return self.minimized is not None if known else None

    @property
    def number(self) -> int:
        """The issue or pull request that it belongs to."""
        return _trailing_number(self.issue_url)


class ReviewComment(Comment):
    """A comment on lines of a pull request's diff, or on a whole file.

    `line` is null when the diff does not show the line any more; `original_line` is not.
    """

    pull_request_url: str
    path: str
    line: int | None = None
    start_line: int | None = None
    original_line: int | None = None
    original_start_line: int | None = None
    side: Side | None = None
    start_side: Side | None = None
    subject_type: Literal["line", "file"] | None = None
    diff_hunk: Text = ""
    commit_id: str = ""
    original_commit_id: str = ""
    in_reply_to_id: int | None = None
    pull_request_review_id: int | None = None

    @property
    def outdated(self) -> bool:
        """Whether the diff does not show its line any more."""
        return self.line is None and self.subject_type != "file"

    @property
    def number(self) -> int:
        """The pull request that it belongs to."""
        return _trailing_number(self.pull_request_url)


class Reaction(Sent):
    """One account's reaction to an issue or comment."""

    id: int
    content: Content
    user: Account | None = None
    created_at: datetime | None = None


class Reacted(Sent):
    """The reaction, and whether it is new (false: the same account had it there already)."""

    reaction: Reaction
    created: bool


def _trailing_number(url: str) -> int:
    last = url.rstrip("/").rpartition("/")[2]
    return int(last) if last.isascii() and last.isdigit() else 0
