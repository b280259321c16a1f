"""Endpoints that read pull requests, their files and their reviews.

https://docs.github.com/rest/pulls/pulls · https://docs.github.com/rest/pulls/reviews
"""

from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.github.page import Page
from trunkline_shared.github.pull_models import PullFile, PullRequest, Review
from trunkline_shared.github.reading import one, page
from trunkline_shared.github.repository import Repository, path

PER_PAGE = 100
MOST_FILES = 3_000
"""Where GitHub's list of a pull request's files ends."""

PULL = "/repos/{owner}/{repo}/pulls/{number}"
_FILES = PULL + "/files"
_REVIEWS = PULL + "/reviews"

read_pull = one(PullRequest)
_read_files = page(PullFile)
_read_reviews = page(Review)


def get_pull(repository: Repository, number: int) -> Endpoint[PullRequest]:
    """Read one pull request. Raises NotFound for the number of an issue."""
    request = Request(method="GET", path=path(PULL, repository, number=number), template=PULL)
    return Endpoint(request=request, read=read_pull, repeatable=True)


def list_files(
    repository: Repository, number: int, *, page_number: int = 1, per_page: int = PER_PAGE
) -> Endpoint[Page[PullFile]]:
    """List the files that a pull request changes; GitHub ends the list at 3,000."""
    request = _paged(_FILES, repository, number, page_number, per_page)
    return Endpoint(request=request, read=_read_files, repeatable=True)


def list_reviews(
    repository: Repository, number: int, *, page_number: int = 1, per_page: int = PER_PAGE
) -> Endpoint[Page[Review]]:
    """List the reviews of a pull request, oldest first, with the caller's own pending one."""
    request = _paged(_REVIEWS, repository, number, page_number, per_page)
    return Endpoint(request=request, read=_read_reviews, repeatable=True)


def _paged(
    template: str, repository: Repository, number: int, page_number: int, per_page: int
) -> Request:
    return Request(
        method="GET",
        path=path(template, repository, number=number),
        query=(("per_page", str(per_page)), ("page", str(page_number))),
        template=template,
    )
