"""One's own pending review: GitHub takes no other review, comment or reply while there is one.

It is never discarded silently: somebody may be writing it.
"""

from collections.abc import Sequence

from trunkline_shared.errors import Conflict, TrunklineError
from trunkline_shared.github import pulls
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_finding import is_by
from trunkline_shared.github.pull_models import Review
from trunkline_shared.github.repository import Repository

PENDING = "PENDING"
REASON = "pending_review"
MOST_REVIEWS = 10_000


async def own_reviews(github: GitHub, repository: Repository, number: int) -> tuple[Review, ...]:
    """Return the reviews of the account that this GitHub is asked as, oldest first."""
    login = await github.login()
    found = await github.collect(pulls.list_reviews(repository, number), limit=MOST_REVIEWS)
    return tuple(one for one in found.items if is_by(one.user, login))


def pending_among(own: Sequence[Review]) -> Review | None:
    """Return the newest pending one of one's own reviews."""
    return next((one for one in reversed(own) if one.state == PENDING), None)


def in_the_way(pending: Review, number: int) -> Conflict:
    """Return the refusal of a write that a pending review stands in the way of."""
    return Conflict(
        f"Your review {pending.id} of pull request {number} is still pending; GitHub takes no "
        "other review, comment or reply of yours there until it is submitted or discarded.",
        hint="Call submit_pending_review or discard_pending_review (toolset 'reviews'; discarding "
        "also needs TRUNKLINE_ENABLE_WRITES=delete), or finish it on GitHub's page.",
        details={"reason": REASON, "review_id": pending.id, "review_url": pending.html_url},
    )


async def explained(
    github: GitHub, repository: Repository, number: int, error: TrunklineError
) -> TrunklineError:
    """Return the failure of a write; one that a pending review caused names that review.

    When it cannot be looked up, the failure stays as it is.
    """
    if error.details.get("reason") != REASON or "review_id" in error.details:
        return error
    try:
        pending = pending_among(await own_reviews(github, repository, number))
    except TrunklineError:
        return error
    return error if pending is None else in_the_way(pending, number)
