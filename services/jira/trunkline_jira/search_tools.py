"""The tools that find issues and projects."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_jira.issue_filter import IssueFilter
from trunkline_jira.jql.ordering import ordering
from trunkline_jira.jql.query import LONGEST, parsed
from trunkline_jira.project_browsing import ProjectPage, browse_projects
from trunkline_jira.search_models import JiraIssues, JiraProjects
from trunkline_jira.searching import Searcher, Wanted
from trunkline_jira.tags import PROJECTS, SEARCH, SEARCH_SETTLES_S, TOOLSET
from trunkline_shared.arguments import Moment, PerPage
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.cursor import Cursor
from trunkline_shared.listing import Fields
from trunkline_shared.tool import tool

DEFAULT_ORDER = "updated DESC"
_LONGEST = 1_000
_FOUND = Reads(ttl_s=10, stale_s=600, settle_s=SEARCH_SETTLES_S, tags=(SEARCH,))

Jql = Annotated[str, Field(max_length=LONGEST)]
Short = Annotated[str, Field(max_length=_LONGEST)]
EntryFields = Annotated[
    tuple[str, ...],
    Field(description="Instead of the usual; custom fields by name or id", max_length=64),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTools:
    """Issues by what they have in common, and the projects they are in."""

    searcher: Searcher

    @tool(
        "List Jira issues",
        READ,
        Policy(reads=_FOUND, needs=("project",)),
    )
    async def list_jira_issues(  # noqa: PLR0913 - each is an argument of the tool
        self,
        *,
        project: Annotated[str, Field(description="Key", max_length=255)],
        status: Short = "",
        assignee: Annotated[
            str,
            Field(description="'me', 'unassigned', a name, e-mail or account", max_length=_LONGEST),
        ] = "",
        type: Short = "",  # noqa: A002 - the argument's name
        updated_since: Moment = None,
        jql_extra: Annotated[str, Field(description="Further condition", max_length=LONGEST)] = "",
        order: Short = DEFAULT_ORDER,
        limit: PerPage = 50,
        cursor: Cursor = "",
        fields: EntryFields = (),
    ) -> JiraIssues:
        """List a project's issues: key, summary, status, type, assignee. More: next_cursor."""
        jira = self.searcher.jira
        await jira.check_credentials()
        sorted_by = ordering(order.strip() or DEFAULT_ORDER)
        chosen = IssueFilter(
            project=project,
            status=status,
            assignee=assignee,
            type=type,
            jql_extra=jql_extra,
        )
        query = (await chosen.query(jira)).sorted_by(sorted_by)
        return await self.searcher.search(
            Wanted(query=query, since=updated_since, fields=fields, limit=limit, cursor=cursor)
        )

    @tool("Search Jira", READ, Policy(reads=_FOUND))
    async def search_jira(
        self,
        *,
        jql: Jql,
        fields: EntryFields = (),
        limit: PerPage = 50,
        cursor: Cursor = "",
    ) -> JiraIssues:
        """Search issues by JQL; answers like list_jira_issues, with the jql that was asked."""
        await self.searcher.jira.check_credentials()
        query = parsed(jql)
        return await self.searcher.search(
            Wanted(query=query, fields=fields, limit=limit, cursor=cursor)
        )

    @tool(
        "List Jira projects",
        READ,
        Policy(reads=Reads(ttl_s=3600, stale_s=86_400, tags=(PROJECTS,)), toolset=TOOLSET),
    )
    async def list_jira_projects(
        self,
        *,
        query: Annotated[str, Field(description="Part of key or name", max_length=255)] = "",
        limit: PerPage = 50,
        cursor: Cursor = "",
        fields: Fields = (),
    ) -> JiraProjects:
        """List the projects that may be read. Returns key, name, type."""
        await self.searcher.jira.check_credentials()
        wanted = ProjectPage(text=query.strip(), limit=limit, cursor=cursor, fields=fields)
        return await browse_projects(self.searcher.directory, wanted)
