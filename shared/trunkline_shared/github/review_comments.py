"""Endpoints that list a pull request's review comments and add one.

https://docs.github.com/rest/pulls/comments
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal

from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.github.comment_models import ReviewComment
from trunkline_shared.github.pulls import PER_PAGE, PULL
from trunkline_shared.github.reading import one, page
from trunkline_shared.github.repository import Repository, path
from trunkline_shared.vendor.page import Page

Sort = Literal["created", "updated"]
Direction = Literal["asc", "desc"]

_COMMENTS = PULL + "/comments"
_read_comment = one(ReviewComment)
_read_comments = page(ReviewComment)


def list_review_comments(  # noqa: PLR0913 - the parameters of GitHub's own list
    repository: Repository,
    number: int,
    *,
    since: datetime | None = None,
    sort: Sort = "created",
    direction: Direction = "asc",
    page_number: int = 1,
    per_page: int = PER_PAGE,
) -> Endpoint[Page[ReviewComment]]:
    """List the review comments of a pull request, without those of pending reviews.

    `since` keeps those updated at or after that time. GitHub heeds the direction only with a sort.
    """
    query = [
        ("sort", sort),
        ("direction", direction),
        ("per_page", str(per_page)),
        ("page", str(page_number)),
    ]
    if since is not None:
        query.append(("since", since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")))
    request = Request(
        method="GET",
        path=path(_COMMENTS, repository, number=number),
        query=tuple(query),
        template=_COMMENTS,
    )
    return Endpoint(request=request, read=_read_comments, repeatable=True)


def create_review_comment(
    repository: Repository, number: int, *, body: str, commit_id: str, anchor: Mapping[str, object]
) -> Endpoint[ReviewComment]:
    """Comment on lines of the diff; sending it twice makes two.

    `anchor` has path, line, side, start_line, start_side or subject_type, never `position`.
    """
    request = Request(
        method="POST",
        path=path(_COMMENTS, repository, number=number),
        json={"body": body, "commit_id": commit_id, **anchor},
        template=_COMMENTS,
    )
    return Endpoint(request=request, read=_read_comment, repeatable=False)
