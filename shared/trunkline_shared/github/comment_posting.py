"""Posting a comment once, also when nobody can say whether it has been posted."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from trunkline_shared.clock import Clock
from trunkline_shared.errors import NotFound
from trunkline_shared.github import comments
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_finding import Conversation, Wanted, bears, first, says
from trunkline_shared.github.comment_models import IssueComment
from trunkline_shared.github.keyed_lock import KeyedWrites
from trunkline_shared.github.markers import Marker, marker_of
from trunkline_shared.vendor.doubtful_write import DoubtfulWrite, with_time_to_look

MARKED_SKEW_S = 300.0
TEXT_SKEW_S = 5.0
"""How far GitHub's clock may be behind ours when a text that we just sent is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentPosting:
    """Posts comments to conversations, and knows those that bear a marker."""

    github: GitHub
    clock: Clock
    marked: KeyedWrites

    def alone(self, where: Conversation, marker: Marker) -> AbstractAsyncContextManager[None]:
        """Hold a conversation's marker for the block."""
        return self.marked.alone((where.slug, where.number, marker.text))

    async def once(self, where: Conversation, body: str) -> tuple[IssueComment, bool]:
        """Return the comment, and whether it is new: not when its marker was there already.

        Raises as `post` does.
        """
        marker = marker_of(body)
        if marker is not None:
            there = await self.with_marker(where, marker, await self.github.login())
            if there is not None:
                return there, False
        return await self.post(where, body, marker), True

    async def post(self, where: Conversation, body: str, marker: Marker | None) -> IssueComment:
        """Add a comment. Raises the failure, with `may_have_happened` when that is unknown."""
        since = self.clock.now() - (MARKED_SKEW_S if marker else TEXT_SKEW_S)

        async def send() -> IssueComment:
            endpoint = comments.create_issue_comment(where.repository, where.number, body)
            return await self.github.fetch(with_time_to_look(endpoint))

        async def look() -> IssueComment | None:
            login = await self.github.login()
            wanted: Wanted = bears(marker, login) if marker else says(body, login)
            return await first(self.github, where, wanted, since=since)

        comment = await DoubtfulWrite(
            send=send,
            look=look,
            repeatable=marker is not None,
            how_to_look="look with list_comments",
        ).perform()
        if marker is not None:
            self.marked.remember(_key(where, marker), comment.id)
        return comment

    async def with_marker(
        self, where: Conversation, marker: Marker, login: str | None
    ) -> IssueComment | None:
        """Return the oldest comment with the marker, by `login` unless that is None."""
        wanted = bears(marker, login)
        recalled = await self._recalled(where, marker)
        if recalled is not None and wanted(recalled):
            return recalled
        return await first(self.github, where, wanted)

    async def _recalled(self, where: Conversation, marker: Marker) -> IssueComment | None:
        key = _key(where, marker)
        comment_id = self.marked.recall(key)
        if comment_id is None:
            return None
        try:
            return await self.github.fetch(comments.get_issue_comment(where.repository, comment_id))
        except NotFound:
            self.marked.forget(key)
            return None


def _key(where: Conversation, marker: Marker) -> tuple[str, int, str]:
    return (where.slug, where.number, f"{marker.part}:{marker.text}")
