"""Endpoints of labels: a repository's, and those of one issue (REST "labels").

https://docs.github.com/rest/issues/labels
"""

from collections.abc import Sequence

from trunkline_issues.cursor import BEGINNING, Place
from trunkline_issues.sent_issues import Label
from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.github.reading import one, page
from trunkline_shared.github.repository import Repository, path
from trunkline_shared.vendor.page import Page

PER_PAGE = 100
_LABELS = "/repos/{owner}/{repo}/labels"
_OF_ISSUE = "/repos/{owner}/{repo}/issues/{number}/labels"
_ONE_OF_ISSUE = _OF_ISSUE + "/{name}"

_read_page = page(Label)
_read_labels = one(tuple[Label, ...])


def list_labels(
    repository: Repository, place: Place = BEGINNING, *, per_page: int = PER_PAGE
) -> Endpoint[Page[Label]]:
    """List the labels of a repository."""
    return Endpoint(
        request=Request(
            method="GET",
            path=path(_LABELS, repository),
            query=(("per_page", str(per_page)), *place.query),
            template=_LABELS,
        ),
        read=_read_page,
        repeatable=True,
    )


def add_labels(
    repository: Repository, number: int, names: Sequence[str]
) -> Endpoint[tuple[Label, ...]]:
    """Add labels to an issue; GitHub creates those that the repository lacks, if it may."""
    return Endpoint(
        request=Request(
            method="POST",
            path=path(_OF_ISSUE, repository, number=number),
            json={"labels": list(names)},
            template=_OF_ISSUE,
        ),
        read=_read_labels,
        repeatable=True,
    )


def remove_label(repository: Repository, number: int, name: str) -> Endpoint[tuple[Label, ...]]:
    """Take a label off an issue; returns those that remain. Raises NotFound when it is off."""
    return Endpoint(
        request=Request(
            method="DELETE",
            path=path(_ONE_OF_ISSUE, repository, number=number, name=name),
            template=_ONE_OF_ISSUE,
        ),
        read=_read_labels,
        repeatable=True,
    )
