"""The two families of comments, and which of them an id belongs to.

Ids of a conversation's comments and of review comments look alike; an id of the wrong family is
answered with 404.
"""

from dataclasses import dataclass
from typing import Literal

from trunkline_shared.binding import require_bound
from trunkline_shared.errors import NotFound
from trunkline_shared.exchange import Endpoint
from trunkline_shared.github import comments, reactions
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_models import IssueComment, ReviewComment
from trunkline_shared.github.repository import Repository
from trunkline_shared.github.targets import require_bound_issue

Kind = Literal["issue", "review"]
AskedKind = Literal["auto", "issue", "review"]
AnyComment = IssueComment | ReviewComment


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A comment and the family it belongs to."""

    comment: AnyComment
    kind: Kind


async def find(github: GitHub, repository: Repository, comment_id: int, kind: AskedKind) -> Found:
    """Read a comment by its id, trying the other family when `kind` is `auto`.

    Raises NotFound, and BlockedByPolicy for a comment outside the context.
    """
    require_bound("The comment", comment_id, "comment_id")
    found = await _read(github, repository, comment_id, kind)
    require_bound_issue(found.comment.number)
    return found


async def _read(github: GitHub, repository: Repository, comment_id: int, kind: AskedKind) -> Found:
    if kind == "review":
        return await _review(github, repository, comment_id)
    try:
        comment = await github.fetch(comments.get_issue_comment(repository, comment_id))
    except NotFound as error:
        if kind == "issue" or error.details.get("http_status") != 404:  # noqa: PLR2004 - the HTTP status
            raise
    else:
        return Found(comment=comment, kind="issue")
    try:
        return await _review(github, repository, comment_id)
    except NotFound as error:
        raise NotFound(
            f"Comment {comment_id} is not in {repository.slug}, neither as a comment of a "
            "conversation nor as a review comment.",
            hint="It was deleted, is of another repository, or the credential may not see it.",
            details=error.details,
        ) from None


async def _review(github: GitHub, repository: Repository, comment_id: int) -> Found:
    comment = await github.fetch(comments.get_review_comment(repository, comment_id))
    return Found(comment=comment, kind="review")


def update(
    repository: Repository, found: Found, body: str
) -> Endpoint[IssueComment] | Endpoint[ReviewComment]:
    """Return the endpoint that gives a found comment another text."""
    if found.kind == "issue":
        return comments.update_issue_comment(repository, found.comment.id, body)
    return comments.update_review_comment(repository, found.comment.id, body)


def delete(repository: Repository, found: Found) -> Endpoint[bool]:
    """Return the endpoint that deletes a found comment."""
    if found.kind == "issue":
        return comments.delete_issue_comment(repository, found.comment.id)
    return comments.delete_review_comment(repository, found.comment.id)


def subject(found: Found) -> reactions.Subject:
    """Return what is reacted to."""
    if found.kind == "issue":
        return reactions.issue_comment(found.comment.id)
    return reactions.review_comment(found.comment.id)
