"""Opening an issue once, also when nobody can say whether it has been opened."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from trunkline_issues.issue_endpoints import create_issue, get_issue, list_issues
from trunkline_issues.issue_models import Opened
from trunkline_issues.issue_shapes import assignees_of, labels_of
from trunkline_issues.sent_issues import SentIssue
from trunkline_shared.clock import Clock
from trunkline_shared.errors import NotFound
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_finding import is_by, same_text
from trunkline_shared.github.comment_posting import MARKED_SKEW_S, TEXT_SKEW_S
from trunkline_shared.github.keyed_lock import KeyedWrites
from trunkline_shared.github.markers import Marker, marker_of
from trunkline_shared.github.repository import Repository
from trunkline_shared.untrusted import sanitize
from trunkline_shared.vendor.doubtful_write import DoubtfulWrite, with_time_to_look
from trunkline_shared.vendor.paging import PAGE_CAP

Wanted = Callable[[SentIssue], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewIssue:
    """An issue to open; `body` holds its marker already, if it has one."""

    title: str
    body: str = ""
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    milestone: int = 0
    type: str = ""

    @property
    def fields(self) -> Mapping[str, object]:
        """What GitHub is sent: no field that was not given."""
        given: dict[str, object] = {
            "body": self.body,
            "labels": list(self.labels),
            "assignees": list(self.assignees),
            "milestone": self.milestone,
            "type": self.type,
        }
        return {"title": self.title, **{name: value for name, value in given.items() if value}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Opens issues of one repository, and knows those that bear a marker."""

    github: GitHub
    clock: Clock
    marked: KeyedWrites
    repository: Repository

    async def open(self, new: NewIssue) -> Opened:
        """Open the issue; one whose marker is there already is returned as it is.

        Raises the failure, with `may_have_happened` when that is unknown.
        """
        marker = marker_of(new.body)
        if marker is None:
            return _opened(await self._post(new, None), new, created=True)
        async with self.marked.alone(self._key(marker)):
            there = await self._with_marker(marker)
            if there is not None:
                return _opened(there, new, created=False)
            return _opened(await self._post(new, marker), new, created=True)

    async def _post(self, new: NewIssue, marker: Marker | None) -> SentIssue:
        since = self.clock.now() - (MARKED_SKEW_S if marker else TEXT_SKEW_S)

        async def send() -> SentIssue:
            endpoint = create_issue(self.repository, new.fields)
            return await self.github.fetch(with_time_to_look(endpoint))

        async def look() -> SentIssue | None:
            return await self._first(_bears(marker) if marker else _says(new, since), since)

        issue = await DoubtfulWrite(
            send=send,
            look=look,
            repeatable=marker is not None,
            how_to_look="look with github_list_issues",
        ).perform()
        if marker is not None:
            self.marked.remember(self._key(marker), issue.number)
        return issue

    async def _with_marker(self, marker: Marker) -> SentIssue | None:
        recalled = await self._recalled(marker)
        if recalled is not None and _bears(marker)(recalled):
            return recalled
        return await self._first(_bears(marker), None)

    async def _recalled(self, marker: Marker) -> SentIssue | None:
        number = self.marked.recall(self._key(marker))
        if number is None:
            return None
        try:
            return await self.github.fetch(get_issue(self.repository, number))
        except NotFound:
            self.marked.forget(self._key(marker))
            return None

    async def _first(self, wanted: Wanted, since: float | None) -> SentIssue | None:
        """Return the oldest issue of our own account that is wanted."""
        login = await self.github.login()
        async for issue in self._own(login, since):
            if not issue.is_pull and is_by(issue.user, login) and wanted(issue):
                return issue
        return None

    async def _own(self, login: str, since: float | None) -> AsyncIterator[SentIssue]:
        filters = {"state": "all", "creator": login, "sort": "created", "direction": "asc"}
        if since is not None:
            filters["since"] = datetime.fromtimestamp(since, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        endpoint = list_issues(self.repository, filters)
        for _ in range(PAGE_CAP):
            page = await self.github.fetch(endpoint)
            for issue in page.items:
                yield issue
            if page.next_url is None:
                return
            request = replace(endpoint.request, path=page.next_url, query=())
            endpoint = replace(endpoint, request=request)

    def _key(self, marker: Marker) -> tuple[str, int, str]:
        return (self.repository.slug.lower(), 0, marker.text)


def _bears(marker: Marker) -> Wanted:
    return lambda issue: marker_of(issue.body) == marker


def _says(new: NewIssue, since: float) -> Wanted:
    def matches(issue: SentIssue) -> bool:
        is_new = issue.created_at.timestamp() >= since
        return is_new and issue.title == new.title and same_text(issue.body, new.body)

    return matches


def _opened(issue: SentIssue, new: NewIssue, *, created: bool) -> Opened:
    return Opened(
        number=issue.number,
        title=sanitize(issue.title),
        url=issue.html_url,
        state=issue.state,
        created=created,
        labels=labels_of(issue),
        assignees=assignees_of(issue),
        not_applied=_not_applied(issue, new) if created else [],
    )


def _not_applied(issue: SentIssue, new: NewIssue) -> list[str]:
    """Return the fields that GitHub dropped without a word, as it does for who may not triage."""
    lacking = {
        "labels": not _folded(new.labels) <= _folded(issue.label_names),
        "assignees": not _folded(new.assignees) <= _folded(u.login for u in issue.assignees),
        "milestone": bool(new.milestone) and issue.milestone is None,
        "type": bool(new.type) and issue.type is None,
    }
    return [name for name, lacks in lacking.items() if lacks]


def _folded(names: Iterable[str]) -> set[str]:
    return {name.casefold() for name in names}
