"""The tools about threads of review comments: list, reply, resolve, open again."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_inline_review.asked_review import Where
from trunkline_inline_review.inline_tools import CONTEXT, DEFAULTS, NEEDS
from trunkline_inline_review.replying import Reply, Replying
from trunkline_inline_review.review_models import Replied, Threads, ThreadState
from trunkline_inline_review.tags import REVIEWS, WRITES
from trunkline_inline_review.thread_finding import thread_named, thread_of
from trunkline_inline_review.thread_listing import ThreadQuery, listed
from trunkline_inline_review.threads import Thread, set_resolved
from trunkline_shared.arguments import Number, PerPage
from trunkline_shared.contracts import READ, WRITE, WRITE_IDEMPOTENT, Policy, Reads
from trunkline_shared.errors import InvalidInput, PermissionDenied
from trunkline_shared.github.arguments import Body, Owner, PullNumber, Repo
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.markers import parse_marker, without_marker
from trunkline_shared.github.outgoing_text import require_postable, require_short
from trunkline_shared.github.tags import EDITED_COMMENTS
from trunkline_shared.github.targets import require_bound_issue, to_read, to_write
from trunkline_shared.listing import Fields
from trunkline_shared.tool import tool

HELD_TO = ("pr_number",)
"""The binding that a thread or comment is held to, whatever its id."""

ThreadId = Annotated[str, Field(description="PRRT_…; or give comment_id")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadTools:
    """Threads of review comments."""

    github: GitHub
    replying: Replying

    @tool(
        "Reply to review comment",
        WRITE,
        Policy(writes=WRITES, needs=NEEDS, context_needs=CONTEXT, enforces=HELD_TO),
    )
    async def reply_to_review_comment(
        self,
        *,
        pr_number: PullNumber,
        comment_id: Annotated[Number, Field(description="Any comment of the thread")],
        body: Body,
        dedupe_key: Annotated[str, Field(description="Hidden key: a retry posts once")] = "",
        owner: Owner = "",
        repo: Repo = "",
    ) -> Replied:
        """Reply in the thread of a review comment."""
        where = await self._to_write(owner, repo, pr_number)
        marker = parse_marker(dedupe_key, "dedupe_key")
        text = without_marker(body)
        require_postable(text)
        whole = (marker.line() if marker else "") + text
        require_short(whole)
        return await self.replying.reply(where, comment_id, Reply(body=whole, marker=marker))

    @tool(
        "List review threads",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, tags=(REVIEWS, EDITED_COMMENTS)),
            needs=NEEDS,
            defaults=DEFAULTS,
            context_needs=CONTEXT,
        ),
    )
    async def list_review_threads(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        pr_number: PullNumber,
        include_resolved: bool = False,
        page: Number = 1,
        per_page: PerPage = 30,
        fields: Fields = (),
        owner: str = "",
        repo: str = "",
    ) -> Threads:
        """List a pull request's unresolved review threads: where, and how each began."""
        repository = await to_read(self.github, owner, repo)
        require_bound_issue(pr_number)
        where = Where(repository=repository, number=pr_number)
        query = ThreadQuery(
            include_resolved=include_resolved, page=page, per_page=per_page, fields=fields
        )
        return await listed(self.github, where, query)

    @tool(
        "Resolve thread",
        WRITE_IDEMPOTENT,
        Policy(writes=WRITES, needs=NEEDS, context_needs=CONTEXT, enforces=HELD_TO),
    )
    async def resolve_thread(
        self,
        *,
        pr_number: PullNumber,
        thread_id: ThreadId = "",
        comment_id: Number | None = None,
        owner: Owner = "",
        repo: Repo = "",
    ) -> ThreadState:
        """Mark a review thread as resolved; one that is already stays so."""
        where = await self._to_write(owner, repo, pr_number)
        thread = await self._thread(where, thread_id, comment_id)
        return await self._set(thread, resolved=True)

    @tool(
        "Unresolve thread",
        WRITE_IDEMPOTENT,
        Policy(
            writes=WRITES,
            needs=NEEDS,
            context_needs=CONTEXT,
            enforces=HELD_TO,
            toolset="reviews",
        ),
    )
    async def unresolve_thread(
        self,
        *,
        pr_number: PullNumber,
        thread_id: ThreadId = "",
        comment_id: Number | None = None,
        owner: Owner = "",
        repo: Repo = "",
    ) -> ThreadState:
        """Open a resolved review thread again."""
        where = await self._to_write(owner, repo, pr_number)
        thread = await self._thread(where, thread_id, comment_id)
        return await self._set(thread, resolved=False)

    async def _to_write(self, owner: str, repo: str, pr_number: int) -> Where:
        repository = await to_write(self.github, owner, repo)
        require_bound_issue(pr_number)
        return Where(repository=repository, number=pr_number)

    async def _thread(self, where: Where, thread_id: str, comment_id: int | None) -> Thread:
        named = thread_id.strip()
        if bool(named) == (comment_id is not None):
            raise InvalidInput(
                "Give either thread_id or comment_id.",
                hint="comment_id is the id of any comment in the thread.",
                details={"field_errors": [{"field": "thread_id", "problem": "or comment_id"}]},
            )
        if comment_id is not None:
            return await thread_of(self.github, where, comment_id)
        return await thread_named(self.github, where, named)

    async def _set(self, thread: Thread, *, resolved: bool) -> ThreadState:
        changed = thread.is_resolved is not resolved
        if changed:
            endpoint = set_resolved(thread.id, resolved=resolved)
            try:
                thread = (await self.github.fetch(endpoint)).thread
            except PermissionDenied as error:
                raise _not_allowed(error) from None
        return ThreadState(
            thread_id=thread.id,
            pr_number=thread.number,
            is_resolved=thread.is_resolved,
            changed=changed,
        )


def _not_allowed(error: PermissionDenied) -> PermissionDenied:
    return PermissionDenied(
        error.message,
        hint="Threads are resolved by those who may write to the repository, and by the pull "
        "request's author; an App's or fine-grained token may need Contents: write beside Pull "
        "requests: write.",
        details=error.details,
    )
