"""Endpoints that write reviews and replies, and read a review's own comments.

https://docs.github.com/rest/pulls/reviews · https://docs.github.com/rest/pulls/comments
"""

from collections.abc import Sequence

from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.github.comment_models import ReviewComment
from trunkline_shared.github.pull_models import Review
from trunkline_shared.github.pulls import PER_PAGE, PULL
from trunkline_shared.github.reading import existed, one, page
from trunkline_shared.github.repository import Repository, path
from trunkline_shared.vendor.page import Page

_REVIEWS = PULL + "/reviews"
_REVIEW = _REVIEWS + "/{review_id}"
_REPLIES = PULL + "/comments/{comment_id}/replies"

_read_review = one(Review)
_read_comments = page(ReviewComment)
_read_comment = one(ReviewComment)


def create_review(
    repository: Repository,
    number: int,
    *,
    commit_id: str,
    body: str,
    event: str | None,
    comments: Sequence[dict[str, object]],
) -> Endpoint[Review]:
    """Add a review with its comments, all or none; without an event it is pending.

    Sending it twice makes two.
    """
    sent: dict[str, object] = {"commit_id": commit_id, "comments": list(comments)}
    if body:
        sent["body"] = body
    if event is not None:
        sent["event"] = event
    request = Request(
        method="POST",
        path=path(_REVIEWS, repository, number=number),
        json=sent,
        template=_REVIEWS,
    )
    return Endpoint(request=request, read=_read_review, repeatable=False)


def get_review(repository: Repository, number: int, review_id: int) -> Endpoint[Review]:
    """Read one review. Raises NotFound for another's pending one."""
    request = _on(_REVIEW, "GET", repository, number, review_id)
    return Endpoint(request=request, read=_read_review, repeatable=True)


def submit_review(
    repository: Repository, number: int, review_id: int, *, event: str, body: str
) -> Endpoint[Review]:
    """Submit a pending review; an empty body leaves the one that it has."""
    sent: dict[str, object] = {"event": event, **({"body": body} if body else {})}
    template = _REVIEW + "/events"
    request = _on(template, "POST", repository, number, review_id, json=sent)
    return Endpoint(request=request, read=_read_review, repeatable=False)


def delete_review(repository: Repository, number: int, review_id: int) -> Endpoint[bool]:
    """Discard a pending review with its comments; returns whether it was there."""
    request = _on(_REVIEW, "DELETE", repository, number, review_id)
    return Endpoint(request=request, read=existed, repeatable=True)


def list_comments_of(
    repository: Repository, number: int, review_id: int
) -> Endpoint[Page[ReviewComment]]:
    """List the comments of one review; GitHub leaves their lines out here."""
    template = _REVIEW + "/comments"
    request = _on(template, "GET", repository, number, review_id)
    return Endpoint(request=request, read=_read_comments, repeatable=True)


def create_reply(
    repository: Repository, number: int, comment_id: int, body: str
) -> Endpoint[ReviewComment]:
    """Reply to the comment that began a thread; sending it twice makes two."""
    request = Request(
        method="POST",
        path=path(_REPLIES, repository, number=number, comment_id=comment_id),
        json={"body": body},
        template=_REPLIES,
    )
    return Endpoint(request=request, read=_read_comment, repeatable=False)


def _on(
    template: str,
    method: str,
    repository: Repository,
    number: int,
    review_id: int,
    *,
    json: dict[str, object] | None = None,
) -> Request:
    return Request(
        method=method,
        path=path(template, repository, number=number, review_id=review_id),
        query=(("per_page", str(PER_PAGE)),) if template.endswith("/comments") else (),
        json=json,
        template=template,
    )
