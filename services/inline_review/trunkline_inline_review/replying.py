"""Replying to a thread once, also when nobody can say whether the reply has arrived."""

from dataclasses import dataclass
from datetime import UTC, datetime

from trunkline_inline_review import review_endpoints as endpoints
from trunkline_inline_review.asked_review import Where
from trunkline_inline_review.pending import explained
from trunkline_inline_review.review_models import Replied
from trunkline_inline_review.thread_finding import comment_of
from trunkline_shared.clock import Clock
from trunkline_shared.errors import NotFound, TrunklineError
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_finding import is_by, same_text
from trunkline_shared.github.comment_models import ReviewComment
from trunkline_shared.github.comment_posting import MARKED_SKEW_S, TEXT_SKEW_S
from trunkline_shared.github.comments import get_review_comment
from trunkline_shared.github.keyed_lock import KeyedWrites
from trunkline_shared.github.markers import Marker, marker_of
from trunkline_shared.github.review_comments import list_review_comments
from trunkline_shared.vendor.doubtful_write import DoubtfulWrite, with_time_to_look

MOST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A text for a thread; `marker` is the caller's name for it, at the head of `body`."""

    body: str
    marker: Marker | None

    def is_it(self, comment: ReviewComment) -> bool:
        """Say whether a comment is this reply, by its marker if it has one."""
        if self.marker is None:
            return same_text(comment.body, self.body)
        found = marker_of(comment.body)
        return found is not None and found.text == self.marker.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Replying:
    """Posts replies; those with one key happen one after the other."""

    github: GitHub
    clock: Clock
    writes: KeyedWrites

    async def reply(self, where: Where, comment_id: int, reply: Reply) -> Replied:
        """Reply to the thread that a comment is in, or return the reply with the key.

        Raises NotFound when the comment or the thread's head is gone, Conflict while a review of
        one's own is pending.
        """
        comment = await comment_of(self.github, where, comment_id)
        head = comment.in_reply_to_id or comment.id
        if reply.marker is None:
            return _replied(await self._post(where, head, reply), head, created=True)
        key = where.key(f"reply {head} {reply.marker.text}")
        async with self.writes.alone(key):
            there = await self._recalled(where, key) or await self._find(where, head, reply, None)
            made = there or await self._post(where, head, reply)
            self.writes.remember(key, made.id)
        return _replied(made, head, created=there is None)

    async def _post(self, where: Where, head: int, reply: Reply) -> ReviewComment:
        skew = TEXT_SKEW_S if reply.marker is None else MARKED_SKEW_S
        since = datetime.fromtimestamp(self.clock.now() - skew, UTC)

        async def send() -> ReviewComment:
            endpoint = endpoints.create_reply(where.repository, where.number, head, reply.body)
            return await self.github.fetch(with_time_to_look(endpoint))

        async def look() -> ReviewComment | None:
            return await self._find(where, head, reply, since)

        write = DoubtfulWrite(
            send=send,
            look=look,
            repeatable=reply.marker is not None,
            how_to_look="look with list_review_comments",
        )
        try:
            return await write.perform()
        except NotFound as error:
            raise _gone(head, error) from None
        except TrunklineError as error:
            raise await explained(self.github, where.repository, where.number, error) from None

    async def _find(
        self, where: Where, head: int, reply: Reply, since: datetime | None
    ) -> ReviewComment | None:
        """Return one's own reply to the thread; `since` leaves out those not touched after it."""
        login = await self.github.login()
        endpoint = list_review_comments(where.repository, where.number, since=since)
        found = await self.github.collect(endpoint, limit=MOST)
        own = (one for one in found.items if one.in_reply_to_id == head and is_by(one.user, login))
        return next((one for one in own if reply.is_it(one)), None)

    async def _recalled(self, where: Where, key: tuple[str, int, str]) -> ReviewComment | None:
        """Return the reply that was just made, when GitHub's list does not show it yet."""
        known = self.writes.recall(key)
        if known is None:
            return None
        try:
            return await self.github.fetch(get_review_comment(where.repository, known))
        except NotFound:
            self.writes.forget(key)
            return None


def _replied(comment: ReviewComment, head: int, *, created: bool) -> Replied:
    return Replied(
        comment_id=comment.id,
        in_reply_to_id=comment.in_reply_to_id or head,
        html_url=comment.html_url,
        created=created,
    )


def _gone(head: int, error: NotFound) -> NotFound:
    return NotFound(
        f"The thread that begins with comment {head} takes no reply: the comment was deleted.",
        hint="Begin a new thread with create_inline_comment.",
        details={**error.details, "reason": "thread_gone"},
    )
