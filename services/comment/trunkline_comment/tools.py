"""The tools that write and read comments."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from trunkline_comment.browsing import Query, browse, fetched
from trunkline_comment.creating import Desk
from trunkline_comment.families import AskedKind, delete, find
from trunkline_comment.models import Comments, Created, Deleted, Fetched, Updated, Upserted
from trunkline_comment.outgoing_text import OnTooLong, checked, fitted, parts
from trunkline_comment.posted import created, upserted
from trunkline_comment.updating import Change, change
from trunkline_shared.arguments import Moment, Number, PerPage
from trunkline_shared.contracts import (
    DESTRUCTIVE,
    READ,
    WRITE,
    WRITE_IDEMPOTENT,
    Policy,
    Reads,
    Writes,
)
from trunkline_shared.errors import InvalidInput, NotFound
from trunkline_shared.github import defaults
from trunkline_shared.github.arguments import Body, CommentId, IssueNumber, Owner, Repo
from trunkline_shared.github.comment_finding import Conversation
from trunkline_shared.github.markers import parse_marker
from trunkline_shared.github.tags import ALL_COMMENTS, EDITED_COMMENTS
from trunkline_shared.github.targets import require_bound_issue, to_read, to_write
from trunkline_shared.listing import Fields
from trunkline_shared.tool import tool

OF_ISSUE = "gh:{owner}/{repo}#{issue_number}:comments"
WRITES = Writes(tags=(OF_ISSUE, ALL_COMMENTS))
WRITES_BY_ID = Writes(tags=(EDITED_COMMENTS, ALL_COMMENTS))
HELD_TO = ("pr_number", "issue_number", "comment_id")
"""The bindings that `families.find` holds a comment to, whatever its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentTools:
    """Comments of issues and pull requests."""

    desk: Desk

    @tool(
        "Update comment",
        WRITE_IDEMPOTENT,
        Policy(writes=WRITES_BY_ID, needs=("owner", "repo"), enforces=HELD_TO),
    )
    async def update_comment(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        commentId: CommentId,  # noqa: N803 - the name that agents know
        body: Body,
        kind: AskedKind = "auto",
        mode: Literal["replace", "append"] = "replace",
        if_unmodified_since: Annotated[
            Moment, Field(description="updated_at last seen; CONFLICT if edited later")
        ] = None,
        on_too_long: Literal["error", "truncate"] = "error",
        owner: Owner = "",
        repo: Repo = "",
    ) -> Updated:
        """Replace the text of a comment, or append to it, e.g. to report progress.

        Its hidden marker stays. Returns edited: false when it said that already.
        """
        github = self.desk.github
        repository = await to_write(github, owner, repo)
        wanted = Change(
            body=body, mode=mode, on_too_long=on_too_long, if_unmodified_since=if_unmodified_since
        )
        return await change(github, repository, commentId, kind, wanted)

    @tool(
        "Create comment",
        WRITE,
        Policy(writes=WRITES, needs=("owner", "repo", "issue_number")),
    )
    async def create_comment(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        issue_number: IssueNumber,
        body: Body,
        marker: Annotated[str, Field(description="Hidden key: a retry never posts twice")] = "",
        on_too_long: Annotated[OnTooLong, Field(description="Beyond 65,536 chars")] = "error",
        escape_mentions: Annotated[bool, Field(description="Notify nobody")] = False,
        owner: Owner = "",
        repo: Repo = "",
    ) -> Created:
        """Comment on an issue or pull request. Returns comment_id.

        With a marker used before, returns that comment unchanged (created: false).
        """
        repository = await to_write(self.desk.github, owner, repo)
        require_bound_issue(issue_number)
        key = parse_marker(marker)
        text = checked(body, quiet=escape_mentions, marker=key)
        where = Conversation(repository=repository, number=issue_number)
        bodies, truncated = parts(text, on_too_long, key)
        return created(await self.desk.create(where, bodies, key), truncated=truncated)

    @tool(
        "Upsert comment",
        WRITE_IDEMPOTENT,
        Policy(writes=WRITES, needs=("owner", "repo", "issue_number")),
    )
    async def upsert_comment(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        issue_number: IssueNumber,
        marker: Annotated[str, Field(min_length=1, description="Hidden key, e.g. ci-report")],
        body: Body,
        author_only: Annotated[bool, Field(description="Ignore others' comments")] = True,
        on_too_long: Literal["error", "truncate"] = "error",
        escape_mentions: bool = False,
        owner: Owner = "",
        repo: Repo = "",
    ) -> Upserted:
        """Keep one comment per marker up to date: update the oldest that bears it, or create it.

        Returns comment_id and action: created, updated or unchanged.
        """
        repository = await to_write(self.desk.github, owner, repo)
        require_bound_issue(issue_number)
        key = parse_marker(marker)
        if key is None:
            raise InvalidInput("marker must not be empty.")
        text = checked(body, quiet=escape_mentions, marker=key)
        whole, cut = fitted(text, on_too_long, key)
        where = Conversation(repository=repository, number=issue_number)
        comment, action = await self.desk.upsert(where, whole, key, author_only=author_only)
        return upserted(comment, action, truncated=cut)

    @tool(
        "List comments",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, tags=(OF_ISSUE, EDITED_COMMENTS)),
            needs=("owner", "repo", "issue_number"),
            defaults=dict(defaults.OF_REPOSITORY),
        ),
    )
    async def list_comments(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        issue_number: IssueNumber,
        since: Annotated[Moment, Field(description="Updated at or after")] = None,
        page: Number = 1,
        per_page: PerPage = 30,
        order: Literal["oldest", "newest"] = "oldest",
        include_minimized: bool = False,
        fields: Fields = (),
        owner: str = "",
        repo: str = "",
    ) -> Comments:
        """List the conversation of an issue or pull request (review comments are not in it)."""
        repository = await to_read(self.desk.github, owner, repo)
        require_bound_issue(issue_number)
        query = Query(
            since=since,
            page=page,
            per_page=per_page,
            order=order,
            include_minimized=include_minimized,
            fields=fields,
        )
        where = Conversation(repository=repository, number=issue_number)
        return await browse(self.desk.github, where, query)

    @tool(
        "Get comment",
        READ,
        Policy(
            reads=Reads(ttl_s=30, stale_s=600, tags=(ALL_COMMENTS,)),
            needs=("owner", "repo"),
            defaults=dict(defaults.OF_REPOSITORY),
            enforces=HELD_TO,
            toolset="comments",
        ),
    )
    async def get_comment(
        self, *, comment_id: Number, kind: AskedKind = "auto", owner: str = "", repo: str = ""
    ) -> Fetched:
        """Read one comment: body, author, times, reactions."""
        github = self.desk.github
        repository = await to_read(github, owner, repo)
        return fetched(await find(github, repository, comment_id, kind))

    @tool(
        "Delete comment",
        DESTRUCTIVE,
        Policy(
            writes=WRITES_BY_ID, needs=("owner", "repo"), enforces=HELD_TO, write_group="delete"
        ),
    )
    async def delete_comment(
        self,
        *,
        comment_id: Number,
        confirm: Annotated[bool, Field(description="Must be true")],
        kind: AskedKind = "auto",
        owner: Owner = "",
        repo: Repo = "",
    ) -> Deleted:
        """Delete a comment for good. One that is gone already counts as deleted."""
        github = self.desk.github
        repository = await to_write(github, owner, repo)
        if not confirm:
            raise InvalidInput("confirm must be true: a deleted comment cannot be brought back.")
        try:
            found = await find(github, repository, comment_id, kind)
            existed = await github.fetch(delete(repository, found))
        except NotFound:
            existed = False
        return Deleted(comment_id=comment_id, existed=existed)
