"""Closing and reopening issues; a comment is posted once, and only with a close."""

from dataclasses import dataclass
from typing import Literal

from trunkline_issues.before_write import present, require_issue
from trunkline_issues.issue_endpoints import get_issue, update_issue
from trunkline_issues.issue_models import Closed, Reopened
from trunkline_issues.sent_issues import SentIssue
from trunkline_shared.clock import Clock
from trunkline_shared.errors import InvalidInput, TrunklineError
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_finding import Conversation
from trunkline_shared.github.comment_posting import CommentPosting
from trunkline_shared.github.keyed_lock import KeyedWrites
from trunkline_shared.github.markers import Marker, parse_marker, without_marker
from trunkline_shared.github.outgoing_text import require_postable, require_short
from trunkline_shared.postable import refuse_secrets

Reason = Literal["completed", "not_planned", "duplicate"]

_CLOSING = "closing"
_WAS_CLOSED = (
    "It was closed before, so the comment was not posted; post it with create_comment if it is "
    "still due."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """How an issue shall be closed; `comment` holds its marker already."""

    comment: str = ""
    marked: bool = False
    reason: Reason = "completed"
    duplicate_of: int = 0
    allow_pr: bool = False


def wish(
    number: int, comment: str, marker: str, reason: Reason, duplicate_of: int, *, allow_pr: bool
) -> Wish:
    """Check what was asked for, before anything is sent.

    Raises InvalidInput, TooLarge, or BlockedByPolicy for a secret.
    """
    key = parse_marker(marker)
    if duplicate_of and (reason != "duplicate" or duplicate_of == number):
        raise _refused("duplicate_of", "needs reason='duplicate' and the number of another issue")
    if key is not None and not comment:
        raise _refused("marker", "is for a comment, and there is none")
    return Wish(
        comment=_comment(comment, key) if comment else "",
        marked=key is not None,
        reason=reason,
        duplicate_of=duplicate_of,
        allow_pr=allow_pr,
    )


def _comment(comment: str, key: Marker | None) -> str:
    text = without_marker(comment)
    require_postable(text, "comment")
    refuse_secrets(comment, key.text if key else "")
    whole = (key.line() if key else "") + text
    require_short(whole, "comment")
    return whole


def _refused(field: str, problem: str) -> InvalidInput:
    return InvalidInput(
        f"{field} {problem}.", details={"field_errors": [{"field": field, "problem": problem}]}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """Closes and reopens; one at a time per issue, so that two callers post one comment."""

    github: GitHub
    clock: Clock
    writes: KeyedWrites

    async def close(self, where: Conversation, wanted: Wish) -> Closed:
        """Close an issue, then comment: a failure leaves no comment on an open issue.

        Closing a closed one changes nothing; it is commented on only for a marker's sake. Raises
        the failure; that of the comment says `details.closed`.
        """
        async with self.writes.alone((where.slug, where.number, _CLOSING)):
            issue = await present(self.github, where.repository, where.number)
            require_issue(issue, allow_pr=wanted.allow_pr)
            was_open = issue.is_open
            if was_open:
                issue = await self._closed(where, issue, wanted)
            comment_id, created = await self._commented(where, wanted, was_open=was_open)
        unsaid = bool(wanted.comment) and comment_id is None
        return Closed(
            issue_number=where.number,
            was_open=was_open,
            state_reason=issue.state_reason,
            url=issue.html_url,
            comment_id=comment_id,
            comment_created=created,
            note=_WAS_CLOSED if unsaid else "",
        )

    async def _closed(self, where: Conversation, issue: SentIssue, wanted: Wish) -> SentIssue:
        fields: dict[str, object] = {"state": "closed"}
        if not issue.is_pull:
            fields["state_reason"] = wanted.reason
        if wanted.duplicate_of:
            other = await self.github.fetch(get_issue(where.repository, wanted.duplicate_of))
            fields["duplicate_issue_id"] = other.id
        return await self.github.fetch(update_issue(where.repository, where.number, fields))

    async def _commented(
        self, where: Conversation, wanted: Wish, *, was_open: bool
    ) -> tuple[int | None, bool]:
        if not wanted.comment or not (was_open or wanted.marked):
            return None, False
        posting = CommentPosting(github=self.github, clock=self.clock, marked=self.writes)
        try:
            comment, created = await posting.once(where, wanted.comment)
        except TrunklineError as error:
            error.details = {**error.details, "closed": True}
            error.hint = f"The issue is closed; only its comment failed. {error.hint or ''}".strip()
            if not wanted.marked:
                error.hint += " Post it with create_comment: closing again does not."
                error.retryable = False
            raise
        return comment.id, created

    async def reopen(self, where: Conversation, *, allow_pr: bool) -> Reopened:
        """Open a closed issue again; an open one stays as it is."""
        issue = await present(self.github, where.repository, where.number)
        require_issue(issue, allow_pr=allow_pr)
        was_closed = not issue.is_open
        if was_closed:
            opened = update_issue(where.repository, where.number, {"state": "open"})
            issue = await self.github.fetch(opened)
        return Reopened(issue_number=where.number, was_closed=was_closed, url=issue.html_url)
