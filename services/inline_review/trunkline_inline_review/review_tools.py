"""The tools that make, list, submit and discard reviews."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_inline_review.asked_review import Where, asked, require_allowed
from trunkline_inline_review.drafts import Drafts, entries
from trunkline_inline_review.inline_tools import CONTEXT, DEFAULTS, NEEDS
from trunkline_inline_review.review_listing import ReviewQuery, listed
from trunkline_inline_review.review_models import Discarded, Event, Reviewed, Reviews, Submitted
from trunkline_inline_review.reviewing import Reviewing
from trunkline_inline_review.submitting import PendingReviews
from trunkline_inline_review.tags import REVIEWS, WRITES
from trunkline_shared.arguments import Number, PerPage
from trunkline_shared.contracts import DESTRUCTIVE, READ, WRITE, Policy, Reads
from trunkline_shared.github.arguments import Owner, PullNumber, Repo
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.tags import EDITED_COMMENTS
from trunkline_shared.github.targets import require_bound_issue, to_read, to_write
from trunkline_shared.listing import Fields
from trunkline_shared.tool import tool

TOOLSET = "reviews"
TIMEOUT_S = 60

DedupeKey = Annotated[str, Field(description="Hidden key: a retry never posts twice")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTools:
    """Reviews of pull requests; `approves` says whether this server may approve."""

    github: GitHub
    reviewing: Reviewing
    pending: PendingReviews
    approves: bool

    @tool(
        "Create review",
        WRITE,
        Policy(writes=WRITES, needs=NEEDS, context_needs=CONTEXT, timeout_s=TIMEOUT_S),
    )
    async def create_review(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        pr_number: PullNumber,
        comments: Drafts = (),
        body: str = "",
        event: Annotated[Event | None, Field(description="null: leave it pending")] = "COMMENT",
        dedupe_key: DedupeKey = "",
        owner: Owner = "",
        repo: Repo = "",
    ) -> Reviewed:
        """Review a pull request with up to 50 line comments at once.

        Posts the valid comments; rejected says for each other what is wrong and nearest.
        """
        where = await self._to_write(owner, repo, pr_number)
        require_allowed(event, approves=self.approves)
        review = asked(entries(comments), body, event, dedupe_key)
        return await self.reviewing.create(where, review)

    @tool(
        "List reviews",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, tags=(REVIEWS, EDITED_COMMENTS)),
            needs=NEEDS,
            defaults=DEFAULTS,
            context_needs=CONTEXT,
            toolset=TOOLSET,
        ),
    )
    async def list_reviews(
        self,
        *,
        pr_number: PullNumber,
        page: Number = 1,
        per_page: PerPage = 30,
        fields: Fields = (),
        owner: str = "",
        repo: str = "",
    ) -> Reviews:
        """List a pull request's reviews, oldest first; PENDING ones are your own."""
        repository = await to_read(self.github, owner, repo)
        require_bound_issue(pr_number)
        where = Where(repository=repository, number=pr_number)
        query = ReviewQuery(page=page, per_page=per_page, fields=fields)
        return await listed(self.github, where, query)

    @tool(
        "Start pending review",
        WRITE,
        Policy(
            writes=WRITES,
            needs=NEEDS,
            context_needs=CONTEXT,
            toolset=TOOLSET,
            timeout_s=TIMEOUT_S,
        ),
    )
    async def start_pending_review(
        self,
        *,
        pr_number: PullNumber,
        comments: Drafts = (),
        body: str = "",
        dedupe_key: DedupeKey = "",
        owner: Owner = "",
        repo: Repo = "",
    ) -> Reviewed:
        """Begin a review that only you see until submit_pending_review."""
        where = await self._to_write(owner, repo, pr_number)
        review = asked(entries(comments), body, None, dedupe_key)
        return await self.reviewing.create(where, review)

    @tool(
        "Submit pending review",
        WRITE,
        Policy(writes=WRITES, needs=NEEDS, context_needs=CONTEXT, toolset=TOOLSET),
    )
    async def submit_pending_review(
        self,
        *,
        pr_number: PullNumber,
        event: Event = "COMMENT",
        body: Annotated[str, Field(description="Empty: keep its text")] = "",
        owner: Owner = "",
        repo: Repo = "",
    ) -> Submitted:
        """Submit your pending review of a pull request with all its comments."""
        where = await self._to_write(owner, repo, pr_number)
        require_allowed(event, approves=self.approves)
        return await self.pending.submit(where, event, body)

    @tool(
        "Discard pending review",
        DESTRUCTIVE,
        Policy(
            writes=WRITES,
            needs=NEEDS,
            context_needs=CONTEXT,
            toolset=TOOLSET,
            write_group="delete",
        ),
    )
    async def discard_pending_review(
        self, *, pr_number: PullNumber, owner: Owner = "", repo: Repo = ""
    ) -> Discarded:
        """Delete your pending review with all its comments, for good."""
        where = await self._to_write(owner, repo, pr_number)
        return await self.pending.discard(where)

    async def _to_write(self, owner: str, repo: str, pr_number: int) -> Where:
        repository = await to_write(self.github, owner, repo)
        require_bound_issue(pr_number)
        return Where(repository=repository, number=pr_number)
