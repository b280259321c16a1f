"""Refusing to overwrite what somebody else has just written."""

from datetime import datetime

from trunkline_shared.errors import Conflict
from trunkline_shared.github.comment_models import Comment


def refuse_lost_update(comment: Comment, since: datetime | None) -> None:
    """Check that a comment was not modified after `since`; None checks nothing.

    GitHub has no conditional PATCH, so the time is compared before. Raises Conflict.
    """
    if since is not None and comment.updated_at > since:
        raise Conflict(
            f"Comment {comment.id} was modified at {comment.updated_at.isoformat()}, after "
            f"{since.isoformat()}.",
            hint="Read it again, work its present text in, and update with its new updated_at.",
            details={
                "reason": "modified_since",
                "comment_id": comment.id,
                "updated_at": comment.updated_at.isoformat(),
            },
        )
