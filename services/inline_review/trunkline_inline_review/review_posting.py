"""Sending one review once, also when nobody can say whether it has arrived."""

from dataclasses import dataclass

from trunkline_inline_review import review_endpoints as endpoints
from trunkline_inline_review.asked_review import Asked, Where
from trunkline_inline_review.batch import Placed
from trunkline_inline_review.pending import explained, own_reviews
from trunkline_inline_review.posted_comments import comments_of, same_comments
from trunkline_shared.errors import TrunklineError
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.pull_models import Review
from trunkline_shared.vendor.doubtful_write import DoubtfulWrite, with_time_to_look

HOW_TO_LOOK = "look with list_reviews"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPosting:
    """A review of a commit with comments; `before` are the ids of one's own earlier reviews."""

    github: GitHub
    where: Where
    asked: Asked
    placed: tuple[Placed, ...]
    commit_id: str
    before: frozenset[int]

    async def perform(self) -> Review:
        """Post it. Raises Conflict while a review is pending, and `may_have_happened` failures."""
        write = DoubtfulWrite(
            send=self._send,
            look=self._look,
            repeatable=self.asked.marker is not None,
            how_to_look=HOW_TO_LOOK,
        )
        try:
            return await write.perform()
        except TrunklineError as error:
            where = self.where
            raise await explained(self.github, where.repository, where.number, error) from None

    async def _send(self) -> Review:
        endpoint = endpoints.create_review(
            self.where.repository,
            self.where.number,
            commit_id=self.commit_id,
            body=self.asked.body,
            event=self.asked.event,
            comments=[one.to_json() for one in self.placed],
        )
        return await self.github.fetch(with_time_to_look(endpoint))

    async def _look(self) -> Review | None:
        """Return the new review of one's own that says the same and holds the same comments."""
        own = await own_reviews(self.github, self.where.repository, self.where.number)
        for review in reversed(own):
            if review.id not in self.before and self.asked.made(review, self.commit_id):
                comments = await comments_of(self.github, self.where, review.id)
                if same_comments(self.placed, comments):
                    return review
        return None
