"""Making a review: the good comments posted, the rest told, whatever moves meanwhile."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_inline_review.asked_review import Asked, Where, bears, require_others
from trunkline_inline_review.batch import nothing_left, placed
from trunkline_inline_review.changed_lines import ChangedLines, Seen
from trunkline_inline_review.pending import in_the_way, own_reviews, pending_among
from trunkline_inline_review.posted_comments import claimed, comments_of, posted, recalled
from trunkline_inline_review.review_endpoints import get_review
from trunkline_inline_review.review_models import PostedComment, RejectedComment, Reviewed
from trunkline_inline_review.review_posting import ReviewPosting
from trunkline_inline_review.standing import Standing, standing
from trunkline_shared.errors import InvalidInput, LineNotInDiff, NotFound, TrunklineError
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_models import ReviewComment
from trunkline_shared.github.keyed_lock import KeyedWrites
from trunkline_shared.github.markers import Marker
from trunkline_shared.github.pull_models import Review

_UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewing:
    """Makes reviews; those of one pull request one after the other."""

    github: GitHub
    lines: ChangedLines
    writes: KeyedWrites

    async def create(self, where: Where, asked: Asked) -> Reviewed:
        """Post a review, or return the one that bears its marker already.

        Raises Conflict while another one of one's own is pending, LineNotInDiff or InvalidInput
        when nothing of it can be posted.
        """
        async with self.writes.alone(where.key("review")):
            own = await own_reviews(self.github, where.repository, where.number)
            there = await self._marked(where, own, asked)
            if there is not None:
                comments = await self._comments(where, there)
                known = recalled(asked.entries.worded, comments)
                return reviewed(there, known, asked.entries.rejected, created=False)
            pending = pending_among(own)
            if pending is not None:
                raise in_the_way(pending, where.number)
            made = await self._post(where, asked, await self._standing(where, own, asked))
        if asked.marker is not None:
            self.writes.remember(_name(where, asked.marker), made.review_id)
        return made

    async def _marked(self, where: Where, own: Sequence[Review], asked: Asked) -> Review | None:
        """Return the review with the marker, also when GitHub's list does not show it yet."""
        marker = asked.marker
        if marker is None:
            return None
        listed = next((one for one in own if bears(one, marker)), None)
        known = self.writes.recall(_name(where, marker))
        if listed is not None or known is None:
            return listed
        try:
            return await self.github.fetch(get_review(where.repository, where.number, known))
        except NotFound:
            self.writes.forget(_name(where, marker))
            return None

    async def _standing(self, where: Where, own: Sequence[Review], asked: Asked) -> Standing:
        """Return what a submitted review would repeat; a pending one is a draft, and may."""
        if asked.event is None:
            return Standing(reviews=own)
        return await standing(self.github, where, own)

    async def _post(self, where: Where, asked: Asked, before: Standing) -> Reviewed:
        seen = await self.lines.of(where.repository, where.number)
        require_others(asked.event, seen.pull, await self.github.login())
        try:
            return await self._attempt(where, asked, seen, before)
        except (InvalidInput, LineNotInDiff) as error:
            if error.details.get("http_status") != _UNPROCESSABLE:
                raise
            now = await self._moved(where, seen, error)
        done = await self._attempt(where, asked, now, before)
        return done.model_copy(update={"head_moved": True})

    async def _moved(self, where: Where, seen: Seen, error: TrunklineError) -> Seen:
        """Return the diff when it is another one by now; raises the refusal when it is not."""
        now = await self.lines.of(where.repository, where.number)
        if (now.index.base_sha, now.index.head_sha) != (seen.index.base_sha, seen.index.head_sha):
            return now
        raise _of_unknown_entry(error) if isinstance(error, LineNotInDiff) else error

    async def _attempt(self, where: Where, asked: Asked, seen: Seen, before: Standing) -> Reviewed:
        batch = await asyncio.to_thread(placed, seen.index, asked.entries)
        if batch.rejected and not batch.placed and not asked.says_something:
            raise nothing_left(batch, asked.entries)
        there = {one: found for one in batch.placed if (found := before.comment(one))}
        fresh = tuple(one for one in batch.placed if one not in there)
        said = None if fresh else before.said(asked, seen.index.head_sha, there.values())
        if said is not None:
            known = posted(batch.placed, there, {})
            return reviewed(said, known, batch.rejected, created=False)
        review = await ReviewPosting(
            github=self.github,
            where=where,
            asked=asked,
            placed=fresh,
            commit_id=seen.index.head_sha,
            before=frozenset(one.id for one in before.reviews),
        ).perform()
        made = claimed(fresh, await self._comments(where, review) if fresh else ())
        return reviewed(review, posted(batch.placed, there, made), batch.rejected, created=True)

    async def _comments(self, where: Where, review: Review) -> tuple[ReviewComment, ...]:
        """Return the comments of a review that is there; their ids are not worth a failure."""
        try:
            return await comments_of(self.github, where, review.id)
        except TrunklineError:
            return ()


def _name(where: Where, marker: Marker) -> tuple[str, int, str]:
    return where.key(f"review {marker.text}")


def _of_unknown_entry(error: LineNotInDiff) -> LineNotInDiff:
    return LineNotInDiff(
        f"{error.message} Every line was valid when it was checked, the head has not moved, and "
        "GitHub does not say which comment it means. Nothing was posted.",
        hint="Post the comments one by one with create_inline_comment.",
        details=error.details,
    )


def reviewed(
    review: Review,
    comments: Sequence[PostedComment],
    rejected: Sequence[RejectedComment],
    *,
    created: bool,
) -> Reviewed:
    """Return the answer about a review."""
    return Reviewed(
        review_id=review.id,
        state=review.state,
        html_url=review.html_url,
        commit_id=review.commit_id,
        created=created,
        head_moved=False,
        posted=list(comments),
        rejected=list(rejected),
    )
