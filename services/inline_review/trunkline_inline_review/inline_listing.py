"""Reading the review comments of a pull request, a page at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from trunkline_inline_review.inline_models import CommentAuthor, InlineComment, InlineComments
from trunkline_inline_review.paths import normal
from trunkline_inline_review.suggestions import suggestions_in
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_finding import Conversation
from trunkline_shared.github.comment_models import ReviewComment
from trunkline_shared.github.review_comments import Direction, Sort, list_review_comments
from trunkline_shared.listing import PageInfo, choose
from trunkline_shared.untrusted import sanitize, visible_escapes
from trunkline_shared.vendor.answered import source_of, with_response


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which review comments to list; GitHub has no filter by path, so that one is ours."""

    since: datetime | None
    sort: Sort
    direction: Direction
    path: str
    include_outdated: bool
    page: int
    per_page: int
    fields: Sequence[str]

    def wants(self, comment: ReviewComment) -> bool:
        if comment.outdated and not self.include_outdated:
            return False
        return not self.path or comment.path in {self.path, normal(self.path)}


async def listed(github: GitHub, where: Conversation, query: Query) -> InlineComments:
    """Return one page of GitHub's list, without what the query does not want.

    `has_more` speaks of GitHub's pages: a page may be empty and have more behind it. Raises
    InvalidInput for an unknown field before anything is asked.
    """
    choose((), query.fields, InlineComment)
    page, response = await github.fetch(
        with_response(
            list_review_comments(
                where.repository,
                where.number,
                since=query.since,
                sort=query.sort,
                direction=query.direction,
                page_number=query.page,
                per_page=query.per_page,
            )
        )
    )
    wanted = [comment for comment in page.items if query.wants(comment)]
    entries = choose(map(entry, wanted), query.fields, InlineComment)
    has_more = page.next_url is not None
    info = PageInfo(
        has_more=has_more,
        next_page=query.page + 1 if has_more else None,
        returned=len(entries),
    )
    return InlineComments(
        comments=entries,
        page_info=info,
        has_more=has_more,
        left_out=len(page.items) - len(wanted),
        source=source_of(response),
    )


def entry(comment: ReviewComment) -> InlineComment:
    """Return a comment as an agent reads it: nothing hidden in its text or in the diff."""
    user = comment.user
    body, hidden_in_body = readable(comment.body)
    hunk, hidden_in_hunk = visible_escapes(comment.diff_hunk)
    return InlineComment(
        id=comment.id,
        path=comment.path,
        line=comment.line,
        start_line=comment.start_line,
        side=comment.side,
        start_side=comment.start_side,
        original_line=comment.original_line,
        outdated=comment.outdated,
        subject_type=comment.subject_type or "line",
        in_reply_to_id=comment.in_reply_to_id,
        review_id=comment.pull_request_review_id,
        body=body,
        author=None if user is None else CommentAuthor(login=user.login, type=user.type),
        author_association=comment.author_association,
        diff_hunk=hunk,
        hidden_characters=hidden_in_body + hidden_in_hunk,
        commit_id=comment.commit_id,
        created_at=comment.created_at,
        updated_at=comment.updated_at,
        html_url=comment.html_url,
    )


def readable(body: str) -> tuple[str, int]:
    """Return a comment's text, and how many hidden characters it shows as escapes.

    They are stripped from prose; in a suggestion that would hide what applying it brings in.
    """
    if suggestions_in(body).count:
        return visible_escapes(body)
    return sanitize(body), 0
