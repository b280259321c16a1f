"""Endpoints of issue comments and of review comments (REST "issue comments", "pulls comments").

https://docs.github.com/rest/issues/comments · https://docs.github.com/rest/pulls/comments
"""

from datetime import UTC, datetime

from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.github.comment_models import IssueComment, ReviewComment
from trunkline_shared.github.reading import existed, one, page
from trunkline_shared.github.repository import Repository, path
from trunkline_shared.vendor.page import Page

PER_PAGE = 100
_ISSUE_COMMENTS = "/repos/{owner}/{repo}/issues/{number}/comments"
_ISSUE_COMMENT = "/repos/{owner}/{repo}/issues/comments/{comment_id}"
_REVIEW_COMMENT = "/repos/{owner}/{repo}/pulls/comments/{comment_id}"

_read_issue_comment = one(IssueComment)
_read_issue_comments = page(IssueComment)
_read_review_comment = one(ReviewComment)


def get_issue_comment(repository: Repository, comment_id: int) -> Endpoint[IssueComment]:
    """Read one comment of a conversation. Raises NotFound for one that is a review comment."""
    return Endpoint(
        request=_on(_ISSUE_COMMENT, "GET", repository, comment_id),
        read=_read_issue_comment,
        repeatable=True,
    )


def list_issue_comments(
    repository: Repository,
    number: int,
    *,
    since: datetime | None = None,
    page_number: int = 1,
    per_page: int = PER_PAGE,
) -> Endpoint[Page[IssueComment]]:
    """List the comments of an issue or pull request, oldest first (there is no other order).

    `since` keeps those updated at or after that time.
    """
    query = [("per_page", str(per_page)), ("page", str(page_number))]
    if since is not None:
        query.append(("since", since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")))
    return Endpoint(
        request=Request(
            method="GET",
            path=path(_ISSUE_COMMENTS, repository, number=number),
            query=tuple(query),
            template=_ISSUE_COMMENTS,
        ),
        read=_read_issue_comments,
        repeatable=True,
    )


def create_issue_comment(repository: Repository, number: int, body: str) -> Endpoint[IssueComment]:
    """Add a comment to an issue or pull request; sending it twice makes two."""
    return Endpoint(
        request=Request(
            method="POST",
            path=path(_ISSUE_COMMENTS, repository, number=number),
            json={"body": body},
            template=_ISSUE_COMMENTS,
        ),
        read=_read_issue_comment,
        repeatable=False,
    )


def update_issue_comment(
    repository: Repository, comment_id: int, body: str
) -> Endpoint[IssueComment]:
    """Replace the body of a comment of a conversation."""
    return Endpoint(
        request=_on(_ISSUE_COMMENT, "PATCH", repository, comment_id, body=body),
        read=_read_issue_comment,
        repeatable=True,
    )


def delete_issue_comment(repository: Repository, comment_id: int) -> Endpoint[bool]:
    """Delete a comment of a conversation; returns whether it was there."""
    return Endpoint(
        request=_on(_ISSUE_COMMENT, "DELETE", repository, comment_id),
        read=existed,
        repeatable=True,
    )


def get_review_comment(repository: Repository, comment_id: int) -> Endpoint[ReviewComment]:
    """Read one comment on a diff. Raises NotFound for one of a conversation."""
    return Endpoint(
        request=_on(_REVIEW_COMMENT, "GET", repository, comment_id),
        read=_read_review_comment,
        repeatable=True,
    )


def update_review_comment(
    repository: Repository, comment_id: int, body: str
) -> Endpoint[ReviewComment]:
    """Replace the body of a comment on a diff."""
    return Endpoint(
        request=_on(_REVIEW_COMMENT, "PATCH", repository, comment_id, body=body),
        read=_read_review_comment,
        repeatable=True,
    )


def delete_review_comment(repository: Repository, comment_id: int) -> Endpoint[bool]:
    """Delete a comment on a diff; returns whether it was there."""
    return Endpoint(
        request=_on(_REVIEW_COMMENT, "DELETE", repository, comment_id),
        read=existed,
        repeatable=True,
    )


def _on(
    template: str, method: str, repository: Repository, comment_id: int, *, body: str | None = None
) -> Request:
    return Request(
        method=method,
        path=path(template, repository, comment_id=comment_id),
        json=None if body is None else {"body": body},
        template=template,
    )
