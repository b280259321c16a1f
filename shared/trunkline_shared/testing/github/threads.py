"""Threads of review comments: a comment on a line, and the replies to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_shared.testing.github.conversation import Issue, ReviewComment
from trunkline_shared.testing.github.people import User


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """A thread; `id` is that of the comment that began it, which may have been deleted."""

    id: int
    issue: Issue
    comments: Sequence[ReviewComment]

    @property
    def resolved_by(self) -> User | None:
        return self.issue.resolved.get(self.id)


def threads_of(issue: Issue) -> list[Thread]:
    """Return the threads of a pull request, oldest first; pending comments are in none."""
    by_head: dict[int, list[ReviewComment]] = {}
    for comment in issue.review_comments:
        if comment.review is None or comment.review.state != "PENDING":
            by_head.setdefault(comment.in_reply_to_id or comment.id, []).append(comment)
    return [Thread(id=head, issue=issue, comments=found) for head, found in by_head.items()]


def reply(to: ReviewComment, body: str, author: User | None) -> ReviewComment:
    """Add a reply of `author` to the thread that a comment begins; it is a review by itself."""
    new = to.issue.add_review_comment(body, author, path=to.path, line=to.original_line)
    new.line, new.side, new.start_line = to.line, to.side, to.start_line
    new.subject_type, new.start_side, new.diff_hunk = to.subject_type, to.start_side, to.diff_hunk
    new.commit_id, new.original_start_line = to.commit_id, to.original_start_line
    new.in_reply_to_id = to.id
    new.review = to.issue.add_review(author)
    return new
