"""The tool that reads one issue."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_jira.arguments import IssueKeyArgument
from trunkline_jira.bodies import Format
from trunkline_jira.field_selection import FieldSelector
from trunkline_jira.issue_reading import read_issue
from trunkline_jira.models import JiraIssue
from trunkline_jira.tags import DEFAULT_ISSUE, SHOWS_ISSUE
from trunkline_shared.arguments import PLAIN
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.reuse import Reusable
from trunkline_shared.tool import tool

MOST_COMMENTS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueTools:
    """One issue, as every agent needs it."""

    selector: FieldSelector

    @tool(
        "Get Jira issue",
        READ,
        Policy(
            reads=Reads(ttl_s=30, stale_s=600, tags=SHOWS_ISSUE),
            needs=("issue_key",),
            defaults=DEFAULT_ISSUE,
        ),
    )
    async def get_jira_issue(
        self,
        *,
        issue_key: IssueKeyArgument = "",
        fields: Annotated[
            tuple[str, ...],
            Field(description="Only these; custom fields by name or id", max_length=64),
        ] = (),
        comments: Annotated[
            int, Field(ge=0, le=MOST_COMMENTS, description="How many of the newest"), PLAIN
        ] = 0,
        format: Format = "markdown",  # noqa: A002 - the argument's name
    ) -> Reusable[JiraIssue]:
        """Read an issue: summary, description, status, people, links, subtasks, comments."""
        key = await self.selector.jira.issue_key(issue_key)
        return await read_issue(self.selector, key, fields=fields, comments=comments, form=format)
