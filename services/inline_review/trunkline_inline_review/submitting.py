"""Submitting and discarding one's own pending review."""

from dataclasses import dataclass

from trunkline_inline_review import review_endpoints as endpoints
from trunkline_inline_review.asked_review import STATES, Where, require_text
from trunkline_inline_review.pending import PENDING, own_reviews, pending_among
from trunkline_inline_review.review_models import Discarded, Event, Submitted
from trunkline_shared.errors import Conflict, InvalidInput, NotFound
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.keyed_lock import KeyedWrites
from trunkline_shared.github.markers import marker_of, without_marker
from trunkline_shared.github.outgoing_text import require_short
from trunkline_shared.github.pull_models import Review
from trunkline_shared.postable import require_clean
from trunkline_shared.vendor.doubtful_write import DoubtfulWrite, with_time_to_look


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingReviews:
    """Ends pending reviews; writes of one pull request's reviews happen one after the other."""

    github: GitHub
    writes: KeyedWrites

    async def submit(self, where: Where, event: Event, body: str) -> Submitted:
        """Submit the pending review; an empty `body` keeps its text, and its marker stays.

        Raises NotFound when there is none, InvalidInput for what GitHub does not take.
        """
        text = without_marker(body)
        require_clean(text)
        async with self.writes.alone(where.key("review")):
            pending = await self._pending(where)
            if pending is None:
                raise _none(where)
            require_text(event, text or without_marker(pending.body))
            marker = marker_of(pending.body)
            whole = (marker.line() + text) if marker and text.strip() else text
            require_short(whole)
            review = await self._submit(where, pending, event, whole)
        return Submitted(
            review_id=review.id,
            state=review.state,
            html_url=review.html_url,
            submitted_at=review.submitted_at,
        )

    async def discard(self, where: Where) -> Discarded:
        """Delete the pending review, if there is one.

        Raises Conflict when it was submitted meanwhile.
        """
        async with self.writes.alone(where.key("review")):
            pending = await self._pending(where)
            if pending is None:
                return Discarded(review_id=None, existed=False)
            try:
                await self.github.fetch(
                    endpoints.delete_review(where.repository, where.number, pending.id)
                )
            except InvalidInput:
                raise _submitted_meanwhile(pending) from None
        return Discarded(review_id=pending.id, existed=True)

    async def _pending(self, where: Where) -> Review | None:
        return pending_among(await own_reviews(self.github, where.repository, where.number))

    async def _submit(self, where: Where, pending: Review, event: Event, body: str) -> Review:
        """Submit a review by its id, which cannot happen twice."""
        endpoint = endpoints.submit_review(
            where.repository, where.number, pending.id, event=event, body=body
        )

        async def send() -> Review:
            return await self.github.fetch(with_time_to_look(endpoint))

        async def look() -> Review | None:
            found = await self.github.fetch(
                endpoints.get_review(where.repository, where.number, pending.id)
            )
            return found if found.state == STATES[event] else None

        return await DoubtfulWrite(
            send=send, look=look, repeatable=True, how_to_look="look with list_reviews"
        ).perform()


def _none(where: Where) -> NotFound:
    return NotFound(
        f"You have no pending review of pull request {where.number}.",
        hint="It was submitted or discarded, or never begun: list_reviews shows yours; "
        "create_review posts a new one.",
        details={"reason": "no_pending_review"},
    )


def _submitted_meanwhile(pending: Review) -> Conflict:
    return Conflict(
        f"Review {pending.id} was submitted meanwhile; a submitted review cannot be deleted.",
        details={"reason": "not_" + PENDING.lower(), "review_id": pending.id},
    )
