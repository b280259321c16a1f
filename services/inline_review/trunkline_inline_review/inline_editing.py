"""Changing and deleting a review comment that is named by its id."""

from datetime import datetime

from trunkline_inline_review.inline_models import InlineDeleted, InlineUpdated
from trunkline_inline_review.suggestions import suggestions_in
from trunkline_shared.binding import require_bound
from trunkline_shared.errors import InvalidInput, NotFound
from trunkline_shared.github import comments
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_finding import Conversation, same_text
from trunkline_shared.github.comment_models import ReviewComment
from trunkline_shared.github.lost_update import refuse_lost_update
from trunkline_shared.github.markers import marker_of, without_marker
from trunkline_shared.github.outgoing_text import require_postable, require_short
from trunkline_shared.github.targets import require_bound_issue
from trunkline_shared.postable import refuse_secrets, unusable


async def own_comment(github: GitHub, where: Conversation, comment_id: int) -> ReviewComment:
    """Read a review comment of the pull request.

    Raises NotFound, BlockedByPolicy for one outside the context, and InvalidInput for one of
    another pull request.
    """
    require_bound("The comment", comment_id, "comment_id")
    found = await github.fetch(comments.get_review_comment(where.repository, comment_id))
    require_bound_issue(found.number)
    if found.number != where.number:
        raise InvalidInput(
            f"Comment {comment_id} is of pull request {found.number}, not of {where.number}.",
            hint=f"Pass pr_number={found.number} if it is the one that you mean.",
            details={"field_errors": [{"field": "pr_number", "problem": "is another"}]},
        )
    return found


async def change(
    github: GitHub, where: Conversation, comment_id: int, body: str, since: datetime | None
) -> InlineUpdated:
    """Give a comment another text below its marker; an equal one is not sent.

    Raises Conflict when it was modified after `since`.
    """
    text = without_marker(body)
    require_postable(text)
    refuse_secrets(body)
    suggested = suggestions_in(text)
    if suggested.problem:
        raise unusable("body", f"cannot be posted: {suggested.problem}", suggested.problem)
    before = await own_comment(github, where, comment_id)
    refuse_lost_update(before, since)
    _refuse_misplaced_suggestion(before, suggests=suggested.count > 0)
    marker = marker_of(before.body) or marker_of(body)
    whole = (marker.line() if marker else "") + text
    require_short(whole)
    edited = not same_text(whole, before.body)
    after = before
    if edited:
        after = await github.fetch(
            comments.update_review_comment(where.repository, comment_id, whole)
        )
    return InlineUpdated(
        comment_id=after.id, html_url=after.html_url, updated_at=after.updated_at, edited=edited
    )


def _refuse_misplaced_suggestion(comment: ReviewComment, *, suggests: bool) -> None:
    left = "LEFT" in {comment.side, comment.start_side}
    if suggests and (left or comment.subject_type == "file"):
        where = "deleted lines" if left else "a whole file"
        raise InvalidInput(
            f"Comment {comment.id} is on {where}, which a suggestion block cannot replace.",
            hint="Write it without a suggestion block.",
            details={"field_errors": [{"field": "body", "problem": "holds a suggestion block"}]},
        )


async def delete(github: GitHub, where: Conversation, comment_id: int) -> InlineDeleted:
    """Delete a comment; one that is gone already counts as deleted."""
    try:
        await own_comment(github, where, comment_id)
        existed = await github.fetch(comments.delete_review_comment(where.repository, comment_id))
    except NotFound:
        existed = False
    return InlineDeleted(comment_id=comment_id, existed=existed)
