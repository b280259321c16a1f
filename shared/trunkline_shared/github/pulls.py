"""Endpoints that read pull requests, their files and their reviews.

https://docs.github.com/rest/pulls/pulls · https://docs.github.com/rest/pulls/reviews
"""

from collections.abc import Mapping

from trunkline_shared.exchange import Endpoint, Request, Response
from trunkline_shared.github.pull_models import PullFile, PullRequest, Review
from trunkline_shared.github.reading import checked, one, page
from trunkline_shared.github.repository import Repository, path
from trunkline_shared.vendor.page import Page

PER_PAGE = 100
MOST_FILES = 3_000
"""Where GitHub's list of a pull request's files ends."""

PULLS = "/repos/{owner}/{repo}/pulls"
PULL = PULLS + "/{number}"
_FILES = PULL + "/files"
_REVIEWS = PULL + "/reviews"

_DIFF_S = 60.0

read_pull = one(PullRequest)
_read_pulls = page(PullRequest)
_read_files = page(PullFile)
_read_reviews = page(Review)


def get_pull(repository: Repository, number: int) -> Endpoint[PullRequest]:
    """Read one pull request. Raises NotFound for the number of an issue."""
    request = Request(method="GET", path=path(PULL, repository, number=number), template=PULL)
    return Endpoint(request=request, read=read_pull, repeatable=True)


def list_pulls(
    repository: Repository, filters: Mapping[str, str], *, per_page: int = PER_PAGE
) -> Endpoint[Page[PullRequest]]:
    """List pull requests; `filters` are GitHub's parameters, empty ones left out.

    GitHub ignores a `head` that is not written `owner:branch`.
    """
    given = tuple((name, value) for name, value in filters.items() if value)
    request = Request(
        method="GET",
        path=path(PULLS, repository),
        query=(*given, ("per_page", str(per_page))),
        template=PULLS,
    )
    return Endpoint(request=request, read=_read_pulls, repeatable=True)


def get_diff(repository: Repository, number: int) -> Endpoint[Response]:
    """Read a pull request's diff, to be streamed.

    GitHub refuses it beyond 300 files, 20,000 lines or about a megabyte (TooLarge), and at times
    for no such reason, with 500, 502 or 422, for as long as the head stays: so it is not repeated
    here.
    """
    request = Request(
        method="GET",
        path=path(PULL, repository, number=number),
        headers={"Accept": "application/vnd.github.diff"},
        template=PULL,
    )
    return Endpoint(request=request, read=checked, repeatable=False, timeout_s=_DIFF_S)


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
