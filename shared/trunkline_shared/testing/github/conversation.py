"""What people say: issues, pull requests, comments, review comments, reactions."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from trunkline_shared.testing.github.changes import ChangedFile
from trunkline_shared.testing.github.ledger import Ledger
from trunkline_shared.testing.github.people import App, User

CONTENTS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes")


@dataclass(slots=True, kw_only=True, eq=False)
class Reaction:
    """One person's reaction."""

    id: int
    user: User
    content: str
    created_at: datetime


@dataclass(slots=True, kw_only=True, eq=False)
class IssueComment:
    """A comment on an issue or a pull request; `author` None is a deleted account."""

    id: int
    issue: "Issue"
    body: str
    author: User | None
    created_at: datetime
    updated_at: datetime
    app: App | None = None
    minimized: str | None = None
    reactions: list[Reaction] = field(default_factory=list)


@dataclass(slots=True, kw_only=True, eq=False)
class ReviewComment:
    """A comment on a line of a pull request's diff; `line` None is outdated or file level."""

    id: int
    issue: "Issue"
    body: str
    author: User | None
    created_at: datetime
    updated_at: datetime
    path: str
    line: int | None
    original_line: int
    start_line: int | None = None
    side: Literal["LEFT", "RIGHT"] = "RIGHT"
    in_reply_to_id: int | None = None
    diff_hunk: str = "@@ -1,3 +1,4 @@"
    reactions: list[Reaction] = field(default_factory=list)


@dataclass(slots=True, kw_only=True, eq=False)
class Pull:
    """What a pull request has beyond an issue; `commits` are all that its head has been."""

    head_ref: str
    head_sha: str
    base_ref: str
    base_sha: str
    draft: bool = False
    merged_at: datetime | None = None
    mergeable: bool | None = True
    mergeable_state: str = "clean"
    files: list[ChangedFile] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True, eq=False)
class Issue:
    """A numbered conversation; a pull request when `pull` is set.

    Comments are kept in the order in which they were made, as GitHub lists them.
    """

    ledger: Ledger
    id: int
    repository_id: int
    number: int
    title: str
    author: User | None
    body: str | None
    created_at: datetime
    updated_at: datetime
    pull: Pull | None = None
    state: Literal["open", "closed"] = "open"
    closed_at: datetime | None = None
    locked: bool = False
    deleted: bool = False
    transferred_to: "Issue | None" = None
    comments: list[IssueComment] = field(default_factory=list)
    review_comments: list[ReviewComment] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)

    def add_comment(
        self,
        body: str,
        author: User | None,
        *,
        at: datetime | None = None,
        app: App | None = None,
        minimized: str | None = None,
    ) -> IssueComment:
        """Add a comment of `author` (None: a deleted account), made at `at` or now."""
        moment = at or self.ledger.now()
        comment = IssueComment(
            id=self.ledger.next_id(),
            issue=self,
            body=body,
            author=author,
            created_at=moment,
            updated_at=moment,
            app=app,
            minimized=minimized,
        )
        self.comments.append(comment)
        self.updated_at = max(self.updated_at, moment)
        return comment

    def add_review_comment(
        self,
        body: str,
        author: User | None,
        *,
        path: str,
        line: int,
        at: datetime | None = None,
    ) -> ReviewComment:
        """Add a comment of `author` on a line of the pull request's diff."""
        moment = at or self.ledger.now()
        comment = ReviewComment(
            id=self.ledger.next_id(),
            issue=self,
            body=body,
            author=author,
            created_at=moment,
            updated_at=moment,
            path=path,
            line=line,
            original_line=line,
        )
        self.review_comments.append(comment)
        self.updated_at = max(self.updated_at, moment)
        return comment

    def close(self, at: datetime | None = None) -> None:
        """Close it at `at` or now."""
        self.state = "closed"
        self.closed_at = at or self.ledger.now()
