"""From comments as GitHub sent them to the answers of the writing tools."""

from collections.abc import Sequence
from typing import Literal

from trunkline_comment.models import Created, Part, Upserted
from trunkline_shared.github.comment_models import IssueComment


def part(comment: IssueComment, *, created: bool) -> Part:
    """Return one comment of several."""
    return Part(comment_id=comment.id, html_url=comment.html_url, created=created)


def created(parts: Sequence[Part], *, truncated: bool) -> Created:
    """Return the answer about all the comments that one body became."""
    return Created(
        comment_id=parts[0].comment_id,
        html_url=parts[0].html_url,
        created=any(each.created for each in parts),
        truncated=truncated,
        parts=list(parts),
    )


def upserted(
    comment: IssueComment, action: Literal["created", "updated", "unchanged"], *, truncated: bool
) -> Upserted:
    """Return the answer about the comment that bears the marker."""
    is_new = action == "created"
    return Upserted(
        comment_id=comment.id,
        html_url=comment.html_url,
        created=is_new,
        truncated=truncated,
        parts=[part(comment, created=is_new)],
        action=action,
    )
