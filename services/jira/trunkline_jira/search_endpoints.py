"""Endpoints that search: issues by JQL, people, projects. A search is a POST that changes nothing.

https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/ and
https://docs.atlassian.com/software/jira/docs/api/REST/9.12.0/#api/2/search
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator

from trunkline_jira.sent import Sent, SentIssue, SentUser, Text, listed
from trunkline_jira.site.flavour import Flavour
from trunkline_jira.site.reading import one
from trunkline_shared.exchange import Endpoint, Request, Response

MOST_PEOPLE = 20
MOST_PROJECTS = 50


class SentFound(Sent):
    """A page of issues; Cloud counts nothing and tells a token, Data Center counts all.

    `names` says what people call the fields when that was asked for.
    """

    issues: Annotated[tuple[SentIssue, ...], BeforeValidator(listed)] = ()
    names: dict[str, str] | None = None
    nextPageToken: str | None = None  # noqa: N815 - Jira's spelling
    startAt: int = 0  # noqa: N815 - Jira's spelling
    total: int | None = None


class SentProject(Sent):
    """A project as lists show it."""

    key: str
    name: Text = ""
    projectTypeKey: str | None = None  # noqa: N815 - Jira's spelling


class SentProjects(Sent):
    """A page of projects."""

    values: Annotated[tuple[SentProject, ...], BeforeValidator(listed)] = ()
    startAt: int = 0  # noqa: N815 - Jira's spelling
    total: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A search as Jira takes it; `place` is where it goes on: a token, or a number of issues.

    With `names` it also tells what people call the fields.
    """

    jql: str
    fields: Sequence[str]
    limit: int
    place: str = ""
    names: bool = False


_read_found = one(SentFound)
_read_people = one(tuple[SentUser, ...])
_read_page = one(SentProjects)
_read_all = one(tuple[SentProject, ...])


def search(flavour: Flavour, asked: Asked) -> Endpoint[SentFound]:
    """Search issues, with the fields that are named: without them Cloud tells ids only."""
    body: dict[str, object] = {
        "jql": asked.jql,
        "fields": list(asked.fields),
        "maxResults": asked.limit,
    }
    if flavour.is_cloud:
        path = f"{flavour.api}/search/jql"
        body |= {"expand": "names"} if asked.names else {}
        body |= {"nextPageToken": asked.place} if asked.place else {}
    else:
        path = f"{flavour.api}/search"
        body |= {"expand": ["names"]} if asked.names else {}
        body |= {"startAt": int(asked.place or 0)}
    request = Request(method="POST", path=path, json=body, template=path, asks_only=True)
    return Endpoint(request=request, read=_read_found, repeatable=True)


def find_people(flavour: Flavour, text: str) -> Endpoint[tuple[SentUser, ...]]:
    """Find accounts by name or address: Cloud takes neither in a query."""
    path = f"{flavour.api}/user/search"
    query = (("query" if flavour.is_cloud else "username", text), ("maxResults", str(MOST_PEOPLE)))
    request = Request(method="GET", path=path, query=query, template=path)
    return Endpoint(request=request, read=_read_people, repeatable=True)


def find_projects(flavour: Flavour, text: str, start: int) -> Endpoint[SentProjects]:
    """Read a page of the projects that the account sees; Data Center has all of them on one."""
    if not flavour.is_cloud:
        path = f"{flavour.api}/project"
        request = Request(method="GET", path=path, template=path)
        return Endpoint(request=request, read=_all_projects, repeatable=True)
    path = f"{flavour.api}/project/search"
    query = [("startAt", str(start)), ("maxResults", str(MOST_PROJECTS)), ("orderBy", "key")]
    if text:
        query.append(("query", text))
    request = Request(method="GET", path=path, query=tuple(query), template=path)
    return Endpoint(request=request, read=_read_page, repeatable=True)


def _all_projects(response: Response) -> SentProjects:
    found = _read_all(response)
    return SentProjects(values=found, total=len(found))
