"""Listing a repository's issues: GitHub's pages, filtered here by what it cannot filter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from trunkline_issues.cursor import Place, following, read, written
from trunkline_issues.issue_endpoints import list_issues
from trunkline_issues.issue_models import IssueEntry, Issues
from trunkline_issues.issue_shapes import entry
from trunkline_issues.sent_issues import SentIssue
from trunkline_shared.exchange import Response
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.repository import Repository
from trunkline_shared.listing import PageInfo, choose
from trunkline_shared.vendor.answered import source_of, with_response
from trunkline_shared.vendor.page import Page

MOST_PAGES = 20
"""Of GitHub's pages in one call: a filter that lets nothing through must end, and say so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueQuery:
    """Which issues to list; `labels` must all be there. Empty texts filter nothing."""

    labels: Sequence[str] = ()
    state: str = "open"
    assignee: str = ""
    creator: str = ""
    milestone: str = ""
    since: datetime | None = None
    sort: str = "created"
    direction: str = "desc"
    include_prs: bool = False

    @property
    def filters(self) -> Mapping[str, str]:
        """What GitHub filters; a label with a comma cannot be said to it."""
        since = self.since
        return {
            "state": self.state,
            "labels": ",".join(name for name in self.labels if "," not in name),
            "assignee": self.assignee,
            "creator": self.creator,
            "milestone": self.milestone,
            "since": since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if since else "",
            "sort": self.sort,
            "direction": self.direction,
        }

    def lets_through(self, issue: SentIssue) -> bool:
        """Say whether an issue that GitHub let through is wanted."""
        have = {name.casefold() for name in issue.label_names}
        with_comma = (name.casefold() for name in self.labels if "," in name)
        return (self.include_prs or not issue.is_pull) and all(one in have for one in with_comma)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Issues, where the list goes on (None: nowhere), and the last answer."""

    issues: Sequence[SentIssue]
    goes_on: Place | None
    capped: bool
    response: Response


async def browse(
    github: GitHub,
    repository: Repository,
    query: IssueQuery,
    *,
    limit: int,
    cursor: str,
    fields: Sequence[str],
) -> Issues:
    """Return a page of issues.

    Raises InvalidInput for an unknown field or an unusable cursor before anything is asked.
    """
    choose((), fields, IssueEntry)
    question = (repository.slug.lower(), query)
    found = await _walk(github, repository, query, read(cursor, *question), limit)
    entries = choose([entry(one) for one in found.issues], fields, IssueEntry)
    has_more = found.goes_on is not None
    return Issues(
        issues=entries,
        page_info=PageInfo(
            has_more=has_more,
            next_cursor=written(found.goes_on, *question) if found.goes_on else None,
            returned=len(entries),
            truncated=found.capped,
        ),
        has_more=has_more,
        source=source_of(found.response),
    )


async def _walk(
    github: GitHub, repository: Repository, query: IssueQuery, place: Place, limit: int
) -> _Found:
    """Read GitHub's pages until `limit` issues are found, the list or our patience ends."""
    found: list[SentIssue] = []
    pages = 0
    while True:
        endpoint = list_issues(repository, query.filters, place)
        page, response = await github.fetch(with_response(endpoint))
        taken, goes_on = _taken(page, place, query, limit - len(found))
        found += taken
        pages += 1
        capped = pages == MOST_PAGES and len(found) < limit and goes_on is not None
        if goes_on is None or len(found) == limit or capped:
            return _Found(issues=found, goes_on=goes_on, capped=capped, response=response)
        place = goes_on


def _taken(
    page: Page[SentIssue], place: Place, query: IssueQuery, room: int
) -> tuple[Sequence[SentIssue], Place | None]:
    """Return what is wanted of a page, at most `room`, and where the list goes on after it."""
    wanted = [
        (index, issue)
        for index, issue in enumerate(page.items)
        if index >= place.skip and query.lets_through(issue)
    ]
    taken = [issue for _, issue in wanted[:room]]
    if len(wanted) > room:
        return taken, replace(place, skip=wanted[room][0])
    return taken, following(page.next_url)
