"""The tools that add to an issue and move it on; nothing here edits what is there."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, JsonValue

from trunkline_jira.arguments import IssueKeyArgument
from trunkline_jira.change_models import AddedComment, JiraTransitions, Transitioned
from trunkline_jira.commenting import Commenting
from trunkline_jira.issue_place import reached_issue
from trunkline_jira.site.client import Jira
from trunkline_jira.tags import DEFAULT_ISSUE, SHOWS_ISSUE, TOOLSET, WRITES_ISSUE
from trunkline_jira.transitioning import Transitioning, browse_transitions
from trunkline_shared.contracts import READ, WRITE, Policy, Reads
from trunkline_shared.tool import tool

WrittenKey = Annotated[str, Field(description="PROJ-123", max_length=255)]
GROUP = Policy(writes=WRITES_ISSUE, needs=("issue_key",), write_group="jira")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTools:
    """What can be done with an issue, and doing it."""

    jira: Jira

    @tool(
        "Get Jira transitions",
        READ,
        Policy(
            reads=Reads(ttl_s=0, tags=SHOWS_ISSUE),
            needs=("issue_key",),
            defaults=DEFAULT_ISSUE,
            toolset=TOOLSET,
        ),
    )
    async def get_jira_transitions(self, *, issue_key: IssueKeyArgument = "") -> JiraTransitions:
        """List what can be done with an issue now: id, name, status it leads to, its fields."""
        return await browse_transitions(self.jira, await reached_issue(self.jira, issue_key))

    @tool("Add Jira comment", WRITE, GROUP)
    async def add_jira_comment(
        self,
        *,
        issue_key: WrittenKey,
        body: Annotated[str, Field(min_length=1, description="Markdown")],
    ) -> AddedComment:
        """Add a comment to an issue. Returns its id and url."""
        key = await reached_issue(self.jira, issue_key)
        return await Commenting(jira=self.jira, key=key, markdown=body).add()

    @tool("Transition Jira issue", WRITE, GROUP)
    async def transition_jira_issue(
        self,
        *,
        issue_key: WrittenKey,
        transition: Annotated[
            str, Field(min_length=1, max_length=255, description="Id, name or target status")
        ],
        fields: Annotated[
            dict[str, JsonValue] | None, Field(description="Of its screen, by name or id")
        ] = None,
        comment: Annotated[str, Field(description="Markdown")] = "",
    ) -> Transitioned:
        """Move an issue to another status. Returns its new status."""
        key = await reached_issue(self.jira, issue_key)
        step = Transitioning(
            jira=self.jira, key=key, wanted=transition, fields=fields or {}, comment=comment
        )
        return await step.make()
