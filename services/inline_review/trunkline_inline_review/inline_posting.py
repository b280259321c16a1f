"""Posting an inline comment once, also when nobody can say whether it has been posted."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime

from trunkline_inline_review.anchors import Anchor
from trunkline_inline_review.asking import Ask
from trunkline_shared.clock import Clock
from trunkline_shared.errors import NotFound
from trunkline_shared.exchange import Endpoint
from trunkline_shared.github import comments, review_comments
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_finding import Conversation, is_by, same_text
from trunkline_shared.github.comment_models import ReviewComment
from trunkline_shared.github.keyed_lock import KeyedWrites
from trunkline_shared.github.markers import Marker, marker_of, without_marker
from trunkline_shared.vendor.doubtful_write import DoubtfulWrite, with_time_to_look
from trunkline_shared.vendor.page import Page

SKEW_S = 300.0
"""How far GitHub's clock may be behind ours when a comment that we just sent is looked for."""

Matches = Callable[[ReviewComment], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class InlinePosting:
    """Posts comments to a pull request's diff, and finds those that it posted."""

    github: GitHub
    clock: Clock
    marked: KeyedWrites

    def alone(self, where: Conversation, marker: Marker) -> AbstractAsyncContextManager[None]:
        """Hold a marker of the pull request for the block."""
        return self.marked.alone((where.slug, where.number, marker.text))

    async def posted_before(self, where: Conversation, ask: Ask) -> ReviewComment | None:
        """Return our own comment with the caller's key, or one that says the same at this place.

        Without a key, one that is outdated or was edited since does not count.
        """
        matches = await self._matching(ask)
        recalled = await self._recalled(where, ask.marker)
        if recalled is not None and matches(recalled):
            return recalled
        newest_first = review_comments.list_review_comments(
            where.repository, where.number, direction="desc"
        )
        return await self._first(newest_first, matches)

    async def post(
        self, where: Conversation, ask: Ask, anchor: Anchor, commit_id: str
    ) -> ReviewComment:
        """Add the comment. Raises the failure, with `may_have_happened` when that is unknown."""
        since = datetime.fromtimestamp(self.clock.now() - SKEW_S, UTC)

        async def send() -> ReviewComment:
            endpoint = review_comments.create_review_comment(
                where.repository,
                where.number,
                body=ask.body,
                commit_id=commit_id,
                anchor=anchor.to_json(),
            )
            return await self.github.fetch(with_time_to_look(endpoint))

        async def look() -> ReviewComment | None:
            recent = review_comments.list_review_comments(
                where.repository, where.number, since=since
            )
            return await self._first(recent, await self._matching(ask))

        comment = await DoubtfulWrite(
            send=send,
            look=look,
            repeatable=ask.keyed,
            how_to_look="look with list_review_comments",
        ).perform()
        self.marked.remember(_key(where, ask.marker), comment.id)
        return comment

    async def _matching(self, ask: Ask) -> Matches:
        bearing = await self._bearing(ask.marker)
        if ask.keyed:
            return bearing

        def matches(comment: ReviewComment) -> bool:
            unchanged = same_text(without_marker(comment.body), ask.text)
            return bearing(comment) and unchanged and not comment.outdated

        return matches

    async def _bearing(self, marker: Marker) -> Matches:
        login = await self.github.login()
        return lambda comment: marker_of(comment.body) == marker and is_by(comment.user, login)

    async def _recalled(self, where: Conversation, marker: Marker) -> ReviewComment | None:
        comment_id = self.marked.recall(_key(where, marker))
        if comment_id is None:
            return None
        try:
            found = comments.get_review_comment(where.repository, comment_id)
            return await self.github.fetch(found)
        except NotFound:
            self.marked.forget(_key(where, marker))
            return None

    async def _first(
        self, endpoint: Endpoint[Page[ReviewComment]], matches: Matches
    ) -> ReviewComment | None:
        async for comment in self.github.each(endpoint):
            if matches(comment):
                return comment
        return None


def _key(where: Conversation, marker: Marker) -> tuple[str, int, str]:
    return (where.slug, where.number, marker.text)
