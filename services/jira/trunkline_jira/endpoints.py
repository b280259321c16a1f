"""Endpoints that read: an issue, its comments, the fields, the account.

https://developer.atlassian.com/cloud/jira/platform/rest/v3/ and
https://docs.atlassian.com/software/jira/docs/api/REST/9.12.0/
"""

from collections.abc import Sequence
from typing import Literal

from trunkline_jira.keys import IssueKey
from trunkline_jira.sent import SentComments, SentField, SentIssue, SentUser
from trunkline_jira.site.flavour import Flavour
from trunkline_jira.site.reading import one
from trunkline_shared.exchange import Endpoint, Request

Order = Literal["newest", "oldest"]

_ISSUE = "/issue/{key}"
_ORDERS: dict[Order, str] = {"newest": "-created", "oldest": "created"}

_read_issue = one(SentIssue)
_read_comments = one(SentComments)
_read_fields = one(tuple[SentField, ...])
_read_user = one(SentUser)


def get_issue(
    flavour: Flavour, key: IssueKey, fields: Sequence[str], *, names: bool = False
) -> Endpoint[SentIssue]:
    """Read the named fields of an issue; with `names` also what people call them."""
    query = [("fields", ",".join(fields))]
    if names:
        query.append(("expand", "names"))
    request = Request(
        method="GET",
        path=issue_path(flavour, key),
        query=tuple(query),
        template=flavour.api + _ISSUE,
    )
    return Endpoint(request=request, read=_read_issue, repeatable=True)


def list_comments(
    flavour: Flavour, key: IssueKey, order: Order, *, start: int = 0, limit: int
) -> Endpoint[SentComments]:
    """Read a page of an issue's comments from the one numbered `start` on."""
    request = Request(
        method="GET",
        path=f"{issue_path(flavour, key)}/comment",
        query=(
            ("startAt", str(start)),
            ("maxResults", str(limit)),
            ("orderBy", _ORDERS[order]),
        ),
        template=f"{flavour.api}{_ISSUE}/comment",
    )
    return Endpoint(request=request, read=_read_comments, repeatable=True)


def list_fields(flavour: Flavour) -> Endpoint[tuple[SentField, ...]]:
    """Read all fields of the site, with what people call them."""
    path = f"{flavour.api}/field"
    request = Request(method="GET", path=path, template=path)
    return Endpoint(request=request, read=_read_fields, repeatable=True)


def myself(flavour: Flavour) -> Endpoint[SentUser]:
    """Read the account of the credential."""
    path = f"{flavour.api}/myself"
    request = Request(method="GET", path=path, template=path)
    return Endpoint(request=request, read=_read_user, repeatable=True)


def issue_path(flavour: Flavour, key: IssueKey) -> str:
    """Return the path of an issue."""
    return f"{flavour.api}/issue/{key.segment}"
