"""Reading comments: one, or a page of a conversation in either order.

GitHub lists comments oldest first and has no other order: the newest are on the last pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from trunkline_comment.families import Found, Kind
from trunkline_comment.hidden import minimised
from trunkline_comment.models import Author, Comment, Comments, Fetched
from trunkline_shared.exchange import Response
from trunkline_shared.github import comments
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_finding import Conversation
from trunkline_shared.github.comment_models import Comment as Sent
from trunkline_shared.github.comment_models import IssueComment, ReviewComment
from trunkline_shared.listing import PageInfo, choose
from trunkline_shared.untrusted import sanitize
from trunkline_shared.vendor.answered import source_of, with_response
from trunkline_shared.vendor.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which comments of a conversation to list."""

    since: datetime | None = None
    page: int = 1
    per_page: int = 30
    order: Literal["oldest", "newest"] = "oldest"
    include_minimized: bool = False
    fields: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """Comments in the order asked for, where they end, and the answer they came with."""

    items: tuple[IssueComment, ...]
    has_more: bool
    total: int | None
    response: Response


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Reads pages of one conversation."""

    github: GitHub
    where: Conversation
    query: Query

    async def oldest(self) -> Slice:
        page, response = await self._page(self.query.page)
        earlier = (self.query.page - 1) * self.query.per_page
        at_end = page.next_url is None and bool(page.items or self.query.page == 1)
        return Slice(
            items=page.items,
            has_more=page.next_url is not None,
            total=earlier + len(page.items) if at_end else None,
            response=response,
        )

    async def newest(self) -> Slice:
        """Take a slice that counts from the end: it lies on one or two of GitHub's pages."""
        size = self.query.per_page
        first, response = await self._page(1)
        last_number = first.last_page or 1
        known = {1: first}
        if last_number > 1:
            known[last_number], response = await self._page(last_number)
        # A page that is full and has not changed says nothing of one that was begun behind it.
        while len(known[last_number].items) == size:
            last_number += 1
            known[last_number], response = await self._page(last_number)
        total = (last_number - 1) * size + len(known[last_number].items)
        end = max(0, total - (self.query.page - 1) * size)
        begin = max(0, end - size)
        numbers = range(begin // size + 1, (end - 1) // size + 2) if end else range(0)
        for number in numbers:
            if number not in known:
                known[number], response = await self._page(number)
        shown = [item for number in numbers for item in known[number].items]
        offset = (numbers[0] - 1) * size if numbers else 0
        items = shown[begin - offset : end - offset]
        return Slice(
            items=tuple(reversed(items)), has_more=begin > 0, total=total, response=response
        )

    async def _page(self, number: int) -> tuple[Page[IssueComment], Response]:
        endpoint = comments.list_issue_comments(
            self.where.repository,
            self.where.number,
            since=self.query.since,
            page_number=number,
            per_page=self.query.per_page,
        )
        return await self.github.fetch(with_response(endpoint))


async def browse(github: GitHub, where: Conversation, query: Query) -> Comments:
    """Return one page of a conversation's comments.

    Raises InvalidInput for an unknown field before anything is asked.
    """
    choose((), query.fields, Comment)
    reading = Reading(github=github, where=where, query=query)
    found = await (reading.newest() if query.order == "newest" else reading.oldest())
    hidden = await minimised(github, found.items, ask=not query.include_minimized)
    shown = [c for c in found.items if query.include_minimized or not hidden[c.id]]
    listed = [_entry(c, "issue", minimized=hidden[c.id]) for c in shown]
    entries = choose(listed, query.fields, Comment)
    return Comments(
        comments=entries,
        page_info=PageInfo(
            has_more=found.has_more,
            next_page=query.page + 1 if found.has_more else None,
            total_count=found.total,
            returned=len(entries),
        ),
        has_more=found.has_more,
        minimized_left_out=len(found.items) - len(shown),
        source=source_of(found.response),
    )


def fetched(found: Found) -> Fetched:
    """Return one comment with where it stands."""
    comment = found.comment
    if isinstance(comment, ReviewComment):
        entry = dict(_entry(comment, found.kind, minimized=None))
        place = {"path": comment.path, "line": comment.line}
        return Fetched.model_validate({**entry, **place, "issue_number": comment.number})
    entry = dict(_entry(comment, found.kind, minimized=comment.is_minimized))
    return Fetched.model_validate({**entry, "issue_number": comment.number})


def _entry(comment: Sent, kind: Kind, *, minimized: bool | None) -> Comment:
    user = comment.user
    return Comment(
        id=comment.id,
        kind=kind,
        body=sanitize(comment.body),
        author=None if user is None else Author(login=user.login, type=user.type),
        author_association=comment.author_association,
        created_at=comment.created_at,
        updated_at=comment.updated_at,
        html_url=comment.html_url,
        reactions={name: count for name, count in comment.reactions.items() if count},
        minimized=minimized,
    )
