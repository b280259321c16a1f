"""The tools that open, change and reopen issues."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_issues.closing import Closing
from trunkline_issues.issue_creating import NewIssue, Opening
from trunkline_issues.issue_models import Changed, Opened, Reopened
from trunkline_issues.issue_text import LONGEST_TITLE, checked_body, checked_title
from trunkline_issues.issue_updating import Change, Clearable, change
from trunkline_issues.labelling import spelled
from trunkline_issues.tags import WRITES_ISSUE, WRITES_ISSUE_AND_LABELS, WRITES_NEW_ISSUE
from trunkline_shared.arguments import OptionalNumber
from trunkline_shared.binding import require_bound
from trunkline_shared.contracts import WRITE, WRITE_IDEMPOTENT, Policy
from trunkline_shared.github.arguments import IssueNumber, Owner, Repo
from trunkline_shared.github.comment_finding import Conversation
from trunkline_shared.github.markers import parse_marker
from trunkline_shared.github.targets import require_bound_issue, to_write
from trunkline_shared.tool import tool

Names = Annotated[tuple[str, ...], Field(max_length=100)]
MilestoneNumber = Annotated[OptionalNumber, Field(description="Number")]


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueWriteTools:
    """What changes issues beyond labels and closing."""

    closing: Closing

    @tool(
        "Create issue",
        WRITE,
        Policy(writes=WRITES_NEW_ISSUE, needs=("owner", "repo"), write_group="issues"),
    )
    async def create_issue(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        title: Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE)],
        body: Annotated[str, Field(description="Markdown")] = "",
        labels: Names = (),
        assignees: Annotated[tuple[str, ...], Field(max_length=10)] = (),
        milestone: MilestoneNumber = 0,
        type: Annotated[str, Field(description="Issue type of the organization")] = "",  # noqa: A002 - GitHub's name
        create_missing: Annotated[bool, Field(description="Make unknown labels")] = False,
        marker: Annotated[str, Field(description="Hidden key: a retry never opens two")] = "",
        owner: Owner = "",
        repo: Repo = "",
    ) -> Opened:
        """Open an issue. With a marker used before, returns that issue (created: false)."""
        github = self.closing.github
        repository = await to_write(github, owner, repo)
        require_bound("What would be opened", "a new issue", "issue_number", "pr_number")
        key = parse_marker(marker)
        new = NewIssue(
            title=checked_title(title),
            body=checked_body(body, key),
            labels=await spelled(github, repository, labels, create_missing=create_missing),
            assignees=assignees,
            milestone=milestone,
            type=type,
        )
        opening = Opening(
            github=github,
            clock=self.closing.clock,
            marked=self.closing.writes,
            repository=repository,
        )
        return await opening.open(new)

    @tool(
        "Update issue",
        WRITE_IDEMPOTENT,
        Policy(
            writes=WRITES_ISSUE_AND_LABELS,
            needs=("owner", "repo", "issue_number"),
            write_group="issues",
        ),
    )
    async def update_issue(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        issue_number: IssueNumber,
        title: Annotated[str, Field(max_length=LONGEST_TITLE)] = "",
        body: str = "",
        labels: Annotated[
            tuple[str, ...], Field(max_length=100, description="Replace the present ones")
        ] = (),
        assignees: Annotated[
            tuple[str, ...], Field(max_length=10, description="Replace the present ones")
        ] = (),
        milestone: MilestoneNumber = 0,
        type: str = "",  # noqa: A002 - GitHub's name
        clear: Annotated[tuple[Clearable, ...], Field(description="Empty these")] = (),
        create_missing: Annotated[bool, Field(description="Make unknown labels")] = False,
        owner: Owner = "",
        repo: Repo = "",
    ) -> Changed:
        """Change an issue; what is not given stays. Returns edited: false if it was so already."""
        github = self.closing.github
        repository = await to_write(github, owner, repo)
        require_bound_issue(issue_number)
        wanted = Change(
            title=title,
            body=body,
            labels=labels,
            assignees=assignees,
            milestone=milestone,
            type=type,
            clear=clear,
            create_missing=create_missing,
        )
        return await change(github, repository, issue_number, wanted)

    @tool(
        "Reopen issue",
        WRITE_IDEMPOTENT,
        Policy(writes=WRITES_ISSUE, needs=("owner", "repo", "issue_number"), write_group="issues"),
    )
    async def reopen_issue(
        self,
        *,
        issue_number: IssueNumber,
        allow_pr: Annotated[bool, Field(description="Reopen a pull request")] = False,
        owner: Owner = "",
        repo: Repo = "",
    ) -> Reopened:
        """Open a closed issue again. One that is open stays so (was_closed: false)."""
        repository = await to_write(self.closing.github, owner, repo)
        require_bound_issue(issue_number)
        where = Conversation(repository=repository, number=issue_number)
        return await self.closing.reopen(where, allow_pr=allow_pr)
