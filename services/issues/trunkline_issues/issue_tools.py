"""The tools that list, read and close issues."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from trunkline_issues.closing import Closing, Reason, wish
from trunkline_issues.cursor import Cursor
from trunkline_issues.issue_listing import IssueQuery, browse
from trunkline_issues.issue_models import Closed, Issue, Issues
from trunkline_issues.issue_reading import read_issue
from trunkline_issues.label_names import distinct
from trunkline_issues.tags import (
    LISTED,
    NUMBERED,
    REPOSITORY_DEFAULTS,
    WRITES_ISSUE_AND_COMMENT,
)
from trunkline_shared.arguments import Moment, OptionalNumber, PerPage, UpToHundred
from trunkline_shared.contracts import READ, WRITE_IDEMPOTENT, Policy, Reads
from trunkline_shared.github.arguments import IssueNumber, Owner, Repo
from trunkline_shared.github.comment_finding import Conversation
from trunkline_shared.github.tags import EDITED_COMMENTS
from trunkline_shared.github.targets import require_bound_issue, to_read, to_write
from trunkline_shared.listing import Fields
from trunkline_shared.tool import tool


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueTools:
    """Issues, as every agent needs them."""

    closing: Closing

    @tool(
        "List issues",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, tags=LISTED),
            needs=("owner", "repo"),
            defaults=REPOSITORY_DEFAULTS,
        ),
    )
    async def github_list_issues(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        label: str = "",
        labels: Annotated[tuple[str, ...], Field(description="All of them", max_length=20)] = (),
        state: Literal["open", "closed", "all"] = "open",
        limit: PerPage = 30,
        assignee: Annotated[str, Field(description="Login, * or none")] = "",
        creator: str = "",
        since: Annotated[Moment, Field(description="Updated at or after")] = None,
        sort: Literal["created", "updated", "comments"] = "created",
        direction: Literal["asc", "desc"] = "desc",
        milestone: Annotated[str, Field(description="Number, * or none")] = "",
        include_prs: bool = False,
        cursor: Cursor = "",
        fields: Fields = (),
        owner: str = "",
        repo: str = "",
    ) -> Issues:
        """List a repository's issues without bodies. Returns issues, has_more, next_cursor."""
        github = self.closing.github
        repository = await to_read(github, owner, repo)
        query = IssueQuery(
            labels=distinct([*([label] if label else []), *labels]),
            state=state,
            assignee=assignee.strip(),
            creator=creator.strip(),
            milestone=milestone.strip(),
            since=since,
            sort=sort,
            direction=direction,
            include_prs=include_prs,
        )
        return await browse(github, repository, query, limit=limit, cursor=cursor, fields=fields)

    @tool(
        "Get issue",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, tags=(NUMBERED, EDITED_COMMENTS)),
            needs=("owner", "repo", "issue_number"),
            defaults=REPOSITORY_DEFAULTS,
        ),
    )
    async def github_get_issue(
        self,
        *,
        issue_number: IssueNumber,
        include_comments: Annotated[
            UpToHundred, Field(description="How many of the newest, oldest first")
        ] = 0,
        max_body: Annotated[OptionalNumber, Field(description="Characters per text")] = 65536,
        owner: str = "",
        repo: str = "",
    ) -> Issue:
        """Read an issue or pull request: title, body, state, labels, people, newest comments."""
        github = self.closing.github
        repository = await to_read(github, owner, repo)
        require_bound_issue(issue_number)
        return await read_issue(
            github, repository, issue_number, include_comments=include_comments, max_body=max_body
        )

    @tool(
        "Close issue",
        WRITE_IDEMPOTENT,
        Policy(writes=WRITES_ISSUE_AND_COMMENT, needs=("owner", "repo", "issue_number")),
    )
    async def github_close_issue(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        issue_number: IssueNumber,
        comment: Annotated[str, Field(description="Posted if this call closes it")] = "",
        reason: Reason = "completed",
        duplicate_of: Annotated[OptionalNumber, Field(description="With reason duplicate")] = 0,
        allow_pr: Annotated[bool, Field(description="Close a pull request")] = False,
        marker: Annotated[
            str, Field(description="Hidden key of the comment: a repeated call posts it once")
        ] = "",
        owner: Owner = "",
        repo: Repo = "",
    ) -> Closed:
        """Close an issue, then comment on it. One that is closed stays so (was_open: false)."""
        repository = await to_write(self.closing.github, owner, repo)
        require_bound_issue(issue_number)
        wanted = wish(issue_number, comment, marker, reason, duplicate_of, allow_pr=allow_pr)
        where = Conversation(repository=repository, number=issue_number)
        return await self.closing.close(where, wanted)
