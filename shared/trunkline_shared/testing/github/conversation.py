"""What people say: issues, pull requests, comments, review comments, reactions."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from trunkline_shared.testing.github.changes import ChangedFile
from trunkline_shared.testing.github.ledger import Ledger
from trunkline_shared.testing.github.people import App, User
from trunkline_shared.testing.github.tracking import Label, Milestone

StateReason = Literal["completed", "reopened", "not_planned", "duplicate"]
ReviewState = Literal["APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "PENDING"]
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
    """A comment on lines of a pull request's diff; `line` None is outdated or file level.

    `commit_id` is the head at which it was made.
    """

    id: int
    issue: "Issue"
    body: str
    author: User | None
    created_at: datetime
    updated_at: datetime
    path: str
    line: int | None
    original_line: int | None
    start_line: int | None = None
    original_start_line: int | None = None
    side: Literal["LEFT", "RIGHT"] = "RIGHT"
    start_side: Literal["LEFT", "RIGHT"] | None = None
    subject_type: Literal["line", "file"] = "line"
    commit_id: str = ""
    in_reply_to_id: int | None = None
    diff_hunk: str = "@@ -1,3 +1,4 @@"
    review: "Review | None" = None
    reactions: list[Reaction] = field(default_factory=list)


@dataclass(slots=True, kw_only=True, eq=False)
class Review:
    """A review; while it is PENDING, only its author sees it and its comments."""

    id: int
    issue: "Issue"
    author: User | None
    body: str
    state: ReviewState
    commit_id: str
    submitted_at: datetime | None


@dataclass(slots=True, kw_only=True, eq=False)
class Pull:
    """What a pull request has beyond an issue; `commits` are all that its head has been.

    `earlier` has the files of the diff at each head before this one. `head_owner` None is the
    repository's own. `computing` is how many more readers are not told whether it can be merged,
    because that is still being computed.
    """

    head_ref: str
    head_sha: str
    base_ref: str
    base_sha: str
    draft: bool = False
    merged_at: datetime | None = None
    mergeable: bool | None = True
    mergeable_state: str = "clean"
    computing: int = 0
    head_owner: User | None = None
    maintainer_can_modify: bool = False
    reviewers: list[User] = field(default_factory=list)
    teams: list[str] = field(default_factory=list)
    files: list[ChangedFile] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)
    earlier: dict[str, list[ChangedFile]] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True, eq=False)
class Issue:
    """A numbered conversation; a pull request when `pull` is set.

    Comments are kept in the order in which they were made, as GitHub lists them. `resolved` says
    who resolved the thread that a review comment, by its id, is the head of.
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
    state_reason: StateReason | None = None
    closed_at: datetime | None = None
    closed_by: User | None = None
    duplicate_of: "Issue | None" = None
    type: str | None = None
    labels: list[Label] = field(default_factory=list)
    assignees: list[User] = field(default_factory=list)
    milestone: Milestone | None = None
    locked: bool = False
    deleted: bool = False
    transferred_to: "Issue | None" = None
    comments: list[IssueComment] = field(default_factory=list)
    review_comments: list[ReviewComment] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    resolved: dict[int, User] = field(default_factory=dict)
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
        line: int | None,
        at: datetime | None = None,
    ) -> ReviewComment:
        """Add a comment of `author` on a line of the pull request's diff; None: on the file."""
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
            subject_type="file" if line is None else "line",
            commit_id=self.pull.head_sha if self.pull is not None else "",
        )
        self.review_comments.append(comment)
        self.updated_at = max(self.updated_at, moment)
        return comment

    def add_review(
        self,
        author: User | None,
        state: ReviewState = "COMMENTED",
        *,
        body: str = "",
        commit_id: str = "",
        at: datetime | None = None,
    ) -> Review:
        """Add a review of `author` on a commit, of the pull request's head if none is named."""
        assert self.pull is not None
        moment = at or self.ledger.now()
        review = Review(
            id=self.ledger.next_id(),
            issue=self,
            author=author,
            body=body,
            state=state,
            commit_id=commit_id or self.pull.head_sha,
            submitted_at=None if state == "PENDING" else moment,
        )
        self.reviews.append(review)
        self.updated_at = max(self.updated_at, moment)
        return review

    def pending_of(self, user: User) -> Review | None:
        """Return the review that `user` has begun and not submitted; there is at most one."""
        own = (one for one in self.reviews if one.author is user and one.state == "PENDING")
        return next(own, None)

    def close(
        self,
        at: datetime | None = None,
        *,
        by: User | None = None,
        reason: StateReason = "completed",
    ) -> None:
        """Close it at `at` or now; a pull request has no reason."""
        self.state = "closed"
        self.state_reason = reason if self.pull is None else None
        self.closed_at = at or self.ledger.now()
        self.closed_by = by

    def reopen(self) -> None:
        """Open it again."""
        self.state = "open"
        self.state_reason = "reopened" if self.pull is None else None
        self.closed_at = self.closed_by = self.duplicate_of = None
