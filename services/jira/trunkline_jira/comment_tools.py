"""The tool that lists comments."""

from dataclasses import dataclass

from trunkline_jira.arguments import IssueKeyArgument
from trunkline_jira.comment_reading import CommentPage, browse_comments
from trunkline_jira.endpoints import Order
from trunkline_jira.issue_place import reached_issue
from trunkline_jira.models import JiraComments
from trunkline_jira.site.client import Jira
from trunkline_jira.tags import DEFAULT_ISSUE, SHOWS_ISSUE, TOOLSET, issue_tags
from trunkline_shared.arguments import PerPage
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.cursor import Cursor
from trunkline_shared.listing import Fields
from trunkline_shared.reuse import Reusable, Reuse
from trunkline_shared.tool import tool


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentTools:
    """What people say about an issue."""

    jira: Jira

    @tool(
        "List Jira comments",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, tags=SHOWS_ISSUE),
            needs=("issue_key",),
            defaults=DEFAULT_ISSUE,
            toolset=TOOLSET,
        ),
    )
    async def list_jira_comments(
        self,
        *,
        issue_key: IssueKeyArgument = "",
        order: Order = "newest",
        limit: PerPage = 30,
        cursor: Cursor = "",
        fields: Fields = (),
    ) -> Reusable[JiraComments]:
        """List an issue's comments. Returns comments, has_more, page_info.next_cursor."""
        key = await reached_issue(self.jira, issue_key)
        wanted = CommentPage(key=key, order=order, limit=limit, cursor=cursor, fields=fields)
        found = await browse_comments(self.jira, wanted)
        return Reusable(found, Reuse(tags=issue_tags(self.jira.site, [found.key])))
