"""Searches: narrowed to what is allowed, bounded, and continued where they stopped."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from trunkline_jira.field_selection import FieldSelector, Selection
from trunkline_jira.issue_reading import Found, IssueView, shown_issue
from trunkline_jira.jql.query import Query
from trunkline_jira.keys import KeyRules
from trunkline_jira.models import JiraIssue
from trunkline_jira.project_listing import ProjectDirectory
from trunkline_jira.search_endpoints import Asked, SentFound, search
from trunkline_jira.search_models import JiraIssues
from trunkline_jira.search_place import Place
from trunkline_jira.sent import SentIssue
from trunkline_jira.site.client import Jira
from trunkline_jira.site.flavour import Deployment
from trunkline_shared.errors import InvalidInput
from trunkline_shared.listing import PageInfo, choose

SHORT = (
    *("summary", "status", "status_category", "type"),
    *("priority", "assignee", "updated", "url"),
)
"""What a list tells of an issue unless other fields are named."""

BOUND = 'updated >= "-90d"'
"""What is put before a search for everything, which Cloud refuses."""

_NOT_IN_LISTS = ("comments", "comments_total")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A search as the caller wants it; `since` is when an issue must have changed."""

    query: Query
    since: datetime | None = None
    fields: Sequence[str]
    limit: int
    cursor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Searcher:
    """Searches issues in the caller's words, within the operator's."""

    selector: FieldSelector
    directory: ProjectDirectory

    @property
    def jira(self) -> Jira:
        return self.selector.jira

    async def search(self, wanted: Wanted) -> JiraIssues:
        """Return a page of the issues found.

        Raises a TrunklineError; InvalidInput for a cursor of another search.
        """
        selection = await self._selection(wanted.fields)
        query = wanted.query.within(await self.directory.allowed_keys())
        if not query.where:
            query = query.narrowed(BOUND)
        since = wanted.since and wanted.since.timestamp()
        question = ("search", self.jira.site, query.text, since, selection.asked)
        read = self.jira.cursors.read(wanted.cursor, *question)
        place = Place.of(read, wanted.since, self.jira.clock.now())
        deployment = await self.jira.deployment()
        asked = Asked(
            jql=place.within(query).text,
            fields=selection.asked,
            limit=wanted.limit,
            place=place.at,
            names=bool(selection.custom),
        )
        found = await self._found(deployment, asked)
        shown = self._shown(deployment, found, selection)
        at = _following(deployment, found)
        following = None if at is None else place.following(at)
        return JiraIssues(
            issues=shown,
            jql=asked.jql,
            page_info=PageInfo(
                has_more=following is not None,
                next_cursor=self.jira.cursors.written(following, *question) if following else None,
                total_count=found.total,
                returned=len(shown),
            ),
            has_more=following is not None,
        )

    async def _selection(self, fields: Sequence[str]) -> Selection:
        for name in fields:
            if name.strip() in _NOT_IN_LISTS:
                raise InvalidInput(
                    f"fields: {name.strip()!r} is not told in lists.",
                    hint="Call list_jira_comments, or get_jira_issue with comments.",
                    details={"field_errors": [{"field": "fields", "problem": "is not in lists"}]},
                )
        named = [name for name in fields if name.strip()]
        return await self.selector.selected(named or SHORT)

    async def _found(self, deployment: Deployment, asked: Asked) -> SentFound:
        try:
            return await self.jira.fetch(search(deployment.flavour, asked))
        except InvalidInput as error:
            if not asked.place or not deployment.flavour.is_cloud:
                raise
            raise InvalidInput(
                "cursor has expired: Jira does not know the place any more.",
                hint="Begin the list again without cursor.",
                details={**error.details, "reason": "cursor_expired"},
            ) from None

    def _shown(
        self, deployment: Deployment, found: SentFound, selection: Selection
    ) -> list[JiraIssue]:
        view = IssueView(selection=selection, comments=0, form="markdown")
        named = [issue.model_copy(update={"names": found.names}) for issue in found.issues]
        issues = [
            shown_issue(self.jira, deployment, Found(issue=issue, comments=None), view)
            for issue in named
            if self._allowed(issue)
        ]
        return choose(issues, selection.shown, JiraIssue)

    def _allowed(self, issue: SentIssue) -> bool:
        """Whether an issue may be told: a second look, should Jira read the query otherwise."""
        key = KeyRules.sent(issue.key)
        return key is not None and self.jira.projects.allows(key.project)


def _following(deployment: Deployment, found: SentFound) -> str | None:
    if deployment.flavour.is_cloud:
        return found.nextPageToken or None
    end = found.startAt + len(found.issues)
    return str(end) if found.issues and end < (found.total or 0) else None
