"""Endpoints of issues: read, list, open, change (REST "issues").

https://docs.github.com/rest/issues/issues
"""

from collections.abc import Mapping

from trunkline_issues.cursor import BEGINNING, Place
from trunkline_issues.sent_issues import SentIssue
from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.github.reading import one, page
from trunkline_shared.github.repository import Repository, path
from trunkline_shared.vendor.page import Page

PER_PAGE = 100
_ISSUES = "/repos/{owner}/{repo}/issues"
_ISSUE = _ISSUES + "/{number}"

_read_issue = one(SentIssue)
_read_issues = page(SentIssue)


def get_issue(repository: Repository, number: int) -> Endpoint[SentIssue]:
    """Read one issue or pull request; a transferred one is followed to where it is now."""
    return _on_issue("GET", repository, number)


def list_issues(
    repository: Repository,
    filters: Mapping[str, str],
    place: Place = BEGINNING,
    *,
    per_page: int = PER_PAGE,
) -> Endpoint[Page[SentIssue]]:
    """List issues and pull requests; `filters` are GitHub's parameters, empty ones left out."""
    given = tuple((name, value) for name, value in filters.items() if value)
    return Endpoint(
        request=Request(
            method="GET",
            path=path(_ISSUES, repository),
            query=(*given, ("per_page", str(per_page)), *place.query),
            template=_ISSUES,
        ),
        read=_read_issues,
        repeatable=True,
    )


def create_issue(repository: Repository, fields: Mapping[str, object]) -> Endpoint[SentIssue]:
    """Open an issue; sending it twice makes two."""
    request = Request(
        method="POST", path=path(_ISSUES, repository), json=dict(fields), template=_ISSUES
    )
    return Endpoint(request=request, read=_read_issue, repeatable=False)


def update_issue(
    repository: Repository, number: int, fields: Mapping[str, object]
) -> Endpoint[SentIssue]:
    """Set fields of an issue or pull request; what is not named stays."""
    return _on_issue("PATCH", repository, number, fields)


def _on_issue(
    method: str, repository: Repository, number: int, fields: Mapping[str, object] | None = None
) -> Endpoint[SentIssue]:
    request = Request(
        method=method,
        path=path(_ISSUE, repository, number=number),
        json=None if fields is None else dict(fields),
        template=_ISSUE,
    )
    return Endpoint(request=request, read=_read_issue, repeatable=True)
