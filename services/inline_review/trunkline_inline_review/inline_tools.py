"""The tools that write and read single review comments, and tell which lines can be commented."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from trunkline_inline_review import inline_editing
from trunkline_inline_review.anchors import Wanted
from trunkline_inline_review.asking import asked
from trunkline_inline_review.commentable import commentable
from trunkline_inline_review.diff_index import Side
from trunkline_inline_review.inline_creating import InlineDesk, answered
from trunkline_inline_review.inline_listing import Query, listed
from trunkline_inline_review.inline_models import (
    CommentableLines,
    InlineComments,
    InlineCreated,
    InlineDeleted,
    InlineUpdated,
)
from trunkline_inline_review.paths import LONGEST_PATH
from trunkline_inline_review.placing import OnOutside
from trunkline_inline_review.tags import BASE, DIFF, REVIEWS, WRITES
from trunkline_shared.arguments import Moment, Number, PerPage
from trunkline_shared.contracts import (
    DESTRUCTIVE,
    READ,
    WRITE,
    WRITE_IDEMPOTENT,
    Policy,
    Reads,
)
from trunkline_shared.errors import InvalidInput
from trunkline_shared.github.arguments import Body, Owner, PullNumber, Repo
from trunkline_shared.github.comment_finding import Conversation
from trunkline_shared.github.defaults import OF_PULL_REQUEST
from trunkline_shared.github.review_comments import Direction, Sort
from trunkline_shared.github.tags import EDITED_COMMENTS, of_branch
from trunkline_shared.github.targets import require_bound_issue, to_read, to_write
from trunkline_shared.listing import Fields
from trunkline_shared.reuse import Reusable, Reuse
from trunkline_shared.tool import tool

NEEDS = ("owner", "repo", "pr_number")
CONTEXT = ("pr_number",)
DEFAULTS = {name: OF_PULL_REQUEST[name] for name in NEEDS}
TIMEOUT_S = 60
"""Thirty pages of files and some of comments may have to be read first."""

WRITE_POLICY = Policy(writes=WRITES, needs=NEEDS, context_needs=CONTEXT, timeout_s=TIMEOUT_S)
OWN_POLICY = Policy(
    writes=WRITES,
    needs=NEEDS,
    context_needs=CONTEXT,
    enforces=("pr_number", "comment_id"),
    toolset="reviews",
)
Path = Annotated[str, Field(min_length=1, max_length=LONGEST_PATH)]


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineTools:
    """Single review comments, and the lines that they can stand on."""

    desk: InlineDesk

    @tool("Create inline comment", WRITE, WRITE_POLICY)
    async def create_inline_comment(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        pr_number: PullNumber,
        path: Path,
        body: Annotated[
            str,
            Field(min_length=1, description="Markdown; ```suggestion replaces the lines (RIGHT)"),
        ],
        line: Annotated[Number | None, Field(description="The line, or a range's last")] = None,
        startLine: Annotated[Number | None, Field(description="A range's first")] = None,  # noqa: N803 - the name that agents know
        side: Annotated[Side, Field(description="LEFT: deleted, base numbering")] = "RIGHT",
        start_side: Side | None = None,
        commit_id: Annotated[str, Field(description="Default: head")] = "",
        subject_type: Literal["line", "file"] = "line",
        dedupe_key: Annotated[
            str,
            Field(description="Posts once per key; without: not again while the same stands there"),
        ] = "",
        on_outside_diff: Annotated[
            OnOutside, Field(description="Else comment on the file or nearest line")
        ] = "error",
        owner: Owner = "",
        repo: Repo = "",
    ) -> InlineCreated:
        """Comment on lines of a pull request's diff. Returns comment_id.

        A line outside the diff answers LINE_NOT_IN_DIFF with valid_ranges and the nearest.
        """
        github = self.desk.github
        repository = await to_write(github, owner, repo)
        require_bound_issue(pr_number)
        wanted = Wanted(
            path=path,
            line=line,
            start_line=startLine,
            side=side,
            start_side=start_side,
            whole_file=subject_type == "file",
        )
        ask = asked(
            body, wanted, dedupe_key=dedupe_key, outside=on_outside_diff, commit_id=commit_id
        )
        where = Conversation(repository=repository, number=pr_number)
        return answered(await self.desk.create(where, ask))

    @tool(
        "Get commentable lines",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, tags=(DIFF, BASE)),
            needs=NEEDS,
            defaults=DEFAULTS,
            context_needs=CONTEXT,
            timeout_s=TIMEOUT_S,
        ),
    )
    async def get_commentable_lines(
        self,
        *,
        pr_number: PullNumber,
        path: Annotated[str, Field(max_length=LONGEST_PATH, description="One file only")] = "",
        owner: str = "",
        repo: str = "",
    ) -> Reusable[CommentableLines]:
        """List the line ranges of a pull request's diff that can be commented, per file.

        right counts the head's lines, left the base's.
        """
        repository = await to_read(self.desk.github, owner, repo)
        require_bound_issue(pr_number)
        seen = await self.desk.lines.of(repository, pr_number)
        reuse = Reuse(tags=(of_branch(repository, seen.pull.base.ref),))
        return Reusable(commentable(seen, path), reuse)

    @tool(
        "List review comments",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, tags=(REVIEWS, EDITED_COMMENTS)),
            needs=NEEDS,
            defaults=DEFAULTS,
            context_needs=CONTEXT,
            toolset="reviews",
        ),
    )
    async def list_review_comments(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        pr_number: PullNumber,
        since: Annotated[Moment, Field(description="Updated at or after")] = None,
        sort: Sort = "created",
        direction: Direction = "asc",
        path: Annotated[str, Field(max_length=LONGEST_PATH, description="One file only")] = "",
        include_outdated: bool = True,
        page: Number = 1,
        per_page: PerPage = 30,
        fields: Fields = (),
        owner: str = "",
        repo: str = "",
    ) -> InlineComments:
        """List the comments on a pull request's diff, with where they stand.

        Filters leave out entries of a page: has_more tells whether there are further pages.
        """
        repository = await to_read(self.desk.github, owner, repo)
        require_bound_issue(pr_number)
        query = Query(
            since=since,
            sort=sort,
            direction=direction,
            path=path,
            include_outdated=include_outdated,
            page=page,
            per_page=per_page,
            fields=fields,
        )
        where = Conversation(repository=repository, number=pr_number)
        return await listed(self.desk.github, where, query)

    @tool("Update review comment", WRITE_IDEMPOTENT, OWN_POLICY)
    async def update_review_comment(
        self,
        *,
        pr_number: PullNumber,
        comment_id: Number,
        body: Body,
        if_unmodified_since: Annotated[
            Moment, Field(description="updated_at last seen; CONFLICT if edited later")
        ] = None,
        owner: Owner = "",
        repo: Repo = "",
    ) -> InlineUpdated:
        """Replace the text of a review comment. Its hidden marker stays.

        Returns edited: false when it said that already.
        """
        where = await self._writable(owner, repo, pr_number)
        return await inline_editing.change(
            self.desk.github, where, comment_id, body, if_unmodified_since
        )

    @tool(
        "Delete review comment",
        DESTRUCTIVE,
        OWN_POLICY.model_copy(update={"write_group": "delete"}),
    )
    async def delete_review_comment(
        self,
        *,
        pr_number: PullNumber,
        comment_id: Number,
        confirm: Annotated[bool, Field(description="Must be true")],
        owner: Owner = "",
        repo: Repo = "",
    ) -> InlineDeleted:
        """Delete a review comment for good. One that is gone already counts as deleted."""
        where = await self._writable(owner, repo, pr_number)
        if not confirm:
            raise InvalidInput("confirm must be true: a deleted comment cannot be brought back.")
        return await inline_editing.delete(self.desk.github, where, comment_id)

    async def _writable(self, owner: str, repo: str, number: int) -> Conversation:
        repository = await to_write(self.desk.github, owner, repo)
        require_bound_issue(number)
        return Conversation(repository=repository, number=number)
